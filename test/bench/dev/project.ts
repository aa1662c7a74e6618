import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installRuntime } from "../../support/program.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The server entry of a user. Its wrapper responds in place of handlers that are not implemented yet, so that a call shows whether its handler
 * is reached. Stream items come often enough to notice a gap, and rarely enough to leave the CPU to the edits.
 */
const serve = `import { handlers } from "./handlers.ts";

const withFallback = (handler) => async (...call) => {
  try {
    return await handler(...call);
  } catch (err) {
    if (err.message.endsWith("is not implemented yet.")) return {};
    throw err;
  }
};
const wrapAll = (methods) =>
  Object.fromEntries(Object.entries(methods).map(([name, handler]) => [name, withFallback(handler)]));

async function* watch() {
  for (let n = 0; ; n++) {
    yield { n };
    await new Promise((done) => setTimeout(done, 100));
  }
}

export const createHandlers = () => {
  const all = Object.fromEntries(Object.entries(handlers).map(([name, methods]) => [name, wrapAll(methods)]));
  return { ...all, Live: { ...all.Live, Watch: watch } };
};
`;

const head = `webrpc = v1
name = live
version = v1
basepath = /rpc

# What goes on.
service Live
`;

/** The platform's schema with one more service, in a folder of its own, with only a stream implemented. */
export class DevProjectFolder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "ridlkit-dev-"));
  readonly #live: string;
  #methods = "";

  constructor() {
    const { path } = this;
    cpSync(join(root, "schema"), join(path, "schema"), { recursive: true });
    installRuntime(path);
    const config = JSON.parse(readFileSync(join(root, "ridlkit.config.json"), "utf8")) as {
      readonly schemas: readonly object[];
    };
    const schemas = [{ ...config.schemas[0], handlers: "handlers" }];
    this.#write("ridlkit.config.json", JSON.stringify({ schemas }));
    this.#write("package.json", '{ "type": "module" }');
    this.#write("handlers/serve.ts", serve);
    const entry = readFileSync(join(root, "schema/platform.ridl"), "utf8");
    this.#write(
      "schema/platform.ridl",
      entry.replace("  - services/api.ridl\n", "$&  - services/live.ridl\n"),
    );
    this.#live = "schema/services/live.ridl";
    this.#save();
  }

  /** Saves the schema with one more method, without fields. */
  addMethod(name: string): void {
    this.#methods += `  - ${name}()\n`;
    this.#save();
  }

  #save(): void {
    this.#write(this.#live, `${head}  - Watch() => stream (n: uint32)\n${this.#methods}`);
  }

  #write(name: string, text: string): void {
    const path = join(this.path, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

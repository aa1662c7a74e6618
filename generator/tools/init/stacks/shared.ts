import type { AdapterName, ImportExtension } from "../../../codegen/options.ts";

/* Settings and tests that several stacks share. */

export const generatedScripts: Readonly<Record<string, string>> = {
  generate: "ridlkit generate && ridlkit scaffold",
  "check:generated": "ridlkit check",
};

/** `ridlkit dev` works with every adapter. */
export const devScripts: Readonly<Record<string, string>> = {
  dev: "ridlkit dev --scaffold",
  ...generatedScripts,
};

/** `tsc` alone only checks types; `npm run build` writes JavaScript. */
export const nodeScripts: Readonly<Record<string, string>> = {
  ...devScripts,
  build: "ridlkit generate && tsc --noEmit false --outDir dist --rewriteRelativeImportExtensions",
  start: "node dist/main.js",
  test: "ridlkit generate && tsx --test test/*.test.ts",
};

export const typescript: Readonly<Record<string, string>> = { typescript: "^5.9.0" };

export const nodePackages: Readonly<Record<string, string>> = {
  "@types/node": "^20.0.0",
  tsx: "^4.20.0",
  ...typescript,
};

/** Content of tsconfig.json for projects whose imports end with `.ts`. */
export function compilerOptions(types: readonly string[], include: readonly string[]): object {
  return {
    compilerOptions: {
      target: "es2022",
      types,
      module: "nodenext",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    include,
  };
}

export const nodeCompiler: object = compilerOptions(["node"], ["*.ts", "handlers", "generated", "test"]);

export const nodeIgnored: readonly string[] = ["node_modules/", "dist/"];

/** The end of a server's main.ts: reports the URL or why the port cannot be used, and finishes open calls on SIGTERM. */
export const listeningCode: string = `listening.once("listening", () => console.log(\`http://localhost:\${port}\`));
listening.once("error", (error: Error) => {
  console.error(\`Cannot listen on port \${port}: \${error.message}\`);
  process.exitCode = 1;
});
process.once("SIGTERM", async () => {
  listening.close();
  await server.drain();
});
`;

/** A test that calls the server through node:http on a free port. */
export function listenerTest(extension: string): string {
  return `import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { nodeListener } from "ridlkit-runtime/node";
import { Hello } from "../generated/client${extension}";
import { createServer } from "../generated/server${extension}";
import { handlers } from "../handlers/handlers${extension}";

test("Greet greets its caller by name", async (t) => {
  const server = createServer(handlers, { checkResponses: true });
  const listening = createHttpServer(nodeListener(server)).listen(0, "127.0.0.1");
  t.after(() => listening.close());
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const { greeting } = await new Hello(\`http://127.0.0.1:\${port}\`).greet({ name: "Ann" });
  assert.equal(greeting, "Hello, Ann!");
});
`;
}

/** A test that calls the Fetch API handler in memory. `runner` imports `test`. */
export function memoryTest(extension: string, runner = 'import { test } from "node:test";\n'): string {
  return `import assert from "node:assert/strict";
${runner}import { fetchHandler } from "ridlkit-runtime/fetch";
import { memoryTransport } from "ridlkit-runtime/transport";
import { Hello } from "../generated/client${extension}";
import { createServer } from "../generated/server${extension}";
import { handlers } from "../handlers/handlers${extension}";

test("Greet greets its caller by name", async () => {
  const server = createServer(handlers, { checkResponses: true });
  const transport = memoryTransport(fetchHandler(server));
  const { greeting } = await new Hello({ url: "http://hello", transport }).greet({ name: "Ann" });
  assert.equal(greeting, "Hello, Ann!");
});
`;
}

/** A framework or runtime that `ridlkit init` sets a project up for. */
export interface Stack {
  /** Display name. */
  readonly title: string;
  /** Packages that identify the stack in an existing project. */
  readonly recognizedBy: readonly string[];
  /** Absent for a client project, which has no handlers. */
  readonly adapter?: AdapterName;
  readonly importExtension: ImportExtension;
  /** Whether package.json has `"type": "module"`. */
  readonly isModule: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Without ridlkit itself. */
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Content of tsconfig.json. */
  readonly compiler: object;
  /** Files of a new package, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are also added to an existing package, because the framework finds routes by their path. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Lines of .gitignore. */
  readonly ignored: readonly string[];
  /** The action that installs the program of `npm test` in a workflow. Absent for Node.js. */
  readonly setupAction?: string;
}

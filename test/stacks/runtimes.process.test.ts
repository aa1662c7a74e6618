/** Each type's extremes, served by runtimes other than Node's. */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import * as asNumber from "../fixtures/wire/generated/client/wire.ts";
import * as asBigint from "../fixtures/wire/generated-bigint/client/wire.ts";
import { type Echo, echoExtremes } from "../support/echo-extremes.ts";
import { type ExtremesFile, extremes } from "../support/extremes.ts";
import { ridlkit } from "../support/program.ts";
import { isInstalled, stacksFolder } from "./packages.ts";
import { runtimes } from "./recipes.ts";
import { freePort, start } from "./started.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = JSON.parse(readFileSync(join(root, "test/wire/extremes.json"), "utf8")) as ExtremesFile;
const made = join(stacksFolder, ".made/runtimes");
const clients = { number: asNumber.echo as Echo, bigint: asBigint.echo as Echo };
const cases = Object.keys(runtimes).flatMap((name) =>
  (["number", "bigint"] as const).map((form) => [name, form] as const),
);

afterAll(() => rmSync(made, { recursive: true, force: true }));

describe.skipIf(!isInstalled).each(cases)("%s, integers of 64 bits as %s", (name, form) => {
  test("bodies are echoed to the letter, or refused", { timeout: 120_000 }, async () => {
    const folder = join(made, `${name}-${form}`);
    const { entry, start: command } = runtimes[name] ?? { entry: "", start: ["none"] };
    await bundleEcho(folder, form, entry);
    const port = await freePort();
    await using _host = await start(command, folder, { ...process.env, PORT: String(port) });
    const path = "/api/v2/Wire/Echo";
    const url = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 30_000 },
      )
      .toBe(404);
    const rows = extremes(file, form);
    const seen: unknown[] = [];
    const wanted: unknown[] = [];
    for (const { about, sent, answer } of rows) {
      const headers = { "Content-Type": "application/json" };
      const response = await fetch(url + path, { method: "POST", headers, body: sent });
      const [status, body] = [response.status, await response.text()];
      seen.push(status === 200 ? { about, body } : { about, status, code: JSON.parse(body).code });
      wanted.push(answer === undefined ? { about, status: 400, code: -4 } : { about, body: answer });
    }
    expect(seen).toEqual(wanted);
    expect(await echoExtremes(clients[form], { url }, rows)).toEqual([]);
  });
});

/** `dist/main.js`, which answers what it is asked. */
async function bundleEcho(folder: string, form: "number" | "bigint", entry: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(stacksFolder, "recipes/workers/worker.capnp"), join(folder, "worker.capnp"));
  const schema = join(root, "test/fixtures/wire/schema.ridl");
  const options = ["--out", "generated", "--adapter", "fetch", "--int64", form, "--quiet"];
  expect(await ridlkit(["generate", schema, ...options], { cwd: folder })).toMatchObject({ code: 0 });
  await build({
    stdin: {
      contents: `import { fetchHandler } from "./generated/runtime/v1/fetch.ts";
import { createServer } from "./generated/server.ts";
const echo = (_ctx, req) => req;
const none = async function* () {};
const handlers = { Wire: { Echo: echo, EchoText: echo, Watch: none, Tail: none, Beat: none } };
const serve = fetchHandler(createServer(handlers, { checkResponses: true }));
${entry}
`,
      resolveDir: folder,
    },
    outfile: join(folder, "dist/main.js"),
    bundle: true,
    // Nothing of Node is there.
    platform: "neutral",
    format: "esm",
  });
}

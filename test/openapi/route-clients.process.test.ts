/** Clients that generators of other makers write for a document with routes call each method of the generated server. */
import { execFile } from "node:child_process";
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import { createServer } from "../fixtures/routes/generated/server.ts";
import { routedHandlers } from "../generator/runtime/routes/handlers.ts";
import { listen } from "../support/adapters.ts";
import { folder } from "../support/program.ts";
import { openapiText, routedSchemas } from "./documents.ts";
import { isInstalled, packagePath } from "./tools.ts";

const run = promisify(execFile);

const all = {
  small: -128,
  unsigned: 4294967295,
  signed: -5,
  huge: 9007199254740991,
  native: 0,
  ratio: 0.5,
  isOn: false,
  kind: "Robot",
  at: "2026-01-31T12:00:00Z",
  slug: "a b/c?d",
};

/** The responses to the calls of each client, in their order. */
const expected: readonly object[] = [
  { item: { id: 7, name: "item 7", tags: [] } },
  { request: { limit: 2, tags: ["a b", "c"], active: true, kinds: ["USER"], page: 3 } },
  { item: { id: 0, name: "new", tags: [] } },
  { id: 7, name: "it's", tags: ["x"] },
  { item: { id: 7, name: "patched", tags: [] } },
  {},
  all,
  all,
  { id: 7, childId: "a/b é" },
  { id: 7 },
  {},
  { id: 5, name: "item 5", tags: [] },
  { id: 7 },
  { org: "o", lists: [1, 2] },
  { org: "o", id: 7, toString: "name" },
  { org: "o", toString: "x" },
];

/** Each method of the fixture, except QUERY: the generators do not know the key `x-query`. */
test("each operation has a call", () => {
  const operations = [...openapiText(routedSchemas.items, "number").matchAll(/operationId: (\w+)/g)];
  expect(operations.map(([, name]) => name)).toContain("Items_QueryItems");
  expect(expected).toHaveLength(operations.length - 1);
});

interface Client {
  /** The file in `fixtures/` that calls the server. */
  readonly app: string;
  /** Writes the client into a folder that has `openapi.yaml`. */
  generate(path: string): Promise<unknown>;
}

async function responsesTo({ app, generate }: Client): Promise<unknown> {
  using made = folder({ "package.json": JSON.stringify({ type: "module" }) });
  symlinkSync(packagePath("."), join(made.path, "node_modules"), "junction");
  copyFileSync(fileURLToPath(new URL(`fixtures/${app}.ts`, import.meta.url)), join(made.path, "app.ts"));
  writeFileSync(join(made.path, "openapi.yaml"), openapiText(routedSchemas.items, "number"));
  await generate(made.path);
  const options = { strict: true, target: "es2022", module: "nodenext", exactOptionalPropertyTypes: true };
  const config = { compilerOptions: { ...options, lib: ["es2023", "dom"], types: [] }, files: ["app.ts"] };
  writeFileSync(join(made.path, "tsconfig.json"), JSON.stringify(config));
  const compiled = await run(process.execPath, [packagePath("typescript/bin/tsc"), "-p", made.path]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  expect(compiled.stdout).toBe("");
  await using host = await listen(createHttp(nodeListener(createServer(routedHandlers))));
  const { stdout } = await run(process.execPath, [join(made.path, "app.js"), host.url]);
  return JSON.parse(stdout);
}

test.runIf(isInstalled)("openapi-typescript and openapi-fetch", async () => {
  const generator = packagePath("openapi-typescript/bin/cli.js");
  const generate = (path: string) =>
    run(process.execPath, [generator, join(path, "openapi.yaml"), "--output", join(path, "api.d.ts")]);
  expect(await responsesTo({ app: "routes-fetch", generate })).toEqual({
    data: expected,
    error: [404, "NotFound"],
  });
});

test.runIf(isInstalled)("orval", async () => {
  const args = ["--input", "openapi.yaml", "--output", "client.ts", "--client", "fetch"];
  const generate = (path: string) =>
    run(process.execPath, [packagePath("orval/dist/bin/orval.js"), ...args], { cwd: path });
  expect(await responsesTo({ app: "routes-orval", generate })).toEqual({
    data: expected,
    error: [404, "NotFound"],
  });
});

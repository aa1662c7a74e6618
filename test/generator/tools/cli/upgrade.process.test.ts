/** A project whose code an earlier version generated, with a file for each service and each part of the runtime. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashOf, writeManifest } from "../../../../generator/codegen/write/manifest.ts";
import { type Folder, folder, type Outcome, ridlkit } from "../../../support/program.ts";

const schema = `webrpc = v1
name = shop
version = v1
basepath = /rpc
service Items
  - GetItem(id: uint64) => (name: string)
  - Ping()
service Users
  - GetUser(id: uint64) => (name: string)
`;

/** Paths of 0.1.0; their texts do not matter, their hashes do. */
const before = [
  "client/index.ts",
  "client/items.ts",
  "client/users.ts",
  "errors.ts",
  "runtime/v1/client.ts",
  "runtime/v1/failure.ts",
  "runtime/v1/hooks.ts",
  "runtime/v1/koa.ts",
  "runtime/v1/retries.ts",
  "schema.webrpc.json",
  "server/index.ts",
  "server/items.ts",
  "server/recording.ts",
  "server/users.ts",
  "types.ts",
  "validators/index.ts",
  "version.ts",
];

const main = (
  paths: Readonly<
    Record<"server" | "hooks" | "failure" | "recorder" | "version" | "client" | "items" | "retries", string>
  >,
): string =>
  `import { createServer } from "./generated/${paths.server}.ts";
import { openRecorder } from "./generated/${paths.recorder}.ts";
import type { Call } from "./generated/runtime/v1/${paths.hooks}.ts";
import type { RpcFailure } from "./generated/runtime/v1/${paths.failure}.ts";
import { koaMiddleware } from "./generated/runtime/v1/koa.ts";
import { WebrpcSchemaHash } from "./generated/${paths.version}.ts";
import { Items } from "./generated/${paths.client}.ts";
import { getItem } from "./generated/${paths.items}.ts";
import { retries } from "./generated/runtime/v1/${paths.retries}.ts";
`;

let dir: Folder;

beforeEach(() => {
  dir = folder({
    "shop.ridl": schema,
    "ridlkit.config.json": JSON.stringify({
      schemas: [
        {
          entry: "shop.ridl",
          out: "generated",
          handlers: "handlers",
          targets: ["client", "server", "validators", "recorder"],
        },
      ],
    }),
    "main.ts": main({
      server: "server/index",
      hooks: "hooks",
      failure: "failure",
      recorder: "server/recording",
      version: "version",
      client: "client/index",
      items: "client/items",
      retries: "retries",
    }),
    "handlers/Items/GetItem.ts": `import type { ItemsHandlers } from "../../generated/server/items.ts";

export const getItem: ItemsHandlers["GetItem"] = () => ({ name: "lamp" });
`,
    "handlers/handlers.ts": `import type { Handlers } from "../generated/server/index.ts";
import { getItem } from "./Items/GetItem.ts";

export const handlers: Partial<Handlers> = { Items: { GetItem: getItem } };
`,
  });
  for (const path of before) write(`generated/${path}`, `// ${path}\n`);
  const files = Object.fromEntries(before.map((path) => [path, hashOf(`// ${path}\n`)]));
  const manifest = {
    tool: "0.1.0 88bd02f841d0e57d",
    options: "b4ebf55344",
    templates: "",
    inputs: {},
    files,
  };
  write("generated/.ridlkit.manifest", writeManifest(manifest));
});

afterEach(() => dir[Symbol.dispose]());

test("exactly the files of the manifest go, and scaffold follows what has moved", async () => {
  write("generated/mine.ts", "export const mine = 1;\n");
  write("generated/client/notes.md", "mine\n");
  expect(await run("generate")).toMatchObject({
    code: 0,
    out: "generated: 8 added, 4 changed, 13 deleted\n",
  });
  expect(files("generated")).toEqual([
    ".ridlkit.manifest",
    "client.ts",
    "client/notes.md",
    "errors.ts",
    "json-schema/schema.json",
    "mine.ts",
    "recorder.ts",
    "runtime/v1/client.ts",
    "runtime/v1/common.ts",
    "runtime/v1/koa.ts",
    "runtime/v1/recorder.ts",
    "runtime/v1/server.ts",
    "server.ts",
    "types.ts",
    "validators.ts",
  ]);
  expect(await run("scaffold", "--quiet")).toMatchObject({ code: 0 });
  expect(read("main.ts")).toBe(
    main({
      server: "server",
      hooks: "server",
      failure: "server",
      recorder: "recorder",
      version: "types",
      client: "client",
      items: "client",
      retries: "client",
    }),
  );
  expect(read("handlers/Items/GetItem.ts")).toContain('from "../../generated/server.ts"');
  expect(read("handlers/handlers.ts")).toContain('from "../generated/server.ts"');
  expect(await run("check")).toMatchObject({ code: 0 });
});

test("an edited file stays and is named, and nothing is written", async () => {
  write("generated/server/users.ts", "// edited\n");
  const refused = await run("generate");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('"generated/server/users.ts" was generated and then edited by hand.');
  expect(files("generated")).toEqual([".ridlkit.manifest", ...before]);
});

test("where a file a service is wanted, imports of services stay", async () => {
  const config = read("ridlkit.config.json").replace('"out"', '"layout":"services","out"');
  write("ridlkit.config.json", config);
  expect(await run("generate", "--quiet")).toMatchObject({ code: 0 });
  expect(await run("scaffold", "--quiet")).toMatchObject({ code: 0 });
  expect(read("main.ts")).toContain('from "./generated/server/index.ts"');
  expect(read("main.ts")).toContain('from "./generated/recorder.ts"');
  expect(read("main.ts")).toContain('from "./generated/version.ts"');
  expect(read("handlers/Items/GetItem.ts")).toContain('from "../../generated/server/items.ts"');
});

const run = (...args: string[]): Promise<Outcome> => ridlkit(args, { cwd: dir.path });
const read = (path: string): string => readFileSync(join(dir.path, path), "utf8");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir.path, path)), { recursive: true });
  writeFileSync(join(dir.path, path), text);
}

function files(path: string): string[] {
  return readdirSync(join(dir.path, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(dir.path, path).length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

/** What an editor shows where generated code is used, from TypeScript's language service. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { emitTypescript } from "../../generator/codegen/emit/drop-in/index.ts";
import { typescriptDefaults } from "../../generator/codegen/emit/drop-in/options.ts";
import { emitFiles } from "../../generator/codegen/generate.ts";
import { planOf } from "../support/sample-plan.ts";

const schema = `webrpc = v1
name = shop
version = v1
basepath = /rpc

error 1 NotFound "no such thing" HTTP 404
error 2 SoldOut "sold out" HTTP 409

struct Item
  # The id.
  - id: int
    + minimum = 1
  - name: string
    + maxLength = 40

service Shop
  # Returns one item.
  @auth:"accessKey,secretKey"
  - GetItem(id: int) => (item: Item) errors NotFound | SoldOut
  @deprecated:"use GetItem"
  - Find(id: int) => () errors NotFound
  # Follows an item.
  - Watch(id: int) => stream (item: Item) errors NotFound
  # Checks that the service is up.
  - Ping()
`;

/** The start of each program. */
const head = `
import { Agent } from "undici";
import { find, getItem, ping, Shop, watch, withResponse } from "./api/client.ts";
import { mutationOptions, queryOptions, streamOptions } from "ridlkit-runtime/tanstack-query";
import { undiciTransport } from "ridlkit-runtime/undici";
import type { ShopHandlers } from "./api/server.ts";
import { Shop as DropIn } from "./drop-in.ts";
const client = { url: "" };
`;

const item = {
  docs: "Returns one item. Requires credentials: accessKey, secretKey.",
  tags: ["@throws {NotFoundError} no such thing", "@throws {SoldOutError} sold out"],
};
const found = { docs: "", tags: ["@throws {NotFoundError} no such thing", "@deprecated use GetItem"] };
const watched = { docs: "Follows an item.", tags: ["@throws {NotFoundError} no such thing"] };
const handled = { ...item, tags: ["@throws {NotFound} no such thing", "@throws {SoldOut} sold out"] };

test.each([
  ["~getItem(client, { id: 1 });", item],
  ["~find(client, { id: 1 });", found],
  ["for await (const _ of ~watch(client, { id: 1 })) break;", watched],
  ["~ping(client);", { docs: "Checks that the service is up.", tags: [] }],
  ["new Shop(client).~getItem({ id: 1 });", item],
  ["new Shop(client).~find({ id: 1 });", found],
  ['~getItem({ url: "", transport: undiciTransport(new Agent()) }, { id: 1 });', item],
  ["withResponse(~getItem, client, { id: 1 });", item],
  ["queryOptions(~getItem, client, { id: 1 });", item],
  ["mutationOptions(~find, client);", found],
  ["streamOptions(~watch, client, { id: 1 });", watched],
  ['new DropIn("", fetch).~getItem({ id: 1 });', item],
  ['new DropIn("", fetch).~find({ id: 1 });', found],
  ["({ ~GetItem: (ctx) => ctx.errors.SoldOut() }) satisfies Partial<ShopHandlers>;", handled],
  ["(await getItem(client, { id: 1 })).item.~id;", { docs: "The id. At least 1.", tags: [] }],
  ["(await getItem(client, { id: 1 })).item.~name;", { docs: "At most 40 characters.", tags: [] }],
])("%s", (line, expected) => {
  expect(hover(line)).toEqual(expected);
});

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the repository, so that imports of packages resolve. */
const folder = join(root, "test/types/hover");
const program = join(folder, "app.ts");
const files = generated();
let version = 0;

const service = ts.createLanguageService({
  getScriptFileNames: () => [program],
  getScriptVersion: (path) => (path === program ? String(version) : "0"),
  getScriptSnapshot: (path) => {
    const text = files.get(path) ?? ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getCompilationSettings: () => ({
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
  readFile: (path) => files.get(path) ?? ts.sys.readFile(path),
});

/** Returns what an editor shows at the mark in a line, which has to compile. */
function hover(line: string): { readonly docs: string; readonly tags: readonly string[] } {
  version++;
  files.set(program, head + line.replace("~", ""));
  const faults = service.getSemanticDiagnostics(program);
  expect(faults.map(({ messageText }) => messageText)).toEqual([]);
  const info = service.getQuickInfoAtPosition(program, head.length + line.indexOf("~"));
  return {
    docs: ts.displayPartsToString(info?.documentation),
    tags: (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`),
  };
}

/** Absolute path → text. */
function generated(): Map<string, string> {
  const plan = planOf({ "schema.ridl": schema }, "schema.ridl");
  const api = emitFiles(plan, {
    targets: ["client", "server"],
    adapters: ["node"],
  });
  const dropIn = emitTypescript(plan, { ...typescriptDefaults, client: true });
  return new Map([
    ...[...api].map(([path, text]) => [join(folder, "api", path), text] as const),
    [join(folder, "drop-in.ts"), dropIn],
  ]);
}

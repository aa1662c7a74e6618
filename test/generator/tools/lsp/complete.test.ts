import { expect, test } from "vitest";
import { load } from "../../../../generator/language/load.ts";
import { buildScopes } from "../../../../generator/language/model/scope.ts";
import { complete } from "../../../../generator/tools/lsp/complete.ts";
import { type Files, memoryReader } from "../../../support/memory-reader.ts";

/** What is offered at the `‸` of a text. */
async function offered(
  marked: string,
  { name = "main.ridl", files = {} }: { name?: string; files?: Files } = {},
) {
  const at = marked.indexOf("‸");
  const all = { [name]: marked.slice(0, at) + marked.slice(at + 1), ...files };
  const reader = memoryReader(all);
  const scopes = buildScopes(load(name, reader).files);
  const scope = scopes.at(-1);
  if (scope === undefined) throw new Error("It cannot be read.");
  const list = (folder: string): readonly string[] => reader.list?.(folder) ?? [];
  return complete({
    source: scope.file.source,
    offset: at,
    scope,
    scopes,
    list,
    currentScope: async () => scope,
  });
}

async function labels(
  marked: string,
  options?: { name?: string; files?: Files },
): Promise<readonly string[]> {
  return (await offered(marked, options)).suggestions.map(({ label }) => label);
}

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const types = `${head}enum Kind: string\n  - CAT\n  - DOG\nstruct Pet\n  - id: uint64\nerror 7 Gone "gone" HTTP 410\nerror 8 Late "late"\n`;
const toys = `${head}struct Toy\n  - id: uint64\n`;
const yaml =
  "webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\ntypes:\n  Kind: { enum: string, values: [cat] }\n  Pet:\n    fields:\n      id: uint64\nerrors:\n  Gone: { code: 7, message: gone }\n";

const rows: readonly (readonly [text: string, has: readonly string[], hasNot: readonly string[]])[] = [
  [`${types}‸`, ["struct", "service", "error"], ["name", "Pet"]],
  ["‸", ["webrpc", "struct"], []],
  [`${types}struct A\n  - b: ‸`, ["Pet", "Kind", "string", "map", "file"], ["Gone"]],
  [`${types}struct A\n  - b: []P‸`, ["Pet"], []],
  [`${types}struct A\n  - b: map<‸`, ["string", "Kind", "uint8"], ["Pet", "any"]],
  [`${types}struct A\n  - b: map<string,‸`, ["Pet", "any"], []],
  [`${types}struct A\n  - ‸`, [], ["Pet"]],
  [`${types}enum A: ‸`, ["string", "uint8"], ["Pet", "bigint"]],
  [`${types}service S\n  ‸`, ["path", "struct"], ["GET"]],
  [`${types}service S\n  - Do()\n    ‸`, ["GET", "QUERY"], ["path"]],
  [`${types}enum E: int\n  - A\n    + ‸`, ["json"], ["pattern"]],
  [`${types}type A: ‸`, ["Pet", "string"], ["file"]],
  [`${types}service S\n  - Do(‸`, ["Pet"], ["Kind", "string"]],
  [`${types}service S\n  - Do(a: ‸`, ["Pet", "file"], []],
  [`${types}service S\n  - Do(a: Pet) ‸`, ["=>", "errors"], []],
  [`${types}service S\n  - Do() => (a: Pet) ‸`, ["errors"], ["=>"]],
  [`${types}service S\n  - Do() errors ‸`, ["Gone", "Late"], ["Pet"]],
  [`${types}service S\n  - Do() errors Gone | ‸`, ["Late"], ["Gone"]],
  [`${types}service S\n  @‸`, ["deprecated", "readonly", "noErrors"], []],
  [`${types}service S\n  - ‸`, ["stream", "proxy"], []],
  [`${types}error ‸`, ["9"], []],
  [`${types}error 9 X "x" HTTP ‸`, ["404", "503"], []],
  [`${types}struct A\n  - b: string\n    + ‸`, ["pattern", "maxLength", "json"], ["minimum", "maxItems"]],
  [`${types}struct A\n  - b: []string\n    + ‸`, ["maxItems"], ["pattern"]],
  [`${types}type A: string\n  + ‸`, ["pattern"], ["json", "alias"]],
  [`${types}struct A\n  - b: string\n    + nullable = ‸`, ["read", "always"], []],
  [
    `${types}struct A\n  - a?: int\n    + oneOf = kind\n  - b?: int\n    + oneOf = ‸`,
    ["kind"],
    ["true", "‸"],
  ],
  [`${types}type A: string\n  + ‸`, ["pattern"], ["oneOf", "omit"]],
  [`${types}type A: Pet\n  + ‸`, ["omit", "pick", "partial"], ["pattern"]],
  [`${types}type A: Pet\n  + omit = kind\n  + omit = ‸`, ["id"], ["kind"]],
  [`${types}type A: Pet\n  + partial = ‸`, ["true"], []],
  [`${types}type A: Pet\n  + errorData = ‸`, ["Gone", "Late"], ["Pet"]],
  [`${types}type A: string\n  + ‸`, ["brand", "message", "format"], ["when"]],
  [`${types}type A: string\n  + ‸`, ["pattern"], ["oneOf", "when"]],
  [`${types}struct A\n  - b: Kind\n  - c?: int\n    + when = ‸`, ["b.CAT", "b.DOG"], ["c", "CAT"]],
  [`${types}struct A\n  - b: Kind\n    + default = ‸`, ["CAT", "DOG"], []],
  [`${types}struct A\n  - b: string # a ‸`, [], ["Pet"]],
  [`${head}import ‸`, ["pets.ridl"], ["main.ridl"]],
  [`${head}import\n  - ‸`, ["pets.ridl"], ["main.ridl"]],
  [`${head}import pets.ridl\n  - ‸`, ["Pet", "Kind", "Gone"], ["pets.ridl"]],
  [`${head}import toys.ridl\n  - Toy\nimport pets.ridl\n  - ‸`, ["Pet", "Kind"], ["Toy"]],
];

test.each(rows)("RIDL: %j", async (text, has, hasNot) => {
  const found = await labels(text, { files: { "pets.ridl": types, "toys.ridl": toys } });
  expect(found).toEqual(expect.arrayContaining([...has]));
  for (const label of hasNot) expect(found).not.toContain(label);
});

const yamlRows: readonly (readonly [text: string, has: readonly string[], hasNot: readonly string[]])[] = [
  ["‸", ["webrpc", "types"], []],
  [`${yaml}‸`, ["services", "types"], ["fields"]],
  [`${yaml}services:\n  S:\n    ‸`, ["methods"], []],
  [`${yaml}services:\n  S:\n    methods:\n      Do:\n        ‸`, ["input", "errors"], ["code"]],
  [`${yaml}services:\n  S:\n    methods:\n      Do:\n        input: ‸`, ["Pet"], ["Kind"]],
  [`${yaml}services:\n  S:\n    methods:\n      Do:\n        errors: [‸]`, ["Gone"], []],
  [yaml.replace("id: uint64", "id: ‸"), ["uint64", "Kind"], []],
  [yaml.replace("id: uint64", "id:\n        type: ‸"), ["uint64", "Kind"], []],
  [yaml.replace("id: uint64", "id:\n        ‸"), ["type", "pattern"], []],
  [
    yaml.replace("code: 7, message: gone }", "code: 7, message: gone }\n  Late:\n    ‸"),
    ["code", "status"],
    [],
  ],
];

test.each(yamlRows)("YAML: %j", async (text, has, hasNot) => {
  const found = await labels(text, { name: "main.yaml" });
  expect(found).toEqual(expect.arrayContaining([...has]));
  for (const label of hasNot) expect(found).not.toContain(label);
});

test("what fits the letters is offered, two hundred at most", async () => {
  const many = Array.from({ length: 300 }, (_, index) => `struct Pet${index}\n  - id: uint64\n`).join("");
  const all = await offered(`${head}${many}type A: ‸`);
  expect([all.suggestions.length, all.isIncomplete]).toEqual([200, true]);
  const some = await offered(`${head}${many}type A: pet29‸`);
  expect(some.suggestions.slice(0, 11).map(({ label }) => label)).toEqual([
    "Pet29",
    ...[...Array(10).keys()].map((digit) => `Pet29${digit}`),
  ]);
  expect(some.isIncomplete).toBe(false);
});

test("a name of another file comes with its import", async () => {
  const files = { "root.ridl": `${head}import\n  - a.ridl\n  - b.ridl\n`, "b.ridl": types };
  const marked = `${head}struct A\n  - b: P‸`;
  const all = { ...files, "a.ridl": marked.replace("‸", "") };
  const scopes = buildScopes(load("root.ridl", memoryReader(all)).files);
  const scope = scopes.find(({ file }) => file.source.path === "a.ridl");
  if (scope === undefined) throw new Error("It cannot be read.");
  const task = {
    source: scope.file.source,
    offset: marked.indexOf("‸"),
    scope,
    scopes,
    list: () => [],
    currentScope: async () => scope,
  };
  const pet = (await complete(task)).suggestions.find(({ label }) => label === "Pet");
  expect(pet?.fix?.edits.map(({ text }) => text)).toEqual(["\n\nimport b.ridl"]);
});

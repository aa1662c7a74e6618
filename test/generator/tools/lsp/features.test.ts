import { expect, test } from "vitest";
import type { Location, Range } from "vscode-languageserver/node";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";
import { editorDiagnostic, Features } from "../../../../generator/tools/lsp/features.ts";
import type {
  HandlerReference,
  LanguageServerHost,
  ProjectSchema,
} from "../../../../generator/tools/lsp/language-server-host.ts";
import { offsetOf, pathOf } from "../../../../generator/tools/lsp/positions.ts";
import { Workspace } from "../../../../generator/tools/lsp/workspace.ts";
import { type Files, memoryReader } from "../../../support/memory-reader.ts";

const types = `webrpc = v1

# What a pet is.
enum Kind: string
  - CAT = cat
  - DOG

# A pet of the shop.
struct Pet
  - id: uint64
  - nickname?: string
    + json = nick
  - kind: Kind
    + default = CAT
  - others: map<Kind,[]Pet>

type Name: string
  + maxLength = 20

enum Size: uint8
  - SMALL
  - LARGE
    + json = big
`;

const api = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

import
  - types.ridl

error 100 NotFound "not found" HTTP 404
error 101 Late "late"

struct Query
  - name: Name
  - at: timestamp

service Shop
  # One pet.
  @readonly
  - GetPet(id: uint64) => (pet: Pet) errors NotFound
    GET /pets/{id}
  - ListPets(kind?: Kind) => (pets: []Pet)
  - Find(Query) => (Pet) errors NotFound | Late
  - Upload(photo: file) => stream (done: bool)
`;

const yaml = `webrpc: v1
name: other
version: v1
basepath: /rpc
imports: [types.ridl]
services:
  Other:
    methods:
      Do:
        input: { kind: Kind }
        errors: []
`;

const root = "/p";
const files: Files = {
  "/p/api.ridl": api,
  "/p/types.ridl": types,
  "/p/other.yaml": yaml,
  "/p/alone.ridl": "webrpc = v1\nstruct Alone\n  - a: Alon\n",
  "/p/notes.yaml": "a: 1\n",
};

const handler = "export const getPet = 1;\nexport const listPets = 2;\n";

const reference = (method: string, isHandler: boolean): HandlerReference => {
  const start = handler.indexOf(method[0]?.toLowerCase() + method.slice(1));
  const span = { start, end: start + method.length };
  return { service: "Shop", method, path: "/p/handlers/pets.ts", text: handler, span, isHandler };
};

const settings = { strict: false, hashParity: false, lint: "default" } as const;

/** The features of an editor that has these files open. */
function opened(
  texts: Files,
  schemas: readonly string[] = ["/p/api.ridl", "/p/other.yaml"],
): { readonly features: Features; readonly workspace: Workspace } {
  const reader = memoryReader(files);
  const host: LanguageServerHost = {
    read: (path) => reader.read(path),
    list: (folder) => reader.list?.(folder) ?? [],
    isInside: () => true,
    projectOf: async () => ({
      folder: root,
      schemas: schemas.map((path): ProjectSchema => ({ path, ...settings })),
      handlers: ["/p/handlers"],
      faults: [],
    }),
    handlerReferences: async () => [
      reference("GetPet", true),
      reference("GetPet", false),
      reference("ListPets", false),
    ],
    clearCache: () => undefined,
  };
  const workspace = new Workspace(host);
  for (const [path, text] of Object.entries(texts)) workspace.set(path, text);
  return { features: new Features(workspace), workspace };
}

const show = ({ start, end }: Range): string =>
  `${start.line + 1}:${start.character + 1}-${end.line === start.line ? "" : `${end.line + 1}:`}${end.character + 1}`;
const place = ({ uri, range }: Location): string => `${uri.slice(uri.lastIndexOf("/") + 1)} ${show(range)}`;

/** The position of the first letter of each name and number in a text. */
function names(text: string): readonly { readonly line: number; readonly character: number }[] {
  return text
    .split("\n")
    .flatMap((content, line) =>
      [...content.matchAll(/(?<!#.*)[A-Za-z]\w*/g)].map(({ index }) => ({ line, character: index })),
    );
}

test("every name of a schema is explained, found and listed", async () => {
  const { features } = opened({ "/p/api.ridl": api, "/p/types.ridl": types });
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const path of ["/p/api.ridl", "/p/types.ridl", "/p/other.yaml"]) {
    lines.push(`## ${path}`);
    for (const position of names(files[path] ?? "")) {
      const hover = await features.hover(path, position);
      // A path has several words.
      const shown = `${path} ${hover?.range === undefined ? "" : show(hover.range)}`;
      if (hover === undefined || seen.has(shown)) continue;
      seen.add(shown);
      const word = (files[path] ?? "")
        .split("\n")
        [position.line]?.slice(position.character)
        .match(/^\w+/)?.[0];
      const [definition, implementation, uses, all, highlights, prepared] = [
        await features.definition(path, position),
        await features.implementation(path, position),
        await features.references(path, position, false),
        await features.references(path, position, true),
        await features.highlights(path, position),
        await features.prepareRename(path, position),
      ];
      lines.push(
        `${word} ${hover.range === undefined ? "" : show(hover.range)}`,
        `  defined: ${definition.map(place).join(", ")}`,
        ...(implementation.length === 0 ? [] : [`  implemented: ${implementation.map(place).join(", ")}`]),
        `  used: ${uses.map(place).join(", ")} (${all.length})`,
        `  marked: ${highlights.map(({ range, kind }) => `${show(range)} ${kind}`).join(", ")}`,
        `  renamed: ${prepared === undefined ? "never" : show(prepared)}`,
        ...(hover.contents as { value: string }).value.split("\n").map((line) => `  | ${line}`.trimEnd()),
      );
    }
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/names.txt");
});

/** What may be written at each place of a text: before each word, and after its first letter. */
async function completions(path: string, text: string): Promise<string> {
  const lines: string[] = [];
  const details = new Map<string, string>();
  const known = new Map<string, string>();
  const contents = text.split("\n");
  const { features, workspace } = opened({ [path]: text });
  // Completion uses what could be read before.
  await features.outline(path);
  for (const [line, content] of contents.entries())
    for (const { index, 0: word } of content.matchAll(/[^\s,()[\]{}:|<>]+|$/g))
      for (const character of word.length > 1 ? [index, index + 1] : [index]) {
        // The rest of the line is not there yet.
        const typed = [...contents.slice(0, line), content.slice(0, character), ...contents.slice(line + 1)];
        workspace.set(path, typed.join("\n"));
        const { items } = await features.completion(path, { line, character }, true);
        for (const { label, detail, textEdit, documentation, additionalTextEdits, kind } of items) {
          const docs = (documentation as { value: string } | undefined)?.value.split("\n")[0] ?? "";
          const added = additionalTextEdits?.map(({ newText }) => JSON.stringify(newText)).join() ?? "";
          const written = JSON.stringify(textEdit?.newText);
          details.set(`${kind} ${label}: ${written} | ${detail ?? ""} | ${docs} | ${added}`, "");
        }
        const labels = items.map(({ label }) => label).join(" ");
        const before = `${line + 1}: ${content.slice(0, character)}‸`;
        const same = known.get(labels);
        if (same === undefined && labels !== "") known.set(labels, `${line + 1}:${character + 1}`);
        lines.push(`${before}\n    ${same === undefined ? labels : `as ${same}`}`.trimEnd());
      }
  return `${lines.join("\n")}\n\n${[...details.keys()].sort().join("\n")}\n`;
}

test.each([
  ["/p/api.ridl", api, "completions-api.txt"],
  ["/p/types.ridl", types, "completions-types.txt"],
  ["/p/other.yaml", yaml, "completions-yaml.txt"],
])("what may be written at each place of %s", async (path, text, name) => {
  await expect(await completions(path, text)).toMatchFileSnapshot(`golden/${name}`);
});

test("without snippets, their text is written", async () => {
  const { features } = opened({ "/p/api.ridl": "" });
  const { items } = await features.completion("/p/api.ridl", { line: 0, character: 0 }, false);
  expect(items.find(({ label }) => label === "enum")).toMatchObject({
    textEdit: { newText: "enum Kind: string\n  - first" },
  });
  expect(items.every(({ insertTextFormat }) => insertTextFormat === undefined)).toBe(true);
  const { items: snippets } = await features.completion("/p/api.ridl", { line: 0, character: 0 }, true);
  expect(snippets.map(({ label, insertTextFormat }) => [label, insertTextFormat])).toEqual(
    expect.arrayContaining([
      ["webrpc", undefined],
      ["name", 2],
    ]),
  );
  expect(items.map(({ sortText }) => sortText).slice(0, 2)).toEqual(["00000", "00001"]);
});

test("a file that is not open has no completions", async () => {
  const { features } = opened({});
  expect(await features.completion("/p/api.ridl", { line: 0, character: 0 }, true)).toEqual({
    isIncomplete: false,
    items: [],
  });
});

test.each<[string, string, object | undefined]>([
  ["canonical text", types, undefined],
  [
    "one blank too many",
    types.replace("  - id", "  -  id"),
    { range: { start: { line: 9, character: 4 }, end: { line: 9, character: 5 } }, newText: "" },
  ],
  [
    "a blank too few",
    types.replace("id: uint64", "id:uint64"),
    { range: { start: { line: 9, character: 7 }, end: { line: 9, character: 7 } }, newText: " " },
  ],
  ["a text that cannot be read", "webrpc = v1\nstruct {\n", undefined],
])("formatting changes the smallest part: %s", async (_case, text, edit) => {
  const { features } = opened({ "/p/types.ridl": text });
  expect(await features.format("/p/types.ridl")).toEqual(edit === undefined ? [] : [edit]);
});

test.each(["/p/gone.ridl", "/p/other.yaml"])("%s is not formatted", async (path) => {
  const { features } = opened({ "/p/other.yaml": "a:   1\n" });
  expect(await features.format(path)).toEqual([]);
});

test("the outline has members, details and places", async () => {
  const { features } = opened({ "/p/types.ridl": types });
  const outline = await features.outline("/p/types.ridl");
  const line = ({
    name,
    kind,
    detail,
    range,
    selectionRange,
    children,
  }: (typeof outline)[number]): string[] => [
    `${name} ${kind} ${detail ?? "-"} ${show(range)} ${show(selectionRange)}`,
    ...(children ?? []).flatMap((child) => line(child).map((text) => `  ${text}`)),
  ];
  expect(outline.flatMap(line)).toMatchInlineSnapshot(`
    [
      "Kind 10 string 4:1-6:8 4:6-10",
      "  CAT 22 - 5:3-14 5:5-8",
      "  DOG 22 - 6:3-8 6:5-8",
      "Pet 23 - 9:1-15:28 9:8-11",
      "  id 8 uint64 10:3-15 10:5-7",
      "  nickname 8 string 11:3-12:18 11:5-13",
      "  kind 8 Kind 13:3-14:20 13:5-9",
      "  others 8 map<Kind,[]Pet> 15:3-28 15:5-11",
      "Name 5 string 17:1-18:19 17:6-10",
      "Size 10 uint8 20:1-23:17 20:6-10",
      "  SMALL 22 - 21:3-10 21:5-10",
      "  LARGE 22 - 22:3-23:17 22:5-10",
    ]
  `);
  expect(await features.outline("/p/notes.yaml")).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ["pet", ["Pet", "GetPet", "ListPets"]],
  ["LIST", ["ListPets"]],
  ["late", ["Late"]],
  ["nickname", []],
  ["CAT", []],
  ["xyz", []],
])("the symbols of %s are declarations and methods", async (query, expected) => {
  const { features } = opened({ "/p/api.ridl": api });
  expect((await features.symbols(query)).map(({ name }) => name)).toEqual(expected);
});

test("a type of itself is described by its name from the third level on", async () => {
  const { features } = opened({ "/p/many.ridl": "webrpc = v1\ntype Tree: []Tree\n" }, []);
  const hover = await features.hover("/p/many.ridl", { line: 1, character: 6 });
  expect((hover?.contents as { value: string } | undefined)?.value).toContain("Tree[][]");
});

test.each([
  [999, 999],
  [1_000, 1_000],
  [1_001, 1_000],
])("of %i symbols, %i are listed", async (count, listed) => {
  const text = Array.from({ length: count }, (_, index) => `type T${index}: string\n`).join("");
  const { features } = opened({ "/p/many.ridl": `webrpc = v1\n${text}` }, []);
  expect(await features.symbols("t")).toHaveLength(listed);
});

test.each<[string, string, { line: number; character: number }, readonly string[]]>([
  ["a handler", "/p/handlers/pets.ts", { line: 0, character: 14 }, ["api.ridl 19:5-11"]],
  ["code that names a method", "/p/handlers/pets.ts", { line: 1, character: 14 }, ["api.ridl 21:5-13"]],
  ["other code of the file", "/p/handlers/pets.ts", { line: 0, character: 0 }, []],
  ["a file of another folder", "/p/handlers-old/pets.ts", { line: 0, character: 14 }, []],
])("from %s to the method", async (_case, path, position, expected) => {
  const { features } = opened({ "/p/api.ridl": api });
  expect((await features.definition(path, position)).map(place)).toEqual(expected);
});

test.each([
  [true, { documentChanges: expect.any(Array), changeAnnotations: expect.any(Object) }],
  [false, { changes: expect.any(Object) }],
])("a change on the wire is confirmed if the editor can ask: %s", async (canAsk, expected) => {
  const { features } = opened({ "/p/api.ridl": api });
  const at = { line: 18, character: 6 };
  const edit = await features.rename("/p/api.ridl", at, "ReadPet", canAsk);
  expect(edit).toEqual(expected);
  if (!canAsk) return;
  expect(edit).toMatchObject({
    documentChanges: [
      {
        textDocument: { uri: "file:///p/api.ridl", version: null },
        edits: [{ newText: "ReadPet", annotationId: "wire" }],
      },
    ],
    changeAnnotations: {
      wire: {
        label: "Rename GetPet",
        description: '"GetPet" becomes "ReadPet" in the path of calls',
        needsConfirmation: true,
      },
    },
  });
});

test("what the schema does not declare has no new name", async () => {
  const { features } = opened({ "/p/api.ridl": api });
  for (const position of [
    { line: 0, character: 1 },
    { line: 18, character: 16 },
  ])
    await expect(features.rename("/p/api.ridl", position, "a", true)).rejects.toThrow(
      "Only names that the schema declares can be renamed.",
    );
});

test.each<[string, string, string | undefined]>([
  ["types.ridl", "Pet", undefined],
  ["types.ridl", "nickname", undefined],
  ["types.ridl", "kind", '"kind" becomes "renamed" in JSON'],
  ["types.ridl", "CAT", undefined],
  ["types.ridl", "DOG", '"DOG" becomes "Renamed" in JSON'],
  ["types.ridl", "SMALL", '"SMALL" becomes "Renamed" in JSON'],
  ["types.ridl", "LARGE", undefined],
  [
    "api.ridl",
    "Late",
    '"Late" becomes "Renamed" in responses; clients that use the error code are not affected',
  ],
  ["api.ridl", "Shop", '"Shop" becomes "Renamed" in the path of calls'],
  ["api.ridl", "photo", '"photo" becomes "renamed" in JSON'],
])("in %s, the new name of %s: %s", async (file, word, warning) => {
  const path = `/p/${file}`;
  const text = files[path] ?? "";
  const { features } = opened({ [path]: text });
  const before = text.slice(0, text.search(new RegExp(`\\b${word}\\b(?=[ :(?\\n])`))).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  const name = /^[A-Z]/.test(word) ? "Renamed" : "renamed";
  const edit = await features.rename(path, position, name, true);
  expect(edit.changeAnnotations?.["wire"]?.description).toBe(warning);
});

const whole: Range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
const at = (line: number, from: number, to = from): Range => ({
  start: { line, character: from },
  end: { line, character: to },
});

test.each<[string, Range, readonly (readonly [string, boolean | undefined])[]]>([
  [
    "all",
    whole,
    [
      ['Write "string"', false],
      ['Write "bool"', false],
      ["Apply all 2 fixes in this file", undefined],
    ],
  ],
  [
    "the start of one",
    at(4, 7),
    [
      ['Write "string"', true],
      ["Apply all 2 fixes in this file", undefined],
    ],
  ],
  [
    "the end of one",
    at(4, 12),
    [
      ['Write "string"', true],
      ["Apply all 2 fixes in this file", undefined],
    ],
  ],
  ["before it", at(4, 6), [["Apply all 2 fixes in this file", undefined]]],
  ["behind it", at(4, 14), [["Apply all 2 fixes in this file", undefined]]],
  ["another line", at(3, 7), [["Apply all 2 fixes in this file", undefined]]],
])("fixes in the range of %s", async (_case, range, expected) => {
  const path = "/p/alone.ridl";
  const text = "webrpc = v1\nenum Kind: string\n  - X\nstruct A\n  - a: String\n  - b: Bool\n";
  const { features, workspace } = opened({ [path]: text }, []);
  const found = (await workspace.checkOpen()).get(path) ?? [];
  const actions = await features.actions(path, range, found);
  expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual(expected);
});

test("suggestions are offered one by one, never as preferred, and not with all fixes", async () => {
  const path = "/p/alone.ridl";
  const text =
    "webrpc = v1\nstruct Kind\nstruct A\n  - a: String;\n  - b: Knd\n  - c: Bool\n  - d: Lst<A>\n  - e: number\n";
  const { features, workspace } = opened({ [path]: text }, []);
  const found = (await workspace.checkOpen()).get(path) ?? [];
  const actions = await features.actions(path, whole, found);
  expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
    ['Write "string"', false],
    ['Remove ";"', false],
    ['Write "Kind"', false],
    ['Write "bool"', false],
    ["Apply all 3 fixes in this file", undefined],
  ]);
  const [edit] = Object.values(actions.at(-1)?.edit?.changes ?? {}).flat();
  expect(edit?.newText).toBe("string\n  - b: Knd\n  - c: b");
});

test("one fix alone is not offered twice, and none of another file is", async () => {
  const path = "/p/alone.ridl";
  const { features, workspace } = opened({ [path]: files[path] ?? "" }, []);
  const found = (await workspace.checkOpen()).get(path) ?? [];
  const actions = await features.actions(path, whole, found);
  expect(actions.map(({ title }) => title)).toEqual(['Write "Alone"']);
  expect(await features.actions("/p/types.ridl", whole, found)).toEqual([]);
});

test("a diagnostic has its advice, its notes and its place", () => {
  const file = new SourceFile("/p/a.ridl", "ab\ncd\n");
  const base = { code: "RK401", message: "Wrong.", path: "/p/a.ridl", notes: [] } as const;
  const note = { message: "Here.", at: { file, span: { start: 3, end: 5 } } };
  const diagnostics = [
    {
      ...base,
      severity: "error",
      advice: "Do.",
      at: { file, span: { start: 1, end: 2 } },
      notes: [note, { message: "No." }],
    },
    { ...base, severity: "warning" },
  ] as unknown as readonly Parameters<typeof editorDiagnostic>[0][];
  expect(diagnostics.map(editorDiagnostic)).toEqual([
    {
      range: at(0, 1, 2),
      severity: 1,
      code: "RK401",
      source: "ridlkit",
      message: "Wrong.\nDo.",
      relatedInformation: [{ message: "Here.", location: { uri: "file:///p/a.ridl", range: at(1, 0, 2) } }],
    },
    { range: at(0, 0), severity: 2, code: "RK401", source: "ridlkit", message: "Wrong." },
  ]);
});

test.each([
  [0, 0, 0],
  [0, 2, 2],
  [0, 3, 2],
  [1, 1, 4],
  [2, 0, 6],
  [2, 5, 6],
  [3, 0, 6],
])("line %i, column %i is offset %i", (line, character, offset) => {
  expect(offsetOf(new SourceFile("a", "ab\ncd\n"), { line, character })).toBe(offset);
});

test.each([
  ["file:///a%20b/c.ridl", "/a b/c.ridl"],
  ["untitled:a", undefined],
  ["file:///%2F", undefined],
  ["git:/a.ridl", undefined],
])("the path of %s is %s", (uri, path) => {
  expect(pathOf(uri)).toBe(path);
});

test.each<[string, string, readonly string[]]>([
  ["a file of a schema", "/p/api.ridl", ["/p/api.ridl"]],
  ["a file of two schemas", "/p/types.ridl", ["/p/api.ridl", "/p/other.yaml"]],
  ["a file of none", "/p/alone.ridl", ["/p/alone.ridl"]],
  ["YAML that is no schema", "/p/notes.yaml", []],
  ["a schema in YAML of none", "/p/more.yml", ["/p/more.yml"]],
  ["a script", "/p/a.ts", []],
])("the schemas of %s", async (_case, path, expected) => {
  const { workspace } = opened({ [path]: files[path] ?? "webrpc : v1\nname: a\n" });
  const found = await workspace.schemasOf(path);
  expect(found.map((schema) => schema.path)).toEqual(expected);
  expect(found.every((schema) => schema.lint === "default" && !schema.strict && !schema.hashParity)).toBe(
    true,
  );
});

test("unsaved text counts until the file is closed", async () => {
  const { workspace, features } = opened({ "/p/types.ridl": types.replace("struct Pet", "struct Cat") });
  expect(await features.symbols("cat")).toMatchObject([{ name: "Cat" }]);
  const faults = [...(await workspace.checkOpen()).values()].flat();
  expect(faults.map(({ path, message }) => [path, message])).toEqual([
    ["/p/types.ridl", 'There is no type "Pet".'],
  ]);
  workspace.set("/p/types.ridl", types);
  expect(await features.symbols("cat")).toEqual([]);
  expect([...(await workspace.checkOpen()).keys()]).toEqual([]);
  workspace.close("/p/types.ridl");
  expect([await features.symbols("pet"), [...workspace.texts.keys()]]).toEqual([[], []]);
});

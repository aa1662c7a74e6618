import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { load } from "../../../../generator/language/load.ts";
import { buildScopes } from "../../../../generator/language/model/scope.ts";
import { hoverText } from "../../../../generator/tools/lsp/hover.ts";
import { isDeclared, mentionAt, mentionsIn } from "../../../../generator/tools/lsp/names-in-schema.ts";
import { referencesTo, rename } from "../../../../generator/tools/lsp/references.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const files = {
  "api.yaml": `webrpc: v1
name: shop
version: v1
basepath: /rpc
imports: [types.ridl]
types:
  Names: string[]
  Box:
    fields:
      "pets": Pet[]
      byKind: map<kind,Pet>
errors:
  Gone: { code: 7, message: gone }
services:
  Shop:
    methods:
      Get:
        input: { kind?: Kind }
        output: { box: Box }
        errors: [Gone]
`,
  "types.ridl": `webrpc = v1

enum Kind: string
  - CAT

struct Pet
  - kind: Kind
    + default = CAT
  - other?: Pet

type NewPet: Pet
  + omit = other

type PetPatch: NewPet
  + pick = kind
  + partial = true

struct Toy
  - for: Kind
  - bell?: string
    + when = for.CAT?
`,
};

/** What stands in the place of each mention of what the first `word` of a file means, with its file. */
function renamed(path: keyof typeof files, word: string, name: string) {
  const scopes = buildScopes(load("api.yaml", memoryReader(files)).files);
  const scope = scopes.find(({ file }) => file.source.path === path);
  if (scope === undefined) throw new Error("It cannot be read.");
  const entity = mentionAt(mentionsIn(scope), files[path].indexOf(word))?.entity;
  if (entity === undefined || !isDeclared(entity)) throw new Error(`"${word}" means nothing.`);
  const check = (texts: ReadonlyMap<string, string> = new Map()): readonly Diagnostic[] =>
    compile("api.yaml", memoryReader({ ...files, ...Object.fromEntries(texts) })).diagnostics;
  const done = rename({ entity, name, references: referencesTo(entity, scopes), check });
  const places =
    typeof done === "string"
      ? done
      : done.edits.map(
          ({ source, span }) =>
            `${source.path}:${source.lineAt(span.start)} ${source.text.slice(span.start, span.end)}`,
        );
  return {
    places,
    hover: hoverText(entity, scopes),
    wire: typeof done === "string" ? undefined : done.wireWarning,
  };
}

test("a name is found in RIDL and YAML alike, whatever its letter case and its quotes", () => {
  expect(renamed("types.ridl", "Kind", "Sort")).toMatchObject({
    places: [
      "api.yaml:11 kind",
      "api.yaml:18 Kind",
      "types.ridl:3 Kind",
      "types.ridl:7 Kind",
      "types.ridl:19 Kind",
    ],
    wire: undefined,
  });
  expect(renamed("api.yaml", "Box", "Crate").places).toEqual(["api.yaml:8 Box", "api.yaml:19 Box"]);
  expect(renamed("api.yaml", 'pets"', "animals")).toMatchObject({
    places: ["api.yaml:10 pets"],
    wire: '"pets" becomes "animals" in JSON',
  });
  expect(renamed("types.ridl", "CAT", "CATS").places).toEqual([
    "types.ridl:4 CAT",
    "types.ridl:8 CAT",
    "types.ridl:21 CAT",
  ]);
  expect(renamed("types.ridl", "for", "whom").places).toEqual(["types.ridl:19 for", "types.ridl:21 for"]);
  expect(renamed("api.yaml", "Gone", "Lost").places).toEqual(["api.yaml:13 Gone", "api.yaml:20 Gone"]);
});

test("fields of derived structs are those of their struct", () => {
  expect(renamed("types.ridl", "other", "friend").places).toEqual([
    "types.ridl:9 other",
    "types.ridl:12 other",
  ]);
  expect(renamed("types.ridl", "kind: Kind", "sort").places).toEqual([
    "types.ridl:7 kind",
    "types.ridl:15 kind",
  ]);
  expect(renamed("types.ridl", "NewPet", "Young")).toMatchObject({
    places: ["types.ridl:11 NewPet", "types.ridl:14 NewPet"],
    hover: expect.stringContaining('{ "kind": "CAT" }'),
  });
  expect(renamed("types.ridl", "PetPatch", "Patch").hover).toContain('{ "kind"?: "CAT" }');
});

test("a rename that the schema would not survive is refused with the reason", () => {
  expect(renamed("types.ridl", "Kind", "Pet").places).toContain('"Pet"');
  expect(renamed("types.ridl", "Kind", "kind of").places).toContain("is not a valid name");
  expect(renamed("api.yaml", "Box", "lower").places).toMatch(/lower/);
});

test("a struct that holds itself is written out once more, and no further", () => {
  const { hover } = renamed("types.ridl", "Pet", "Animal");
  expect(hover).toContain('"other"?: { "kind": "CAT", "other"?: ');
  expect(hover.length).toBeLessThan(600);
});

import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../../generator/language/fixes.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { withSuggestions } from "../../../support/suggestions.ts";

const head = "webrpc = v1\nname = pets\nversion = v1.0.0\nbasepath = /rpc\n\n";

function lint(body: string): readonly Diagnostic[] {
  return compile("api.ridl", memoryReader({ "api.ridl": head + body })).diagnostics;
}

function mended(body: string, accept = withSuggestions): string {
  return mendedWhole(head + body, accept).slice(head.length);
}

const noSuggestions: typeof withSuggestions = (diagnostics) => diagnostics;

/** Like `lint --fix`, or like a user who accepts suggestions, too: applies fixes and checks again until none is offered. */
function mendedWhole(whole: string, accept = withSuggestions): string {
  let text = whole;
  for (let round = 0; round < 10; round++) {
    const { diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": text }));
    const [fixed] = applyFixes(accept(diagnostics)).files;
    if (fixed === undefined) break;
    text = fixed.text;
  }
  return text;
}

const pet = "struct Pet\n  - id: uint64\n";
const service = "service Pets\n";
const errors = 'error 1 Lost "lost"\nerror 2 Gone "gone"\n';

/** Typical mistakes of newcomers, and their corrections. */
const oneFix: readonly (readonly [what: string, broken: string, right: string])[] = [
  ["a field called name without its dash", `${pet}  name: string\n`, `${pet}  - name: string\n`],
  ["a field called type without its dash", `${pet}  type?: string\n`, `${pet}  - type?: string\n`],
  ["a field as Go writes lists", "struct A\n  - a: [string]\n", "struct A\n  - a: []string\n"],
  ["bytes as Protobuf writes them", "struct A\n  - a: bytes\n", "struct A\n  - a: []byte\n"],
  ["a list as Java writes it", "struct A\n  - a: List<string>\n", "struct A\n  - a: []string\n"],
  ["a map as Go writes it", "struct A\n  - a: map[string]int32\n", "struct A\n  - a: map<string,int32>\n"],
  ["a map in upper case", "struct A\n  - a: Map<string,int32>\n", "struct A\n  - a: map<string,int32>\n"],
  ["a question mark behind the type", "struct A\n  - a: string?\n", "struct A\n  - a?: string\n"],
  [
    "commas between errors",
    `${service}  - Get() => (id: uint64) errors Lost, Gone\n${errors}`,
    `${service}  - Get() => (id: uint64) errors Lost | Gone\n${errors}`,
  ],
  [
    "a bar without blanks between errors",
    `${service}  - Get() => (id: uint64) errors Lost|Gone\n${errors}`,
    `${service}  - Get() => (id: uint64) errors Lost | Gone\n${errors}`,
  ],
  ["a status behind http in lower case", 'error 1 Lost "lost" http 404\n', 'error 1 Lost "lost" HTTP 404\n'],
  ["a status without HTTP", 'error 1 Lost "lost" 404\n', 'error 1 Lost "lost" HTTP 404\n'],
  [
    "a status without HTTP before a comment",
    'error 1 Lost "lost" 404 # gone\n',
    'error 1 Lost "lost" HTTP 404 # gone\n',
  ],
  [
    "a meta key without its value",
    "struct A\n  - a: string\n    + secret\n",
    "struct A\n  - a: string\n    + secret = true\n",
  ],
  [
    "a meta key without its value before another field",
    "struct A\n  - a: string\n    + deprecated\n  - b: string\n",
    "struct A\n  - a: string\n    + deprecated = true\n  - b: string\n",
  ],
  [
    "a sentence without quotes",
    "struct A\n  - a: string\n    + deprecated = use b\n  - b: string\n",
    'struct A\n  - a: string\n    + deprecated = "use b"\n  - b: string\n',
  ],
  ["a struct declared by type", "type Pet\n  - id: uint64\n", pet],
  ["a word before the keyword", `export ${pet}`, pet],
  [
    "the options of Go's encoder behind a json name",
    "struct A\n  - createdAt: timestamp\n    + json = created_at,omitempty\n",
    "struct A\n  - createdAt: timestamp\n    + json = created_at\n",
  ],
  [
    "the options of Go's encoder behind a field that is left out",
    "struct A\n  - secret: string\n    + json = -,omitempty\n",
    "struct A\n  - secret: string\n    + json = -\n",
  ],
  [
    "error instead of errors behind an answer",
    `${service}  - Get() => (id: uint64) error Lost\n${errors}`,
    `${service}  - Get() => (id: uint64) errors Lost\n${errors}`,
  ],
  [
    "error instead of errors behind a method without an answer",
    `${service}  - Drop(id: uint64) error Lost | Gone\n${errors}`,
    `${service}  - Drop(id: uint64) errors Lost | Gone\n${errors}`,
  ],
  [
    "annotations on two lines below a comment",
    `${service}  # Drops it.\n  @internal\n  @auth:"key"\n  @deprecated:x\n  - Drop(id: uint64)\n`,
    `${service}  # Drops it.\n  @internal @auth:"key" @deprecated:x\n  - Drop(id: uint64)\n`,
  ],
  [
    "a request alone that is a struct",
    `${pet}${service}  - Add(Pet) => (id: uint64, tag?: string)\n`,
    `${pet}${service}  - Add(Pet) => (AddResponse)\n\nstruct AddResponse\n  - id: uint64\n  - tag?: string\n`,
  ],
  [
    "an answer alone that is a struct",
    `${pet}${service}  - get(id: uint64) => (Pet)\n`,
    `${pet}${service}  - get(GetRequest) => (Pet)\n\nstruct GetRequest\n  - id: uint64\n`,
  ],
  [
    "a struct and no answer",
    `${pet}${service}  - Add(Pet)\n`,
    `${pet}${service}  - Add(Pet) => (AddResponse)\n\nstruct AddResponse\n`,
  ],
  [
    "a stream of what is no struct",
    `${pet}${service}  - Watch(Pet) => stream (id: uint64)\n`,
    `${pet}${service}  - Watch(Pet) => stream (WatchResponse)\n\nstruct WatchResponse\n  - id: uint64\n`,
  ],
];

describe("a typical mistake is reported once, and its fix or suggestion corrects it", () => {
  test.each(oneFix)("%s", (_, broken, right) => {
    expect(lint(broken)).toHaveLength(1);
    expect(mended(broken)).toBe(right);
    expect(lint(right)).toEqual([]);
  });
});

test("a sentence without quotes is read as a whole", () => {
  const found = lint("struct A\n  - a: string\n    + maxLength = 5\n    + default = long text\n");
  expect(found.map(({ code }) => code).toSorted()).toEqual(["RK101", "RK408"]);
});

test("a comment as C writes it gets advice", () => {
  expect(lint("/* Pets. */\nstruct A\n  - a: string\n")).toMatchObject([
    { code: "RK101", advice: 'A comment starts with "#", on each of its lines.' },
  ]);
});

/** Schemas in the style of other languages, with an error in each line. */
const wholes: readonly (readonly [what: string, broken: string, right: string])[] = [
  [
    "a message of Protocol Buffers",
    "message Pet {\n  string name = 1;\n  repeated uint64 ids = 2;\n}\n",
    "struct Pet\n  - name: string\n  - ids: []uint64\n\n",
  ],
  [
    "a type of GraphQL",
    "type Pet {\n  name: String\n  type: String\n}\n",
    "struct Pet\n  - name: string\n  - type: string\n\n",
  ],
  [
    "an interface of TypeScript",
    "export interface Pet {\n  id: double;\n  name?: string;\n  tags: string[];\n}\n",
    "struct Pet\n  - id: float64\n  - name?: string\n  - tags: []string\n\n",
  ],
  [
    "a service of Protocol Buffers",
    `${pet}service Pets {\n  rpc Get(Pet) returns (Pet);\n}\n`,
    `${pet}service Pets\n  - Get(Pet) => (Pet)\n\n`,
  ],
];

describe("fixes convert a schema from another language", () => {
  test.each(wholes)("%s", (_, broken, right) => {
    expect(mended(broken, noSuggestions)).toBe(right);
    expect(lint(right)).toEqual([]);
  });
});

test.each([
  ["on the next line", "\n"],
  ["on the line", " "],
])("a declaration %s of a method gets an empty line", (_, between) => {
  const method = `${pet}${service}  - Get(Pet) => (Pet)`;
  expect(mended(`${method}${between}error 1 Lost "lost"\n`).replace(/ +$/m, "")).toBe(
    `${method}\n\nerror 1 Lost "lost"\n`,
  );
});

test.each([
  ["a number", "struct A\n  - a: 5\n"],
  ["a type parameter", "struct A\n  - a: K\n"],
])("nothing is proposed in the place of %s", (_, broken) => {
  const [only] = lint(broken);
  expect(only?.message).toMatch(/There is no type/);
  expect([only?.advice, only?.fix]).toEqual(["Declare it, or import the file that does.", undefined]);
});

test.each([
  [
    "a comment between annotations",
    `${service}  # Drops it.\n  @internal\n  # more\n  @auth\n  - Drop(id: uint64)\n`,
  ],
  ["a name that is taken", `${pet}struct AddResponse\n${service}  - Add(Pet) => (id: uint64)\n`],
  ["no name before the options", "struct A\n  - a: string\n    + json = ,omitempty\n"],
])("%s is told and left alone", (_, body) => {
  expect(lint(body)).not.toEqual([]);
  expect(mended(body)).toBe(body);
});

test("a response without a closing parenthesis is closed first, and then declared as a struct", () => {
  expect(mended(`${pet}${service}  - Add(Pet) => (id: uint64\n`)).toBe(
    `${pet}${service}  - Add(Pet) => (AddResponse)\n\nstruct AddResponse\n  - id: uint64\n`,
  );
});

test("an unknown language version is replaced by v1", () => {
  for (const version of ["v2", "v1.0", '"2"'])
    expect(mendedWhole(`webrpc = ${version}\nname = pets\n`)).toBe("webrpc = v1\nname = pets\n");
});

test("a duplicate enum value is reported once, as a value", () => {
  const found = lint("enum Kind: string\n  - cat\n  - dog\n  - cat\n");
  expect(found.map(({ message }) => message)).toEqual(['"Kind" has two values named "cat".']);
});

test("for a struct that requires itself, the message names the field to make optional", () => {
  const [only] = lint("struct A\n  - id: uint64\n  - b: B\nstruct B\n  - a: A\n");
  expect(only?.advice).toContain('"b?: B"');
});

test("a name on the wire that two fields share is reported at both fields", () => {
  const [only] = lint("struct A\n  - a: string\n    + json = b\n  - b: string\n");
  expect(only?.notes.map(({ message }) => message)).toEqual(['"a" already has this name.']);
});

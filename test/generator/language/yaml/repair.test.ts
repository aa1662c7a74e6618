import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { applyFixes } from "../../../../generator/language/diagnostics/fixes.ts";
import { applyEdits } from "../../../../generator/language/yaml/repair/repair.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const schema = `webrpc: v1
name: shop
version: v1
basepath: /rpc

types:
  # What is sold.
  Kind:
    enum: string
    values: [cat, dog]

  Pet:
    fields:
      id: uint64
      # Others call it so.
      name: string
      kinds: Kind[]
      names:
        type: map<string,string>
        json: names_

errors:
  NotFound: { code: 100, message: not found, status: 404 }

services:
  Shop:
    methods:
      Get:
        annotations: [internal, auth: "key,jwt"]
        input: { filter: "map<string,string[]>", limit: uint32 }
        output: { pets: "Pet[]" }
        errors: [NotFound]

      Put:
        input: { pet: Pet }
`;

/** The mistake, the original text, the changed text, and a part of the expected message. */
const rows: readonly (readonly [slip: string, was: string, is: string, says: string])[] = [
  ["the first entry one space too far in", "    enum:", "     enum:", '"enum" is indented by 5 spaces, its sibling entries by 4'],
  ["a later entry one space too far in", "      name: s", "       name: s", '"name" is indented by 7 spaces, its sibling entries by 6'],
  ["the first entry one space too far out", "      id:", "     id:", '"id" is indented by 5 spaces, its sibling entries by 6'],
  ["a type one space too far in", "  Pet:", "   Pet:", '"Pet" is indented by 3 spaces, its sibling entries by 2'],
  ["a method two spaces too far out", "      Get:", "    Get:", '"Get" is indented by 4 spaces, its sibling entries by 6'],
  ["a method three spaces too far in", "      Put:", "         Put:", '"Put" is indented by 9 spaces, its sibling entries by 6'],
  ["a tab among spaces", "      name: s", "    \t   name: s", '"name" is indented with a tab, but YAML requires spaces'],
  ["a tab", "      kinds", "\t\t\tkinds", "tabs cannot be used for indentation"],
  ["no colon above a block", "fields:", "fields", 'a colon is missing after "fields"'],
  ["no colon before a brace", "output: {", "output {", 'a colon is missing after "output"'],
  ["no colon before a quote within braces", 'filter: "', 'filter "', 'a colon is missing after "filter"'],
  ["no colon before a word", "code: 100", "code 100", 'A colon is missing after "code"'],
  ["no blank behind a colon before a brace", "output: {", "output:{", "a space is missing after the colon"],
  ["no blank behind a colon before a quote", 'pets: "', 'pets:"', "a space is missing after the colon"],
  ["no blank behind a colon in what is YAML", "status: 404", "status:404", "A space is missing after the colon"],
  ["an equal sign above a block", "fields:", "fields=", '"=" follows "fields"'],
  ["an equal sign within braces", 'filter: "', 'filter = "', '"=" follows "filter"'],
  ["a semicolon for a colon", "name: string", "name; string", '";" follows "name"'],
  ["no opening quote", '"Pet[]"', 'Pet[]"', "the opening quote is missing"],
  ["no opening quote in what is YAML", '"key,jwt"', 'key,jwt"', "The opening quote is missing"],
  ["no closing quote", '"key,jwt"', '"key,jwt', "the closing quote is missing"],
  ["no closing quote before a comma", 'string[]>"', "string[]>", "the closing quote is missing"],
  ["no opening bracket", "[NotFound]", "NotFound]", '"]" has no opening "["'],
  ["no opening bracket of a list type", "kinds: Kind[]", "kinds: Kind]", '"]" has no opening "["'],
  ["no closing bracket", "[cat, dog]", "[cat, dog", '"[" is not closed'],
  ["no opening brace", "{ pet: Pet }", "pet: Pet }", '"}" has no opening "{"'],
  ["no closing brace", "{ pet: Pet }", "{ pet: Pet", '"{" is not closed'],
  ["a comma at the end of a line", "id: uint64", "id: uint64,", 'line ends with ","'],
  ["a semicolon at the end of a line", "fields:", "fields:;", 'line ends with ";"'],
  ["a dash before an entry of a map", "    enum:", "    - enum:", 'do not start with "-"'],
]; // biome-ignore format: one row a line

test.each(rows)("%s is reported on its line, and the fix restores the original", (_, was, is, says) => {
  const at = schema.indexOf(was);
  const text = schema.slice(0, at) + is + schema.slice(at + was.length);
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
  const [first] = diagnostics;
  expect(first?.at?.file.lineAt(first.at.span.start)).toBe(text.slice(0, at).split("\n").length);
  expect(`${first?.message} ${first?.advice}`).toContain(says);
  expect(applyFixes(diagnostics.slice(0, 1)).files.map((file) => file.text)).toEqual([schema]);
});

test.each([
  [999, true],
  [1_000, true],
  [1_001, false],
])("a slip on a line of %i characters, with its break, is found: %j", (length, isFound) => {
  const line = /^.*status: 404.*\n/m.exec(schema)?.[0] ?? "";
  const slip = line.replace("status: 404", "status:404").trimEnd();
  const long = `${slip} # ${"x".repeat(length - slip.length - 4)}\n`;
  expect(long).toHaveLength(length);
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": schema.replace(line, long) }));
  const said = diagnostics.map(({ message, advice }) => `${message} ${advice}`).join("\n");
  expect(said.includes("A space is missing after the colon")).toBe(isFound);
});

test("the schema without mistakes is valid", () => {
  expect(compile("t.yaml", memoryReader({ "t.yaml": schema })).diagnostics).toEqual([]);
});

test("a misplaced block is moved back with its comments", () => {
  const block = /^ {2}Pet:\n(?: {4}.*\n)+/m.exec(schema)?.[0] ?? "";
  const text = schema.replace(block, block.replace(/^/gm, " ").trimEnd().concat("\n"));
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
  expect(diagnostics).toHaveLength(1);
  expect(applyFixes(diagnostics).files[0]?.text).toBe(schema);
});

test("two mistakes are reported and fixed one after the other", () => {
  let text = schema.replace("    enum:", "     enum:").replace("output: {", "output {");
  const said: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
    said.push(...diagnostics.map(({ message }) => message));
    text = applyFixes(diagnostics).files[0]?.text ?? text;
  }
  expect(text).toBe(schema);
  expect(said).toHaveLength(2);
});

test("edits of several lines are applied, in any order", () => {
  const text = "a\nb\nc";
  const edit = (at: number, inserted: string) => ({ span: { start: at, end: at }, text: inserted });
  const indented = "  a\n b\n   c";
  expect(applyEdits(text, [edit(0, "  "), edit(2, " "), edit(4, "   ")])).toBe(indented);
  expect(applyEdits(text, [edit(4, "   "), edit(0, "  "), edit(2, " ")])).toBe(indented);
});

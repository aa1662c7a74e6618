import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { applyFixes } from "../../../../generator/language/diagnostics/fixes.ts";
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

/** What was slipped, what stood there and what stands there now, and what is said of it. */
const rows: readonly (readonly [slip: string, was: string, is: string, says: string])[] = [
  ["the first entry one blank too far in", "    enum:", "     enum:", '"enum" stands 5 blanks in, the entries beside it 4'],
  ["a later entry one blank too far in", "      name: s", "       name: s", '"name" stands 7 blanks in, the entries beside it 6'],
  ["the first entry one blank too far out", "      id:", "     id:", '"id" stands 5 blanks in, the entries beside it 6'],
  ["a type one blank too far in", "  Pet:", "   Pet:", '"Pet" stands 3 blanks in, the entries beside it 2'],
  ["a method two blanks too far out", "      Get:", "    Get:", '"Get" stands 4 blanks in, the entries beside it 6'],
  ["a method three blanks too far in", "      Put:", "         Put:", '"Put" stands 9 blanks in, the entries beside it 6'],
  ["a tab", "      kinds", "\t\t\tkinds", "a tab cannot indent"],
  ["no colon above a block", "fields:", "fields", 'a colon is missing behind "fields"'],
  ["no colon before a brace", "output: {", "output {", 'a colon is missing behind "output"'],
  ["no colon before a quote within braces", 'filter: "', 'filter "', 'a colon is missing behind "filter"'],
  ["no colon before a word", "code: 100", "code 100", 'A colon is missing behind "code"'],
  ["no blank behind a colon before a brace", "output: {", "output:{", "a blank is missing behind the colon"],
  ["no blank behind a colon before a quote", 'pets: "', 'pets:"', "a blank is missing behind the colon"],
  ["no blank behind a colon in what is YAML", "status: 404", "status:404", "A blank is missing behind the colon"],
  ["an equal sign above a block", "fields:", "fields=", '"=" stands behind "fields"'],
  ["an equal sign within braces", 'filter: "', 'filter = "', '"=" stands behind "filter"'],
  ["a semicolon for a colon", "name: string", "name; string", '";" stands behind "name"'],
  ["no opening quote", '"Pet[]"', 'Pet[]"', "the quotes are not opened"],
  ["no opening quote in what is YAML", '"key,jwt"', 'key,jwt"', "The quotes are not opened"],
  ["no closing quote", '"key,jwt"', '"key,jwt', "the quotes are not closed"],
  ["no closing quote before a comma", 'string[]>"', "string[]>", "the quotes are not closed"],
  ["no opening bracket", "[NotFound]", "NotFound]", '"]" closes what nothing opens'],
  ["no opening bracket of a list type", "kinds: Kind[]", "kinds: Kind]", '"]" closes what nothing opens'],
  ["no closing bracket", "[cat, dog]", "[cat, dog", '"[" is not closed'],
  ["no opening brace", "{ pet: Pet }", "pet: Pet }", '"}" closes what nothing opens'],
  ["no closing brace", "{ pet: Pet }", "{ pet: Pet", '"{" is not closed'],
  ["a comma at the end of a line", "id: uint64", "id: uint64,", '"," stands at the end of the line'],
  ["a semicolon at the end of a line", "fields:", "fields:;", '";" stands at the end of the line'],
  ["a dash before an entry of a map", "    enum:", "    - enum:", 'start without "-"'],
]; // biome-ignore format: one row a line

test.each(rows)("%s is told on its line, and the fix gives back what was meant", (_, was, is, says) => {
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
  expect(said.includes("A blank is missing behind the colon")).toBe(isFound);
});

test("the schema that the slips are made in is valid", () => {
  expect(compile("t.yaml", memoryReader({ "t.yaml": schema })).diagnostics).toEqual([]);
});

test("a block that was moved is moved back with its comments", () => {
  const block = /^ {2}Pet:\n(?: {4}.*\n)+/m.exec(schema)?.[0] ?? "";
  const text = schema.replace(block, block.replace(/^/gm, " ").trimEnd().concat("\n"));
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
  expect(diagnostics).toHaveLength(1);
  expect(applyFixes(diagnostics).files[0]?.text).toBe(schema);
});

test("of two slips each is told and mended in its turn", () => {
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

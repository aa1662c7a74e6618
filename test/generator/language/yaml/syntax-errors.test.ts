import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
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

/** The mistake, the original text, the changed text, the line of the error relative to that of the mistake, and the message. */
const rows: readonly (readonly [slip: string, was: string, is: string, line: number, says: string])[] = [
  ["the first entry one space too far in", "    enum:", "     enum:", 1, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
  ["a later entry one space too far in", "      name: s", "       name: s", -1, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
  ["the first entry one space too far out", "      id:", "     id:", 2, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
  ["a type one space too far in", "  Pet:", "   Pet:", -1, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
  ["a method two spaces too far out", "      Get:", "    Get:", 5, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
  ["a method three spaces too far in", "      Put:", "         Put:", -1, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
  ["a tab among spaces", "      name: s", "    \t   name: s", 0, "The file is not valid YAML: tabs cannot be used for indentation. Indent with spaces."],
  ["a tab", "      kinds", "\t\t\tkinds", 0, "The file is not valid YAML: tabs cannot be used for indentation. Indent with spaces."],
  ["no colon above a block", "fields:", "fields", 0, 'The file is not valid YAML: a colon is missing on this line. Write "key: value", or "key:" above the indented lines.'],
  ["no colon before a brace", "output: {", "output {", 0, 'The file is not valid YAML: "}" has no opening "{". Write "{" after a colon and a space, or remove "}".'],
  ["no colon before a quote within braces", 'filter: "', 'filter "', 0, 'The file is not valid YAML: a comma is missing between two items. Separate items with commas, and write entries as "key: value".'],
  ["no colon before a word", "code: 100", "code 100", 0, 'There is no key "code 100" in the error "NotFound". The keys are docs, code, message, status.'],
  ["no blank behind a colon before a brace", "output: {", "output:{", 0, 'The file is not valid YAML: "}" has no opening "{". Write "{" after a colon and a space, or remove "}".'],
  ["no blank behind a colon before a quote", 'pets: "', 'pets:"', 0, "The file is not valid YAML: this quote is not closed. Start and end the value with the same quote, and write a space before it."],
  ["no blank behind a colon in what is YAML", "status: 404", "status:404", 0, 'There is no key "status:404" in the error "NotFound". Did you mean "status"?'],
  ["an equal sign above a block", "fields:", "fields=", 0, 'The file is not valid YAML: a colon is missing on this line. Write "key: value", or "key:" above the indented lines.'],
  ["an equal sign within braces", 'filter: "', 'filter = "', 0, 'The file is not valid YAML: a comma is missing between two items. Separate items with commas, and write entries as "key: value".'],
  ["a semicolon for a colon", "name: string", "name; string", 0, 'The file is not valid YAML: a colon is missing on this line. Write "key: value", or "key:" above the indented lines.'],
  ["no opening quote", '"Pet[]"', 'Pet[]"', 0, "The file is not valid YAML: this quote is not closed. Start and end the value with the same quote, and write a space before it."],
  ["no opening quote in what is YAML", '"key,jwt"', 'key,jwt"', 0, 'The name of an annotation cannot be "jwt"". A name starts with a letter, a digit or "_", and contains no space, bracket, quote, colon, comma, "=", "?", "!" or backslash.'],
  ["no closing quote", '"key,jwt"', '"key,jwt', 0, "The file is not valid YAML: this quote is not closed. Start and end the value with the same quote, and write a space before it."],
  ["no closing quote before a comma", 'string[]>"', "string[]>", 0, "The file is not valid YAML: this quote is not closed. Start and end the value with the same quote, and write a space before it."],
  ["no opening bracket", "[NotFound]", "NotFound]", 0, '"errors" must be a list of names, found "NotFound]". Write it as a list: [NotFound]].'],
  ["no opening bracket of a list type", "kinds: Kind[]", "kinds: Kind]", 0, '"Kind]" is not a type. Write Name, T[] or map<K,V>.'],
  ["no closing bracket", "[cat, dog]", "[cat, dog", 0, 'The file is not valid YAML: "[" is not closed. Add "]".'],
  ["no opening brace", "{ pet: Pet }", "pet: Pet }", 0, "The file is not valid YAML: a second colon on this line starts another entry. Put the entry on a line of its own, or quote the value."],
  ["no closing brace", "{ pet: Pet }", "{ pet: Pet", 0, 'The file is not valid YAML: "{" is not closed. Add "}".'],
  ["a comma at the end of a line", "id: uint64", "id: uint64,", 0, '"uint64," is not a type. Write "id: uint64".'],
  ["a semicolon at the end of a line", "fields:", "fields:;", 0, 'The file is not valid YAML: a space is missing after the colon. Write "key: value".'],
  ["a dash before an entry of a map", "    enum:", "    - enum:", 1, "The file is not valid YAML: this line is indented differently from the lines around it. Give all entries of a map or a list the same indentation."],
]; // biome-ignore format: one row a line

test.each(rows)("%s", (_, was, is, line, says) => {
  const at = schema.indexOf(was);
  const text = schema.slice(0, at) + is + schema.slice(at + was.length);
  const { diagnostics } = compile("t.yaml", memoryReader({ "t.yaml": text }));
  const [first] = diagnostics;
  expect(first?.at?.file.lineAt(first.at.span.start)).toBe(text.slice(0, at).split("\n").length + line);
  expect(`${first?.message} ${first?.advice}`).toBe(says);
});

test("the schema without mistakes is valid", () => {
  expect(compile("t.yaml", memoryReader({ "t.yaml": schema })).diagnostics).toEqual([]);
});

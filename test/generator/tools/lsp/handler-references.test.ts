import { expect, test } from "vitest";
import type { HandlerReference } from "../../../../generator/tools/lsp/language-server-host.ts";
import { referenceAt } from "../../../../generator/tools/lsp/references.ts";

const path = "handlers/pets.ts";
const text = "// Pets\n  add,\n  get,\n";
const reference = (method: string): HandlerReference => {
  const start = text.indexOf(method);
  const span = { start, end: start + method.length };
  return { service: "Pets", method, path, text, span, isHandler: true };
};

test.each([
  [1, undefined],
  [2, "add"],
  [5, "add"],
  [6, undefined],
])("in a file of two methods, character %i of a line belongs to %s", (character, method) => {
  const found = referenceAt(path, { line: 1, character }, [reference("add"), reference("get")]);
  expect(found?.method).toBe(method);
});

test.each([
  [path, "add"],
  ["handlers/users.ts", undefined],
])("in a file of one method, each position belongs to that method: %s", (at, method) => {
  expect(referenceAt(at, { line: 0, character: 0 }, [reference("add")])?.method).toBe(method);
});

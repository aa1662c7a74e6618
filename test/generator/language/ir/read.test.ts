import { expect, test } from "vitest";
import { readIr } from "../../../../generator/language/ir/read.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";

const many = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ name: `a${index}`, type: "Pet" }));

test.each([
  [0, 0, []],
  [1, 1, []],
  [2, 1, ["ir-succinct"]],
  [1, 2, ["ir-succinct"]],
])("a succinct method with %i inputs and %i outputs: %j", (inputs, outputs, found) => {
  const methods = [{ name: "Get", succinct: true, inputs: many(inputs), outputs: many(outputs) }];
  const types = [{ kind: "struct", name: "Pet", fields: [{ name: "id", type: "int" }] }];
  const text = JSON.stringify({ webrpc: "v1", name: "t", types, services: [{ name: "Pets", methods }] });
  expect(readIr(new SourceFile("api.json", text)).diagnostics.map(({ name }) => name)).toEqual(found);
});

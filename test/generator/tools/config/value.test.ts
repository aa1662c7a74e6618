import { expect, test } from "vitest";
import { type ConfigNode, describe as described } from "../../../../generator/tools/config/node.ts";
import { nodeOfValue } from "../../../../generator/tools/config/value.ts";

/** `nested(2)` → `{ a: { a: 1 } }`. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

function innermost(node: ConfigNode): ConfigNode {
  const [entry] = node.kind === "object" ? node.entries : [];
  return entry === undefined ? node : innermost(entry.value);
}

test.each([
  [7, { kind: "number", value: 1 }],
  [8, { kind: "number", value: 1 }],
  [9, { kind: "other", what: "an object nested too deeply" }],
])("objects within objects, %i of them, end in %j", (levels, end) => {
  expect(innermost(nodeOfValue(nested(levels)))).toEqual(end);
});

test("an object that holds itself comes to an end", () => {
  const own: Record<string, unknown> = {};
  own["a"] = own;
  expect(innermost(nodeOfValue(own))).toMatchObject({ kind: "other" });
});

test.each([
  [39, `"${"x".repeat(39)}"`],
  [40, `"${"x".repeat(40)}"`],
  [41, "a string"],
])("a string of %i characters is described as %s", (length, words) => {
  expect(described({ kind: "string", value: "x".repeat(length) })).toBe(words);
});

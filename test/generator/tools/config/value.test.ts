import { expect, test } from "vitest";
import {
  type ConfigNode,
  describe as described,
  nodeOfValue,
} from "../../../../generator/tools/config/read.ts";

/** `nested(2, object)` → `{ a: { a: 1 } }`. */
function nested(levels: number, around: (value: unknown) => unknown): unknown {
  return levels === 0 ? 1 : around(nested(levels - 1, around));
}

const object = (a: unknown): unknown => ({ a });
const list = (item: unknown): unknown => [item];

function innermost(node: ConfigNode): ConfigNode {
  const [inner] =
    node.kind === "object" ? node.entries.map(({ value }) => value) : node.kind === "array" ? node.items : [];
  return inner === undefined ? node : innermost(inner);
}

test.each([
  [7, { kind: "number", value: 1 }],
  [8, { kind: "number", value: 1 }],
  [9, { kind: "other", what: "an object nested too deeply" }],
])("objects within objects and lists within lists, %i of them, end in %j", (levels, end) => {
  expect(innermost(nodeOfValue(nested(levels, object)))).toEqual(end);
  expect(innermost(nodeOfValue(nested(levels, list)))).toEqual(end);
});

test("an object or a list that holds itself comes to an end", () => {
  const own: Record<string, unknown> = {};
  own["a"] = own;
  expect(innermost(nodeOfValue(own))).toMatchObject({ kind: "other" });
  const items: unknown[] = [];
  items.push(items);
  expect(innermost(nodeOfValue(items))).toMatchObject({ kind: "other" });
});

test.each([
  [39, `"${"x".repeat(39)}"`],
  [40, `"${"x".repeat(40)}"`],
  [41, "a string"],
])("a string of %i characters is described as %s", (length, words) => {
  expect(described({ kind: "string", value: "x".repeat(length) })).toBe(words);
});

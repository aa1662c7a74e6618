import { describe, expect, test } from "vitest";
import { parseJson, printJson } from "../../../generator/explorer/page/json/node.ts";

describe("JSON on the page", () => {
  test.each([
    ["[]", "[]"],
    ["{}", "{}"],
    ["[1,2]", "[1, 2]"],
    ['{"a":1}', '{ "a": 1 }'],
    ['{"a":[1]}', '{\n  "a": [1]\n}'],
    ["[[1],[2]]", "[\n  [1],\n  [2]\n]"],
    ["[1.5,true,null]", "[1.5, true, null]"],
    [`["${"x".repeat(56)}"]`, `["${"x".repeat(56)}"]`],
    [`["${"x".repeat(57)}"]`, `[\n  "${"x".repeat(57)}"\n]`],
  ])("%s is printed as %j", (written, expected) => {
    expect(printJson(parseJson(written))).toBe(expected);
  });

  test.each([
    ['{\n"a" 1}', 'line 2: unexpected "1}"', 2],
    ["[1,\n\n", "line 3: unexpected end", 3],
    ["nulls and some more text", 'line 1: unexpected "s and some m"', 1],
  ])("%j is refused: %s", (written, message, line) => {
    expect(() => parseJson(written)).toThrow(expect.objectContaining({ message, line }));
  });
});

import { describe, expect, test } from "vitest";
import {
  JsonSyntaxError,
  parseJson,
  printJson,
  writeJson,
} from "../../../generator/explorer/page/json/node.ts";
import { seededRandom } from "../../support/random.ts";

describe("JSON of the page", () => {
  test.each([
    '{"a":[1,2.50,-0,1e400],"b":{"c":null},"d":"\\u0000\\"é"}',
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    "[[],{},[[]],true,false]",
    '"\\ud800"',
  ])("keeps every digit and sign of %s", (text) => {
    expect(writeJson(parseJson(text))).toBe(text);
  });

  test("reads texts of any length", () => {
    const text = JSON.stringify({ a: '\\"\n'.repeat(1_000_000), b: "\\" });
    expect(writeJson(parseJson(text)) === text).toBe(true);
  });

  test("reads what JSON.parse reads, and refuses what it refuses", () => {
    const random = seededRandom(7);
    const signs = [
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"a"',
      "1",
      "-",
      ".5",
      "e3",
      "true",
      "null",
      " ",
      '"',
      "\\",
      "0",
    ];
    for (let turn = 0; turn < 20_000; turn++) {
      const text = Array.from({ length: 1 + random.below(7) }, () => random.pick(signs)).join("");
      const theirs = attempt(() => JSON.stringify(JSON.parse(text)));
      const ours = attempt(() => JSON.stringify(JSON.parse(writeJson(parseJson(text)))));
      expect(ours, text).toBe(theirs);
    }
  });

  test.each([
    [200, true],
    [201, true],
    [202, false],
  ])("of %i lists within lists is read: %s", (count, isRead) => {
    const lists = "[".repeat(count) + "]".repeat(count);
    const objects = `${'{"a":'.repeat(count - 1)}{}${"}".repeat(count - 1)}`;
    for (const text of [lists, objects])
      expect(attempt(() => writeJson(parseJson(text)))).toBe(isRead ? text : "refused");
  });

  test("reports the line of a syntax error", () => {
    expect(() => parseJson('{\n  "a": 1,\n  b\n}')).toThrow(new JsonSyntaxError("\n\nb\n}", 2));
  });

  test("prints short values on one line, and indents the rest", () => {
    expect(printJson(parseJson('{"a":[1,2],"b":{"c":"d"},"e":[]}'))).toBe(
      '{\n  "a": [1, 2],\n  "b": { "c": "d" },\n  "e": []\n}',
    );
  });
});

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "refused";
  }
}

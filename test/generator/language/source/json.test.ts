import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { type JsonNode, maxJsonDepth, parseJson } from "../../../../generator/language/source/json.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";
import { seededRandom } from "../../../support/random.ts";

function parse(text: string) {
  return parseJson(new SourceFile("x.json", text));
}

test.each([
  ["", 0, 0, "expected a value, found the end of the file"],
  ["{", 1, 1, 'expected a key in quotes or "}", found the end of the file'],
  ['{"a" 1}', 5, 6, 'expected ":", found "1"'],
  ['{"a":1,}', 7, 8, 'expected a key in quotes, found "}"'],
  ["{a:1}", 1, 2, 'expected a key in quotes or "}", found "a"'],
  ["{toString:1}", 1, 9, 'expected a key in quotes or "}", found "toString"'],
  ["[1,]", 3, 4, 'expected a value, found "]"'],
  ["[1 2]", 3, 4, 'expected "," or "]", found "2"'],
  ['[1 "x"]', 3, 4, 'expected "," or "]", found a string'],
  ["[1}", 2, 3, 'expected "," or "]", found "}"'],
  ["1 2", 2, 3, 'expected nothing more, found "2"'],
  ["01", 1, 2, 'expected nothing more, found "1"'],
  ["-", 0, 1, 'expected a value, found "-"'],
  ["truth", 0, 5, 'expected a value, found "truth"'],
  ["trueish", 4, 7, 'expected nothing more, found "ish"'],
  ["\ufeff1", 0, 1, "expected a value, found a byte order mark"],
  ["\u{1f600}", 0, 2, 'expected a value, found "\u{1f600}"'],
  ['"ab', 0, 3, "the string has no closing quote"],
  ['"a\nb"', 0, 2, "the string has no closing quote"],
  ['"a\\', 2, 3, "this is not a valid escape"],
  ['"\\x"', 1, 3, "this is not a valid escape"],
  ['"\\u00g0"', 1, 3, "this is not a valid escape"],
  ['"\t"', 1, 2, "a control character must be escaped in a string"],
])("%j is refused at its place", (text, start, end, message) => {
  expect(parse(text)).toEqual({ fault: { message, span: { start, end } } });
});

test("values have spans, and strings keep their spelling", () => {
  expect(parse(' {"a\\n": [1e2, "\\u00e9"], "a\\n": null}')).toEqual({
    value: {
      kind: "object",
      span: { start: 1, end: 38 },
      entries: [
        {
          key: "a\n",
          keySpan: { start: 2, end: 7 },
          value: {
            kind: "array",
            span: { start: 9, end: 24 },
            items: [
              { kind: "number", value: 100, raw: "1e2", span: { start: 10, end: 13 } },
              { kind: "string", value: "é", raw: "\\u00e9", span: { start: 15, end: 23 } },
            ],
          },
        },
        {
          key: "a\n",
          keySpan: { start: 26, end: 31 },
          value: { kind: "null", span: { start: 33, end: 37 } },
        },
      ],
    },
  });
});

test("deep nesting is an error, not a stack overflow", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(parse(nested(maxJsonDepth)).fault).toBeUndefined();
  expect(parse(nested(maxJsonDepth + 1)).fault?.span.start).toBe(maxJsonDepth);
  expect(parse('{"a":'.repeat(1_000_000)).fault?.message).toBe(
    "values are nested more than 1000 levels deep",
  );
});

test("accepts the same texts as JSON.parse, with the same values", () => {
  const seed = 20_240_601;
  const random = seededRandom(seed);
  const counts = { read: 0, refused: 0 };
  for (let round = 0; round < 100_000; round++) {
    const text = Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces)).join("");
    const native = attempt(text);
    const { value, fault } = parse(text);
    const ours = value === undefined ? { refused: fault !== undefined } : { value: plain(value) };
    // A matcher for each text takes longer than reading it.
    if (!isDeepStrictEqual(ours, native)) expect.fail(`${JSON.stringify(text)} differs, seed ${seed}`);
    counts[value === undefined ? "refused" : "read"]++;
  }
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(1_000);
});

const pieces = [
  ...'{}[],:"-.0 \n\t',
  '"a"',
  "\\",
  "\\u",
  '"\\ud83d"',
  "12",
  "e",
  "E+",
  "true",
  "null",
  "\u0001",
  "é",
];

function attempt(text: string): { refused: true } | { value: unknown } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { refused: true };
  }
}

function plain(node: JsonNode): unknown {
  if (node.kind === "object")
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  if (node.kind === "array") return node.items.map(plain);
  return node.kind === "null" ? null : node.value;
}

import { expect, test } from "vitest";
import { matchingText } from "../../../../generator/verify/samples/pattern-text.ts";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";

/** All texts that are generated for a pattern, sorted by length and alphabet. */
function textsOf(pattern: string): string[] {
  const random = seededRandom(3);
  const found = new Set(Array.from({ length: 300 }, () => matchingText(pattern, random)));
  return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

const digits = [..."0123456789"];

test.each([
  ["^a?$", ["", "a"]],
  ["^a*$", ["", "a", "aa", "aaa"]],
  ["^a+$", ["a", "aa", "aaa", "aaaa"]],
  ["^a{2}$", ["aa"]],
  ["^a{1,3}$", ["a", "aa", "aaa"]],
  ["^a{0,1}$", ["", "a"]],
  ["^a{2,}$", ["aa", "aaa", "aaaa", "aaaaa"]],
  ["^[a-c]$", ["a", "b", "c"]],
  ["^(x|y|z)$", ["x", "y", "z"]],
  ["^(?:x|y)(?<name>z)(?!a)$", ["xz", "yz"]],
  ["^[\\d]\\.\\b$", digits.map((digit) => `${digit}.`)],
])("of %s come all of %j", (pattern, texts) => {
  expect(textsOf(pattern)).toEqual(texts);
});

import { expect, test } from "vitest";
import { columnsOf, endWithin, startWithin } from "../../../../generator/language/diagnostics/visible.ts";

test.each([
  ["a", 1],
  ["é", 1],
  ["e\u0301", 1],
  ["\u200d", 0],
  ["\u2500", 1],
  ["日本", 4],
  ["ｱ", 1],
  ["Ａ", 2],
  ["⌚", 2],
  ["🎉", 2],
  ["\u{17000}", 2],
  ["\u{1f7e0}", 2],
])("%s has %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test.each([
  [3, "日", "語"],
  [4, "日本", "本語"],
])("of three wide characters, %i columns fit", (columns, start, end) => {
  expect([startWithin("日本語", columns), endWithin("日本語", columns)]).toEqual([start, end]);
});

import { expect, test } from "vitest";
import { PageCursorCache } from "../../../../server/market/records/orders/page-cursor-cache.ts";

const end = ["0"];

test.each([
  [299_999, end],
  [300_000, end],
  [300_001, undefined],
])("%i ms after a page was served its end is known as %j", (ms, known) => {
  let now = 0;
  const ends = new PageCursorCache(() => now);
  ends.set("list", 1, end);
  now = ms;
  expect(ends.get("list", 1)).toEqual(known);
});

test.each([
  [19_999, end],
  [20_000, end],
  [20_001, undefined],
])("where %i pages are remembered the end of the first is known as %j", (count, known) => {
  const ends = new PageCursorCache(() => 0);
  for (let page = 1; page <= count; page++) ends.set("list", page, end);
  expect(ends.get("list", 1)).toEqual(known);
  expect(ends.get("list", count)).toEqual(end);
});

test("a page that is the last one by now has no end any more", () => {
  const ends = new PageCursorCache(() => 0);
  ends.set("list", 1, end);
  ends.set("list", 1, undefined);
  expect(ends.get("list", 1)).toBeUndefined();
});

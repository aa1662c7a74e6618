import { expect, test } from "vitest";
import { PageEnds } from "../../../../server/market/records/orders/page-ends.ts";

const end = ["0"];

test.each([
  [299_999, end],
  [300_000, end],
  [300_001, undefined],
])("%i ms after a page was served its end is known as %j", (ms, known) => {
  let now = 0;
  const ends = new PageEnds(() => now);
  ends.note("list", 1, end);
  now = ms;
  expect(ends.endOf("list", 1)).toEqual(known);
});

test.each([
  [19_999, end],
  [20_000, end],
  [20_001, undefined],
])("where %i pages are remembered the end of the first is known as %j", (count, known) => {
  const ends = new PageEnds(() => 0);
  for (let page = 1; page <= count; page++) ends.note("list", page, end);
  expect(ends.endOf("list", 1)).toEqual(known);
  expect(ends.endOf("list", count)).toEqual(end);
});

test("a page that is the last one by now has no end any more", () => {
  const ends = new PageEnds(() => 0);
  ends.note("list", 1, end);
  ends.note("list", 1, undefined);
  expect(ends.endOf("list", 1)).toBeUndefined();
});

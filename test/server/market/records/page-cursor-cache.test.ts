import { expect, test } from "vitest";
import { PageCursorCache } from "../../../../server/market/records/orders/collectibles-query.ts";

const cursor = ["0"];

test.each([
  [299_999, cursor],
  [300_000, cursor],
  [300_001, undefined],
])("%i ms after a page was served its cursor is %j", (ms, known) => {
  let now = 0;
  const cursors = new PageCursorCache(() => now);
  cursors.set("list", 1, cursor);
  now = ms;
  expect(cursors.get("list", 1)).toEqual(known);
});

test.each([
  [19_999, cursor],
  [20_000, cursor],
  [20_001, undefined],
])("with %i cached pages the cursor of the first is %j", (count, known) => {
  const cursors = new PageCursorCache(() => 0);
  for (let page = 1; page <= count; page++) cursors.set("list", page, cursor);
  expect(cursors.get("list", 1)).toEqual(known);
  expect(cursors.get("list", count)).toEqual(cursor);
});

test("a page that has become the last one loses its cursor", () => {
  const cursors = new PageCursorCache(() => 0);
  cursors.set("list", 1, cursor);
  cursors.set("list", 1, undefined);
  expect(cursors.get("list", 1)).toBeUndefined();
});

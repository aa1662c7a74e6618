import { expect, test } from "vitest";
import { RangeSize } from "../../../../server/chain/follower/range-planner.ts";

test.each([
  [24, 24],
  [25, 25],
  [26, 25],
  [10_000, 25],
])("with a limit of %i blocks, the first request is for %i", (most, blocks) => {
  expect(new RangeSize(most).blocks).toBe(blocks);
});

test.each([
  [0, 50],
  [3_999, 50],
  [4_000, 50],
  [8_000, 25],
  [8_100, 25],
  [10_000, 20],
  [16_667, 12],
  [1_000_000, 12],
])(
  "after %i logs in 25 blocks the next request is for %i: the size at most doubles or halves",
  (logs, blocks) => {
    const size = new RangeSize(10_000);
    size.record(25, logs);
    expect(size.blocks).toBe(blocks);
  },
);

test("it grows to the limit and no further", () => {
  const size = new RangeSize(60);
  for (const blocks of [50, 60, 60]) {
    size.record(size.blocks, 0);
    expect(size.blocks).toBe(blocks);
  }
});

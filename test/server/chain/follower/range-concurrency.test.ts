import { expect, test } from "vitest";
import { RangeConcurrency } from "../../../../server/chain/follower/range-planner.ts";

/** Reads ranges one after the other. Returns the limits: o for an overloaded node. */
function limitsAfter(concurrency: RangeConcurrency, turns: string): readonly number[] {
  return [...turns].map((turn) => {
    concurrency.ended(concurrency.start(), turn === "o");
    return concurrency.limit;
  });
}

test("the number of ranges in flight grows quickly to 4 at the start", () => {
  expect(new RangeConcurrency().limit).toBe(1);
  expect(limitsAfter(new RangeConcurrency(), ".....")).toEqual([2, 3, 4, 4, 4]);
});

test("it is halved when a node is overloaded, and grows back by one for each round of ranges", () => {
  const concurrency = new RangeConcurrency();
  limitsAfter(concurrency, "...");
  expect(limitsAfter(concurrency, "o.....")).toEqual([2, 2, 2, 3, 3, 3]);
  expect(limitsAfter(concurrency, "ooo")).toEqual([1, 1, 1]);
  expect(limitsAfter(concurrency, ".")).toEqual([2]);
});

test("ranges that are slowed down together count once", () => {
  const concurrency = new RangeConcurrency();
  limitsAfter(concurrency, "...");
  const started = [concurrency.start(), concurrency.start(), concurrency.start(), concurrency.start()];
  for (const each of started) concurrency.ended(each, true);
  expect(concurrency.limit).toBe(2);
  concurrency.ended(concurrency.start(), true);
  expect(concurrency.limit).toBe(1);
});

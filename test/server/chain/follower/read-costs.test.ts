import { expect, test } from "vitest";
import { type RangeKind, ReadCosts } from "../../../../server/chain/follower/range-planner.ts";

const size = { filtered: 100, whole: 100 };

/** 100 blocks, of which this share has matching logs, with this number of logs in each block. */
function recorded(kind: RangeKind, share: number, logs: number, costs = new ReadCosts()): ReadCosts {
  const single = { blocks: 100 * share, logs: 100 * share * logs };
  costs.record({
    blocks: 100,
    matching: 100 * share,
    all: kind === "whole" ? 100 * logs : undefined,
    single,
  });
  return costs;
}

test.each<[share: number, logs: number, kind: RangeKind]>([
  // Every block has matching logs: a request for each block, or 0.4 MB more.
  [1, 500, "whole"],
  [1, 3_000, "whole"],
  [0.5, 500, "whole"],
  // One request for three blocks, or all logs of the three.
  [0.33, 300, "whole"],
  [0.33, 600, "filtered"],
  [0.01, 500, "filtered"],
  [0.01, 1, "whole"],
  [0, 500, "filtered"],
])(
  "with matches in %d of the blocks and %i logs in each block, the %s way is cheaper",
  (share, logs, kind) => {
    expect(recorded("filtered", share, logs).cheaper(size)).toBe(kind);
  },
);

test("a way that nodes refuse is never chosen", () => {
  expect(recorded("filtered", 1, 500).cheaper({ filtered: 100, whole: 0 })).toBe("filtered");
});

test("the number of blocks in a request counts", () => {
  expect(recorded("filtered", 0.5, 100).cheaper({ filtered: 100, whole: 1 })).toBe("filtered");
  expect(recorded("filtered", 0.5, 100).cheaper({ filtered: 100, whole: 10 })).toBe("whole");
});

test("the way changes back when matches become rare", () => {
  const costs = recorded("filtered", 1, 500);
  expect(costs.cheaper(size)).toBe("whole");
  const kinds: RangeKind[] = [];
  for (let range = 0; range < 12; range++) kinds.push(recorded("whole", 0.01, 500, costs).cheaper(size));
  expect(kinds[0]).toBe("whole");
  expect(kinds.at(-1)).toBe("filtered");
});

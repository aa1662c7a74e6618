import { expect, test } from "vitest";
import {
  describeForecast,
  expectedRequests,
  extrapolate,
} from "../../../../server/chain/follower/catch-up.ts";
import type { LogFilter } from "../../../../server/chain/follower/derive/deriver.ts";

const some = new Set<`0x${string}`>(["0x11"]);
const nothing: LogFilter = { addresses: new Set(), topics: new Set() };
const ofContracts: LogFilter = { addresses: some, topics: some };
const ofAnyContract: LogFilter = { topics: some };

test.each<[blocks: number, rangeBlocks: number, LogFilter, logs: number, headers: number]>([
  // Within the window, a block is a header and its logs.
  [256, 1_000, ofContracts, 256, 256],
  [257, 1_000, ofContracts, 257, 258],
  [1_256, 1_000, ofContracts, 257, 258],
  [1_257, 1_000, ofContracts, 258, 260],
  [100_256, 10_000, ofContracts, 266, 276],
  [100_256, 10_000, nothing, 0, 276],
  // Events of any contract: ranges of 25 blocks, and the header of each block.
  [100_256, 10_000, ofAnyContract, 4_256, 100_256],
  [100_256, 10, ofAnyContract, 10_256, 100_256],
  [100_256, 10_000, { ...ofAnyContract, indexInTransaction: true }, 104_256, 100_256],
  [100_256, 10_000, { ...ofContracts, indexInTransaction: true }, 266, 276],
  [0, 10_000, ofContracts, 0, 0],
])("%i blocks in ranges of %i with %o take %i requests for logs and %i for headers", (...row) => {
  const [blocks, rangeBlocks, filter, logs, headers] = row;
  expect(expectedRequests({ blocks, window: 256, rangeBlocks, filter })).toEqual({
    logs,
    headers,
  });
});

test("what is left costs as much as what was done", () => {
  const done = { blocks: 1_000, requests: 300, seconds: 60 };
  expect(extrapolate(done, 4_000)).toEqual({ requests: 1_200, seconds: 240 });
});

test.each<[requests: number, seconds: number | undefined, string]>([
  [14_040, 2_340, "about 14,000 requests, 39 min at 6 requests/s"],
  [1, undefined, "about 1 request"],
  [1_234_567, undefined, "about 1,200,000 requests"],
  [500, 0, "about 500 requests"],
  [890, 89, "about 890 requests, 89 s at 10 requests/s"],
  [900, 90, "about 900 requests, 2 min at 10 requests/s"],
  [540_000, 5_399, "about 540,000 requests, 90 min at 100 requests/s"],
  [540_000, 5_400, "about 540,000 requests, 2 h at 100 requests/s"],
  [100, 400, "about 100 requests, 7 min at 0.3 requests/s"],
  [5_000_000, 129_600, "about 5,000,000 requests, 2 days at 39 requests/s"],
  [50_000_000, 864_000, "about 50,000,000 requests, 10 days at 58 requests/s"],
])("%i requests in %s s are described as %s", (requests, seconds, text) => {
  expect(describeForecast({ requests, seconds })).toBe(text);
});

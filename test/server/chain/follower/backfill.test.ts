import { describe, expect, test, vi } from "vitest";
import { loadKeccak } from "../../../../server/base/keccak.ts";
import { backfill, type Range } from "../../../../server/chain/follower/backfill.ts";
import { BloomFilters } from "../../../../server/chain/follower/bloom.ts";
import type { ChainBlock, ChainLog, LogFilter } from "../../../../server/chain/follower/derive/deriver.ts";
import {
  emptyFilter,
  filterBlocks,
  matchesNothing,
  unionOfFilters,
} from "../../../../server/chain/follower/derive/filters.ts";
import { RangeSize } from "../../../../server/chain/follower/range-size.ts";
import {
  type Header,
  type RangeLog,
  type Source,
  TooManyLogs,
} from "../../../../server/chain/follower/source.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";

const hashOf = (number: number): Hex => `0x${String(number).padStart(64, "0")}`;
const headerOf = (number: number): Header => ({
  number,
  hash: hashOf(number),
  parentHash: hashOf(number - 1),
  timestamp: 1_000 + number,
  logsBloom: "0x",
});
const logIn = (blockNumber: number): RangeLog =>
  ({ blockNumber, blockHash: hashOf(blockNumber), logIndex: 0 }) as RangeLog;

/** Reads blocks 1 to 60, of which some have a log. Nodes return the logs of at most `maxBlocks` blocks. */
async function read(
  withLogs: readonly number[],
  filter: LogFilter = {},
  maxBlocks = 1_000,
  logs = withLogs.map(logIn),
) {
  const requests: string[] = [];
  const source = {
    headersByNumber: async (numbers: readonly number[]) => numbers.map(headerOf),
    logsOfRange: async (from: number, to: number) => {
      requests.push(`${from}-${to}`);
      if (to - from + 1 > maxBlocks) throw new TooManyLogs("too many");
      return logs.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
    },
    logsOfBlock: async ({ number }: Header) => [{ ...logIn(number), indexInTransaction: 7 }],
  };
  const size = new RangeSize(10_000);
  const tooMany = vi.spyOn(size, "tooMany");
  const ranges: Range[] = [];
  const given = { from: 1, to: 60, filter, size };
  for await (const range of backfill(source as unknown as Source, given)) ranges.push(range);
  return { requests, ranges, halved: tooMany.mock.calls };
}

describe("blocks below the window", () => {
  test("are read in consecutive ranges, of which only blocks with logs are returned", async () => {
    const { requests, ranges } = await read([1, 25, 26, 40, 40, 60]);
    expect(requests).toEqual(["1-25", "26-50", "51-60"]);
    expect(ranges.map(({ from, to, parentHash }) => [from, to.number, parentHash])).toEqual([
      [1, 25, hashOf(0)],
      [26, 50, hashOf(25)],
      [51, 60, hashOf(50)],
    ]);
    expect(ranges.map(({ blocks }) => blocks.map(({ number, logs }) => [number, logs.length]))).toEqual([
      [
        [1, 1],
        [25, 1],
      ],
      [
        [26, 1],
        [40, 2],
      ],
      [[60, 1]],
    ]);
    expect(ranges[0]?.blocks[0]).toMatchObject({ hash: hashOf(1), parentHash: hashOf(0), timestamp: 1_001 });
  });

  test("are not requested if nothing can match", async () => {
    const { requests, ranges } = await read([1], emptyFilter);
    expect(requests).toEqual([]);
    expect(ranges.at(-1)).toMatchObject({ to: { number: 60 }, blocks: [] });
  });

  test("are read in halves if a node has too many logs, down to one block", async () => {
    const { requests, ranges, halved } = await read([1, 13, 14], {}, 13);
    expect(requests.slice(0, 9).toSorted()).toEqual(
      ["1-25", "26-50", "51-60", "1-13", "14-25", "26-38", "39-50"].toSorted(),
    );
    expect(ranges[0]?.blocks.map(({ number }) => number)).toEqual([1, 13, 14]);
    expect(halved).toEqual([[25], [25]]);
    await expect(read([1], {}, 0)).rejects.toThrow(TooManyLogs);
  });

  test("are read one by one for a deriver that needs the index within the transaction", async () => {
    const { ranges } = await read([2], { indexInTransaction: true });
    expect(ranges[0]?.blocks[0]?.logs).toMatchObject([{ indexInTransaction: 7 }]);
  });

  test("are rejected if a log has another block hash than the header", async () => {
    const foreign = { ...logIn(2), blockHash: hashOf(99) };
    await expect(read([], {}, 1_000, [logIn(2), foreign])).rejects.toThrow(
      "the block hash of a log differs from the hash in the block's header",
    );
  });
});

const [a, b, c] = ["aa", "bb", "cc"].map((byte) => `0x${byte.repeat(20)}` as Hex) as [Hex, Hex, Hex];
const [t, u] = ["11", "22"].map((byte) => `0x${byte.repeat(32)}` as Hex) as [Hex, Hex];
const log = (address: Hex, ...topics: readonly Hex[]): ChainLog => ({ address, topics }) as ChainLog;

describe("filters", () => {
  test.each<[LogFilter[], LogFilter]>([
    [[], { addresses: new Set(), topics: new Set(), indexInTransaction: false }],
    [
      [
        { addresses: new Set([a]), topics: new Set([t]) },
        { addresses: new Set([a, b]), topics: new Set([u]), indexInTransaction: true },
      ],
      { addresses: new Set([a, b]), topics: new Set([t, u]), indexInTransaction: true },
    ],
    [
      [{ addresses: new Set([a]) }, { topics: new Set([u]) }],
      { addresses: undefined, topics: undefined, indexInTransaction: false },
    ],
  ])("%# are united", (filters, union) => {
    expect(unionOfFilters(filters)).toEqual(union);
  });

  test.each<[LogFilter, boolean]>([
    [{}, false],
    [emptyFilter, true],
    [{ addresses: new Set() }, true],
    [{ topics: new Set() }, true],
    [{ addresses: new Set([a]), topics: new Set([t]) }, false],
  ])("whether filter %# matches nothing: %s", (filter, nothing) => {
    expect(matchesNothing(filter)).toBe(nothing);
  });

  test.each<[LogFilter, readonly number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ addresses: new Set([a]) }, [0, 1, 3]],
    [{ topics: new Set([t]) }, [0, 2]],
    [{ addresses: new Set([a]), topics: new Set([t]) }, [0]],
    [{ addresses: new Set([b]), topics: new Set([u]) }, []],
  ])("filter %# passes the logs %j", (filter, places) => {
    const logs = [log(a, t), log(a, u, t), log(b, t), log(a)];
    const block = { number: 1, logs } as unknown as ChainBlock;
    const [filtered] = filterBlocks([block], filter);
    expect(filtered?.logs).toEqual(places.map((place) => logs[place]));
    // Blocks that lose no log are passed on as they are.
    expect(filtered === block).toBe(places.length === logs.length);
  });
});

describe("the bloom filter of a block", async () => {
  const blooms = new BloomFilters(await loadKeccak());
  const logs = [log(a, t), log(b)];
  // Computed bit by bit as the yellow paper says, with another library.
  const { keccak256 } = await import("ethers");
  const bloomOf = (items: readonly Hex[]): Hex => {
    const bits = new Set(
      items.flatMap((item) =>
        [0, 2, 4].map((at) => Number.parseInt(keccak256(item).slice(2 + 2 * at, 6 + 2 * at), 16) % 2_048),
      ),
    );
    let bloom = 0n;
    for (const bit of bits) bloom |= 1n << BigInt(bit);
    return `0x${bloom.toString(16).padStart(512, "0")}`;
  };
  const bloom = bloomOf([a, t, b]);

  test("belongs to exactly its logs", () => {
    expect(blooms.isExactly(logs, bloom)).toBe(true);
    expect(blooms.isExactly([log(a, t)], bloom)).toBe(false);
    expect(blooms.isExactly([...logs, log(c)], bloom)).toBe(false);
    expect(blooms.isExactly([], bloomOf([]))).toBe(true);
  });

  test.each<[LogFilter, boolean]>([
    [{}, true],
    [{ addresses: new Set([a]) }, true],
    [{ addresses: new Set([c]) }, false],
    [{ addresses: new Set([c, b]) }, true],
    [{ addresses: new Set([a]), topics: new Set([t]) }, true],
    [{ addresses: new Set([a]), topics: new Set([u]) }, false],
    [{ addresses: new Set([c]), topics: new Set([t]) }, false],
    [{ addresses: new Set() }, false],
  ])("may contain logs of filter %#: %s", (filter, may) => {
    expect(blooms.mayContain(filter, bloom)).toBe(may);
  });

  test.each([
    [1_000, false],
    [1_001, true],
  ])("is not checked for more than 1,000 contracts: with %i it may contain logs: %s", (count, may) => {
    const addresses = Array.from(
      { length: count },
      (_, index) => `0x${String(index).padStart(40, "0")}` as Hex,
    );
    expect(blooms.mayContain({ addresses: new Set(addresses) }, bloomOf([]))).toBe(may);
  });
});

import { describe, expect, test } from "vitest";
import { mergeable, planParts } from "../../../../../server/chain/follower/archive/plan.ts";
import {
  type ChunkRow,
  type Coverage,
  covers,
  digestOf,
  intersection,
} from "../../../../../server/chain/follower/archive/rows.ts";

const set = (...items: readonly number[]) => new Set(items.map((item) => `0x${item}` as const));
const coverage = (
  addresses?: Set<`0x${number}`>,
  topics?: Set<`0x${number}`>,
  hasIndexes = false,
): Coverage => ({
  addresses,
  topics,
  hasIndexes,
});
const chunk = (from: number, to: number, bytes = 1): ChunkRow => ({
  id: `${from}`,
  from,
  to,
  coverageId: "1",
  bytes,
});

describe("a coverage", () => {
  test.each([
    ["everything", coverage(), { addresses: set(1), topics: set(2) }, true],
    ["the same", coverage(set(1), set(2)), { addresses: set(1), topics: set(2) }, true],
    ["more", coverage(set(1, 3), set(2, 4)), { addresses: set(3), topics: set(4) }, true],
    ["another contract", coverage(set(1), set(2)), { addresses: set(3), topics: set(2) }, false],
    ["one contract too few", coverage(set(1), set(2)), { addresses: set(1, 3), topics: set(2) }, false],
    ["another event", coverage(set(1), set(2)), { addresses: set(1), topics: set(3) }, false],
    ["some contracts for any", coverage(set(1), set(2)), { topics: set(2) }, false],
    ["any contract for some", coverage(undefined, set(2)), { addresses: set(1), topics: set(2) }, true],
    ["no indexes", coverage(set(1)), { addresses: set(1), topics: set(2), indexInTransaction: true }, false],
    ["indexes", coverage(undefined, undefined, true), { indexInTransaction: true }, true],
  ])("of %s", (_, has, filter, isEnough) => {
    expect(covers(has, filter)).toBe(isEnough);
  });

  test("of two is what both cover", () => {
    expect(intersection(coverage(set(1, 2), undefined, true), coverage(set(2, 3), set(4)))).toEqual(
      coverage(set(2), set(4)),
    );
  });

  test("has the same digest in any order of its items, and another one if it differs", () => {
    expect(digestOf(coverage(set(1, 2)))).toEqual(digestOf(coverage(set(2, 1))));
    const others = [
      coverage(set(1)),
      coverage(undefined, set(1, 2)),
      coverage(set(1, 2), undefined, true),
      coverage(),
    ];
    for (const other of others) expect(digestOf(other)).not.toEqual(digestOf(coverage(set(1, 2))));
  });
});

describe("a range of blocks", () => {
  const partsOf = (chunks: readonly ChunkRow[], from: number, to: number): readonly string[] =>
    planParts(chunks, { from, to }).map(
      (part) => `${part.from}-${part.to}${part.chunk === undefined ? " node" : ""}`,
    );

  test.each([
    ["without chunks", [], ["10-30 node"]],
    ["in one chunk", [chunk(10, 30)], ["10-30"]],
    ["that starts within a chunk", [chunk(5, 20)], ["10-20", "21-30 node"]],
    [
      "with gaps",
      [chunk(12, 15), chunk(20, 29)],
      ["10-11 node", "12-15", "16-19 node", "20-29", "30-30 node"],
    ],
    ["with a chunk that ends above it", [chunk(10, 31)], ["10-30 node"]],
    ["with a chunk below it", [chunk(1, 9)], ["10-30 node"]],
    ["with chunks that overlap", [chunk(10, 20), chunk(15, 30)], ["10-20", "21-30"]],
    ["with a chunk within another", [chunk(10, 20), chunk(12, 14), chunk(21, 30)], ["10-20", "21-30"]],
  ])("%s", (_, chunks, parts) => {
    expect(partsOf(chunks, 10, 30)).toEqual(parts);
  });
});

describe("chunks", () => {
  const row = (count: number, bytes = 1): readonly ChunkRow[] =>
    Array.from({ length: count }, (_, at) => chunk(at, at, bytes));
  const sizes = (chunks: readonly ChunkRow[]): readonly number[] =>
    mergeable(chunks).map(({ length }) => length);

  test.each([
    ["15 are too few to merge", row(15), []],
    ["16 are merged", row(16), [16]],
    ["a gap separates groups", [...row(16), ...row(40).slice(17)], [16, 23]],
    ["a group of 1 MiB is complete", row(40, 65_536), [16, 16]],
  ])("%s", (_, chunks, expected) => {
    expect(sizes(chunks)).toEqual(expected);
  });
});

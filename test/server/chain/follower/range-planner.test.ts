import { afterEach, describe, expect, test, vi } from "vitest";
import { RangePlanner } from "../../../../server/chain/follower/range-planner.ts";

describe("the size of ranges", () => {
  test.each([
    [24, 24],
    [25, 25],
    [26, 25],
    [10_000, 25],
  ])("with a limit of %i blocks is %i at first", (most, blocks) => {
    expect(new RangePlanner(most).rangeBlocks(0)).toBe(blocks);
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
  ])("after %i logs in 25 blocks is %i: it at most doubles or halves", (logs, blocks) => {
    const planner = new RangePlanner(10_000);
    planner.record(25, logs);
    expect(planner.rangeBlocks(0)).toBe(blocks);
  });

  test("grows to the limit and no further", () => {
    const planner = new RangePlanner(60);
    for (const blocks of [50, 60, 60]) {
      planner.record(planner.rangeBlocks(0), 0);
      expect(planner.rangeBlocks(0)).toBe(blocks);
    }
  });

  test("is at most that of eight requests to the node", () => {
    const planner = new RangePlanner(10_000);
    planner.refused(1, 4, 3);
    expect([planner.rangeBlocks(0), planner.rangeBlocks(1)]).toEqual([25, 24]);
  });
});

describe("the size of requests to a node", () => {
  afterEach(() => void vi.useRealTimers());

  /** The sizes of requests for up to 25 blocks to a node that returns the logs of at most `limit` blocks. */
  function request(planner: RangePlanner, limit: number, suggested?: number): readonly number[] {
    const sizes: number[] = [];
    for (;;) {
      const blocks = Math.min(planner.requestBlocks(0), 25);
      sizes.push(blocks);
      if (blocks <= limit) return sizes;
      planner.refused(0, blocks, suggested);
    }
  }

  test.each([
    [25, [25]],
    [24, [25, 15]],
    [10, [25, 15, 9]],
    [1, [25, 15, 9, 5, 3, 1]],
  ])("with a limit of %i blocks shrinks until they are served", (limit, sizes) => {
    expect(request(new RangePlanner(10_000), limit)).toEqual(sizes);
  });

  test.each([
    [10, [25, 10]],
    // Not plausible, as the node has refused 25.
    [25, [25, 15, 9]],
    [0, [25, 15, 9]],
  ])("is the one that the node suggests, %i blocks, if that is plausible", (suggested, sizes) => {
    expect(request(new RangePlanner(10_000), 10, suggested)).toEqual(sizes);
  });

  test("ignores refusals of larger requests, and those of other nodes", () => {
    const planner = new RangePlanner(10_000);
    planner.refused(0, 20, 10);
    planner.refused(0, 20);
    planner.refused(1, 8);
    expect(planner.requestBlocks(0)).toBe(10);
  });

  test("is unlimited ten minutes after the last refusal", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const planner = new RangePlanner(10_000);
    planner.refused(0, 20);
    vi.advanceTimersByTime(300_000);
    planner.refused(0, 12);
    vi.advanceTimersByTime(599_999);
    expect(planner.requestBlocks(0)).toBe(7);
    vi.advanceTimersByTime(1);
    expect(planner.requestBlocks(0)).toBe(Number.POSITIVE_INFINITY);
  });
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { RangeCap } from "../../../../server/chain/follower/range-planner.ts";

/** Requests this many ranges from a node that returns the logs of at most `limit` blocks. Returns the sizes. */
function request(cap: RangeCap, limit: number, count: number, suggested?: number): readonly number[] {
  const sizes: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const blocks = Math.min(cap.blocks, 25);
    sizes.push(blocks);
    if (blocks <= limit) cap.served(blocks);
    else cap.refused(blocks, suggested);
  }
  return sizes;
}

describe("the cap of a node", () => {
  afterEach(() => void vi.useRealTimers());

  test("does not exist before a refusal", () => {
    const cap = new RangeCap();
    request(cap, 25, 10);
    expect(cap.blocks).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    [10, [25, 12, 6, 9, 10, 11, 10, 10]],
    [24, [25, 12, 18, 21, 23, 23, 23, 23]],
    [1, [25, 12, 6, 3, 1, 2, 1, 1]],
  ])("of %i blocks is found by bisection", (limit, sizes) => {
    expect(request(new RangeCap(), limit, sizes.length)).toEqual(sizes);
  });

  test.each([
    [10, [25, 10, 10]],
    // Not plausible, as the node has refused 25.
    [25, [25, 12, 6]],
    [0, [25, 12, 6]],
  ])("is the one that the node suggests, %i blocks, if that is plausible", (suggested, sizes) => {
    expect(request(new RangeCap(), 10, 3, suggested)).toEqual(sizes);
  });

  test("grows after 100 responses, and after twice as many each time that the node refuses", () => {
    const cap = new RangeCap();
    const sizes = request(cap, 10, 800, 10);
    const tried = sizes.flatMap((blocks, index) => (blocks > 10 ? [index] : []));
    expect(tried).toEqual([0, 101, 302, 703]);
    expect(sizes[101]).toBe(15);
    expect(sizes[102]).toBe(10);
  });

  test("grows on if the node has more to give by now", () => {
    const cap = new RangeCap();
    request(cap, 10, 101, 10);
    expect(request(cap, 24, 6)).toEqual([15, 19, 21, 21, 21, 21]);
  });

  test("falls if a size is refused that was served before, and ignores refusals of larger ranges", () => {
    const cap = new RangeCap();
    request(cap, 20, 10, 20);
    cap.refused(20);
    expect(cap.blocks).toBe(10);
    cap.refused(20);
    expect(cap.blocks).toBe(10);
  });

  test.each([
    ["a refusal of a single block", (cap: RangeCap) => cap.refused(1), 1],
    ["a refusal of all ranges", (cap: RangeCap) => cap.close(), Number.POSITIVE_INFINITY],
  ])("is closed for ten minutes after %s", (_, close, blocks) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const cap = new RangeCap();
    close(cap);
    expect([cap.isClosed, cap.blocks]).toEqual([true, blocks]);
    vi.advanceTimersByTime(599_999);
    expect(cap.isClosed).toBe(true);
    vi.advanceTimersByTime(1);
    expect(cap.isClosed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(cap.isClosed).toBe(false);
  });

  test("is open after a refusal of two blocks, and closes for longer after each refusal of one", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const cap = new RangeCap();
    cap.refused(2);
    expect(cap.isClosed).toBe(false);
    cap.refused(1);
    vi.advanceTimersByTime(599_999);
    cap.refused(1);
    vi.advanceTimersByTime(599_999);
    expect(cap.isClosed).toBe(true);
    vi.advanceTimersByTime(1);
    expect(cap.isClosed).toBe(false);
  });
});

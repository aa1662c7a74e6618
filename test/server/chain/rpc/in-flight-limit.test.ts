import { describe, expect, test } from "vitest";
import { InFlightLimit } from "../../../../server/chain/rpc/nodes/in-flight-limit.ts";

interface Outcome {
  /** Response times in milliseconds of the requests in the second half. */
  readonly times: readonly number[];
  readonly refused: number;
  readonly asked: number;
}

/** A node with a latency of `awayMs` that handles one request at a time for `workMs` each, under a steady rate of requests for a minute. */
function ask(
  ratePerMs: number,
  { awayMs, workMs }: { awayMs: number; workMs: (index: number) => number },
): Outcome {
  const limit = new InFlightLimit(8);
  const endMs = 60_000;
  const ends: { readonly at: number; readonly took: number }[] = [];
  const times: number[] = [];
  let freeAt = 0;
  let refused = 0;
  let next = 0;
  const asked = Math.floor(ratePerMs * endMs);
  for (let index = 0; index < asked; index++) {
    const now = index / ratePerMs;
    for (; next < ends.length && (ends[next]?.at ?? 0) <= now; next++) {
      const { at, took } = ends[next] as (typeof ends)[number];
      limit.ended();
      limit.record(took, at);
    }
    if (!limit.admits()) {
      refused++;
      continue;
    }
    freeAt = Math.max(freeAt, now + awayMs / 2) + workMs(index);
    const at = freeAt + awayMs / 2;
    ends.push({ at, took: at - now });
    if (now > endMs / 2) times.push(at - now);
  }
  return { times, refused, asked };
}

describe("requests in flight to a node", () => {
  test.each([2, 5, 20])(
    "at %s times its capacity, the node is almost fully used, and requests hardly wait",
    (times) => {
      const { times: taken } = ask(times, { awayMs: 100, workMs: () => 1 });
      expect(Math.max(...taken)).toBeLessThan(3 * 101);
      expect(taken.length).toBeGreaterThan(0.9 * 30_000);
    },
  );

  test("within its capacity nothing is rejected, even if some requests are slow", () => {
    const mixed = (index: number): number => (index % 50 === 0 ? 30 : 0.1);
    expect(ask(0.8, { awayMs: 100, workMs: mixed }).refused).toBe(0);
  });

  test("a node that has become permanently slower is used as before once the old minimum expires", () => {
    const limit = new InFlightLimit(8);
    const round = (tookMs: number, nowMs: number): number => {
      let admitted = 0;
      while (admitted < 100 && limit.admits()) admitted++;
      for (let index = 0; index < admitted; index++) {
        limit.ended();
        limit.record(tookMs, nowMs + tookMs);
      }
      return admitted;
    };
    for (let ms = 0; ms < 5_000; ms += 500) round(10, ms);
    for (let ms = 5_000; ms < 14_000; ms += 500) round(200, ms);
    expect(round(200, 14_000)).toBe(8);
    for (let ms = 14_500; ms < 60_000; ms += 500) round(200, ms);
    expect(round(200, 60_000)).toBe(100);
  });

  test.each([
    [7, 100],
    [8, 100],
    [9, 8],
  ])(
    "slow responses to %i concurrent requests leave %i of a burst of 100 admitted",
    (concurrent, admitted) => {
      const limit = new InFlightLimit(8);
      const round = (requests: number, tookMs: number, nowMs: number): void => {
        for (let index = 0; index < requests; index++) limit.admits();
        for (let index = 0; index < requests; index++) {
          limit.ended();
          limit.record(tookMs, nowMs);
        }
      };
      round(1, 10, 0);
      round(concurrent, 200, 200);
      const burst = Array.from({ length: 100 }, () => limit.admits());
      expect(burst.filter(Boolean)).toHaveLength(admitted);
    },
  );

  test("a few slow responses do not block a burst", () => {
    const limit = new InFlightLimit(8);
    for (let ms = 0; ms < 10_000; ms += 300) {
      expect(limit.admits()).toBe(true);
      limit.ended();
      limit.record(ms % 900 === 0 ? 20 : 600, ms + 600);
    }
    expect(Array.from({ length: 1_000 }, () => limit.admits())).not.toContain(false);
  });
});

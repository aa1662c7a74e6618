import { describe, expect, test } from "vitest";
import { QueueLimit } from "../../../server/base/queue-limit.ts";
import { quantile } from "../../support/open-loop.ts";

const turnMs = 10;
const concurrency = 4;
/** Items served per millisecond. */
const capacity = concurrency / turnMs;

interface Outcome {
  /** Time from the arrival to the end of its turn of each accepted item, in milliseconds. */
  readonly times: readonly number[];
  readonly refused: number;
}

/** Simulates arrivals at the given times, with turns of equal length. */
function serve(arrivals: readonly number[], queue = new QueueLimit({ concurrency, burstMs: 100 })): Outcome {
  const freeAt = Array.from({ length: concurrency }, () => 0);
  let starts: number[] = [];
  const times: number[] = [];
  for (const now of arrivals) {
    starts = starts.filter((start) => start > now);
    if (!queue.admits(starts.length, now)) continue;
    const place = freeAt.indexOf(Math.min(...freeAt));
    const start = Math.max(now, freeAt[place] ?? 0);
    freeAt[place] = start + turnMs;
    starts.push(start);
    times.push(start + turnMs - now);
    queue.served(turnMs);
  }
  return { times, refused: arrivals.length - times.length };
}

/** Arrivals at a rate per millisecond; every third one is late and arrives together with the next ones. */
function arriving(rate: number, fromMs: number, toMs: number): readonly number[] {
  const count = Math.floor((toMs - fromMs) * rate);
  return Array.from(
    { length: count },
    (_, index) => fromMs + (index + (index % 3 === 0 ? 2 : 0)) / rate,
  ).sort((a, b) => a - b);
}

describe("the queue limit", () => {
  test.each([2, 5, 20])("at %s times the capacity accepts what it can serve, within three turns", (times) => {
    const { times: taken, refused } = serve(arriving(capacity * times, 0, 30_000));
    expect(quantile(taken, 0.99)).toBeLessThanOrEqual(3 * turnMs);
    expect(taken.length).toBeGreaterThan(0.95 * capacity * 30_000);
    expect(refused).toBeGreaterThan(0);
    // The longest wait of a burst, until the queue is known to be an overload.
    expect(Math.max(...taken)).toBeLessThanOrEqual(100 + 2 * turnMs);
  });

  test.each([
    [10, true],
    [11, false],
  ])("%i callers who repeat their calls in 4 places: accepted %s", (callers, areAccepted) => {
    const queue = new QueueLimit({ concurrency, burstMs: 100 });
    let isAccepted = queue.admits(0, 0);
    // A caller calls again as soon as it was served and the next waiting call has started.
    for (let now = 0; now < 1_000; now++) isAccepted &&= queue.admits(callers - concurrency - 1, now);
    expect(isAccepted).toBe(areAccepted);
  });

  test("below the capacity nothing is rejected", () => {
    expect(serve(arriving(capacity * 0.8, 0, 10_000)).refused).toBe(0);
  });

  test("repeated bursts are accepted in full", () => {
    const bursts = Array.from({ length: 20 }, (_, burst) =>
      Array.from({ length: 30 }, () => burst * 200),
    ).flat();
    expect(serve(bursts).refused).toBe(0);
  });

  test("an overload ends after a second without a rejection", () => {
    const queue = new QueueLimit({ concurrency, burstMs: 100 });
    serve(arriving(capacity * 3, 0, 2_000), queue);
    const burst = Array.from({ length: 30 }, () => 5_000);
    expect(serve(burst, queue).refused).toBe(0);
  });
});

test.each([
  [38, true],
  [39, true],
  [40, false],
])(
  "of 4 connections and a burst of 100 ms, where a turn takes 10 ms, with %i waiting, one more may wait: %s",
  (waiting, may) => {
    const bound = new QueueLimit({ concurrency: 4, burstMs: 100 });
    expect(bound.admits(0, 0)).toBe(true);
    expect(bound.admits(waiting, 0)).toBe(may);
  },
);

test.each([
  [100, 39, true],
  [101, 6, false],
  [101, 5, true],
])("%i ms after the queue was empty last, with %i waiting, one more may wait: %s", (nowMs, waiting, may) => {
  const bound = new QueueLimit({ concurrency: 4, burstMs: 100 });
  expect(bound.admits(0, 0)).toBe(true);
  expect(bound.admits(waiting, nowMs)).toBe(may);
});

test.each([
  [999, false],
  [1_000, true],
])("%i ms after the last rejection an overload is over: %s", (ms, isOver) => {
  const bound = new QueueLimit({ concurrency: 4, burstMs: 100 });
  expect(bound.admits(0, 0)).toBe(true);
  expect(bound.admits(40, 0)).toBe(false);
  expect(bound.admits(0, ms)).toBe(true);
  expect(bound.admits(6, ms)).toBe(isOver);
});

test.each([
  [4, 5, true],
  [4, 6, false],
  [5, 7, true],
  [5, 8, false],
])(
  "of %i connections in a lasting overload, with %i waiting, one more may wait: %s",
  (count, waiting, may) => {
    const bound = new QueueLimit({ concurrency: count, burstMs: 100 });
    expect(bound.admits(0, 0)).toBe(true);
    expect(bound.admits(waiting, 101)).toBe(may);
  },
);

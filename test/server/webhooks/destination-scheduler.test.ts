import { describe, expect, test } from "vitest";
import {
  DestinationScheduler,
  TokenBucket,
} from "../../../server/webhooks/delivery/destination-scheduler.ts";
import { deliveryLimits } from "../../../server/webhooks/delivery/limits.ts";
import type { DeliveryTarget, QueueItem } from "../../../server/webhooks/delivery/queue.ts";

/** A scheduler with this many items waiting for each listener. Listeners are numbered from 1. */
function turnsWith(...waiting: readonly number[]): DestinationScheduler {
  const scheduler = new DestinationScheduler(deliveryLimits);
  let sequence = 0;
  for (const [index, count] of waiting.entries()) {
    const listener: DeliveryTarget = { id: index + 1, url: "", format: "object", sealed: [], isProbe: false };
    for (let place = 0; place < count; place++)
      scheduler.add({ chainId: 1, sequence: ++sequence, listener, attempts: 0, id: "", storedBody: "" });
  }
  return scheduler;
}

function takeAll(scheduler: DestinationScheduler, now: number): readonly QueueItem[] {
  const taken: QueueItem[] = [];
  for (let item = scheduler.next(now); item !== undefined; item = scheduler.next(now)) taken.push(item);
  return taken;
}

const listenersOf = (items: readonly QueueItem[]): readonly number[] =>
  items.map(({ listener }) => listener.id);

/** Finishes calls until every listener has its maximum of concurrent calls. */
function warmUp(scheduler: DestinationScheduler, now: number): readonly QueueItem[] {
  for (let turn = 0; turn < 40; turn++)
    for (const item of takeAll(scheduler, now)) scheduler.finished(item, true, now);
  return takeAll(scheduler, now);
}

test("a new listener gets one concurrent call, and one more with each success, up to its limit", () => {
  const scheduler = turnsWith(50);
  const [first] = takeAll(scheduler, 0);
  expect(scheduler.calls).toBe(1);
  scheduler.finished(first as QueueItem, true, 0);
  expect(takeAll(scheduler, 0)).toHaveLength(2);
  expect(warmUp(turnsWith(1_000), 0)).toHaveLength(6);
});

test("listeners are served round robin", () => {
  expect(listenersOf(warmUp(turnsWith(400, 400, 400), 0)).toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
});

test("two listeners that stop responding leave a call free for others", () => {
  const scheduler = turnsWith(400, 400);
  const hanging = warmUp(scheduler, 0);
  expect(hanging).toHaveLength(deliveryLimits.maxCallsPerListener);
  const listener: DeliveryTarget = { id: 3, url: "", format: "object", sealed: [], isProbe: false };
  scheduler.add({ chainId: 1, sequence: 10_000, listener, attempts: 0, id: "", storedBody: "" });
  expect(listenersOf(takeAll(scheduler, 5_000))).toEqual([3]);
});

test("the calls after which a listener is paused, if its receiver has always failed, take 45 minutes", () => {
  const scheduler = turnsWith(1);
  let now = 0;
  for (let calls = 1; calls < deliveryLimits.maxInitialFailures; calls++) {
    const [item] = takeAll(scheduler, now);
    scheduler.finished(item as QueueItem, false, now);
    scheduler.add(item as QueueItem);
    now = scheduler.nextBackOffEnd(now) ?? now;
  }
  expect(Math.floor(now / 60_000)).toBe(45);
});

test("a failure returns the buffered items and pauses reading until the back-off ends, then one item is read", () => {
  const scheduler = turnsWith(20);
  const [item] = takeAll(scheduler, 0);
  expect(scheduler.finished(item as QueueItem, false, 0)).toHaveLength(19);
  expect(scheduler.waiting).toBe(0);
  const { backOffMs } = deliveryLimits;
  expect(scheduler.readPaused(backOffMs - 1)).toEqual([1]);
  expect(scheduler.canResumeReading(backOffMs - 1)).toBe(false);
  expect(scheduler.nextBackOffEnd(backOffMs - 1)).toBe(backOffMs);
  expect(scheduler.canResumeReading(backOffMs)).toBe(true);
  expect(scheduler.readPaused(backOffMs)).toEqual([]);
  expect(scheduler.degraded(backOffMs)).toEqual([1]);
  scheduler.add(item as QueueItem);
  expect(scheduler.readPaused(backOffMs)).toEqual([1]);
  scheduler.finished(scheduler.next(backOffMs) as QueueItem, true, backOffMs);
  expect(scheduler.canResumeReading(backOffMs)).toBe(true);
  expect(scheduler.degraded(backOffMs)).toEqual([]);
});

test("reading pauses for a listener with a full buffer until it has sent some items", () => {
  const scheduler = turnsWith(64, 3);
  expect(scheduler.readPaused(0)).toEqual([1]);
  expect(scheduler.canResumeReading(0)).toBe(false);
  takeAll(scheduler, 0);
  expect(scheduler.canResumeReading(0)).toBe(true);
});

test("a host gets at most eight concurrent calls, however many listeners it has", () => {
  const few = warmUp(turnsWith(...Array<number>(7).fill(400)), 0);
  expect(few).toHaveLength(7);
  expect(warmUp(turnsWith(...Array<number>(8).fill(400)), 0)).toHaveLength(8);
  expect(warmUp(turnsWith(...Array<number>(9).fill(400)), 0)).toHaveLength(8);
});

/** A scheduler in which this many listeners have failed once and have an item waiting again. */
function turnsInTrouble(count: number): DestinationScheduler {
  const scheduler = turnsWith(...Array<number>(count).fill(1));
  for (let failed = 0; failed < count; failed++) {
    const item = scheduler.next(0) as QueueItem;
    scheduler.finished(item, false, 0);
    scheduler.add(item);
  }
  return scheduler;
}

test.each([
  [3, 3],
  [4, 4],
  [5, 4],
])("of %i degraded listeners, %i are called concurrently", (count, calls) => {
  expect(takeAll(turnsInTrouble(count), deliveryLimits.backOffMs)).toHaveLength(calls);
});

test.each([
  [1, 100],
  [2, 200],
  [9, 25_600],
  [10, 30_000],
  [40, 30_000],
])("after %i failures in a row a listener backs off for %i ms", (failures, backOffMs) => {
  const scheduler = turnsWith(1);
  let now = 0;
  let until: number | undefined;
  for (let failed = 0; failed < failures; failed++) {
    const item = scheduler.next(now) as QueueItem;
    scheduler.finished(item, false, now);
    scheduler.add(item);
    until = scheduler.nextBackOffEnd(now);
    if (failed < failures - 1) now = until ?? now;
  }
  expect((until ?? 0) - now).toBe(backOffMs);
});

test.each([
  [99, 100],
  [100, 100],
  [101, 101],
  [60_000, 60_000],
])("a receiver that asks for %i ms is not called for %i ms", (askedMs, backOffMs) => {
  const scheduler = turnsWith(2);
  scheduler.finished(scheduler.next(0) as QueueItem, false, 0, askedMs);
  expect(scheduler.nextBackOffEnd(0)).toBe(backOffMs);
});

test.each([
  [999, []],
  [1_000, []],
  [1_001, [1]],
])("after %i ms in flight, a call degrades %j", (now, listeners) => {
  const scheduler = turnsWith(1);
  scheduler.next(0);
  expect(scheduler.degraded(now)).toEqual(listeners);
});

describe("the rate limit of a host", () => {
  /** How many calls may start immediately. */
  function burst(pace: TokenBucket, now: number): number {
    let calls = 0;
    for (; pace.waitMs(now) === 0; calls++) pace.take();
    return calls;
  }

  test("starts at a hundred calls per second, and unused calls are kept for one second", () => {
    const pace = new TokenBucket(deliveryLimits.initialRate, 0);
    expect(burst(pace, 0)).toBe(100);
    expect(pace.waitMs(0)).toBe(10);
    expect(pace.waitMs(9)).toBeGreaterThan(0);
    expect(pace.waitMs(10)).toBe(0);
    expect(burst(pace, 1_000)).toBe(100);
    expect(burst(pace, 60_000)).toBe(100);
  });

  test("grows by one with each success", () => {
    const pace = new TokenBucket(deliveryLimits.initialRate, 0);
    pace.succeeded();
    pace.succeeded();
    expect(burst(pace, 60_000)).toBe(102);
  });
});

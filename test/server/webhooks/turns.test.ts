import { describe, expect, test } from "vitest";
import { deliveryLimits } from "../../../server/webhooks/delivery/limits.ts";
import { Pace } from "../../../server/webhooks/delivery/pace.ts";
import type { Item, Receiver } from "../../../server/webhooks/delivery/queue.ts";
import { Turns } from "../../../server/webhooks/delivery/turns.ts";

/** Turns with so many waiting for each listener, which are numbered from 1. */
function turnsWith(...waiting: readonly number[]): Turns {
  const turns = new Turns(deliveryLimits);
  let sequence = 0;
  for (const [index, count] of waiting.entries()) {
    const listener: Receiver = { id: index + 1, url: "", format: "object", sealed: [], isProbe: false };
    for (let place = 0; place < count; place++)
      turns.add({ chainId: 1, sequence: ++sequence, listener, attempts: 0, id: "", stored: "" });
  }
  return turns;
}

function takeAll(turns: Turns, now: number): readonly Item[] {
  const taken: Item[] = [];
  for (let item = turns.next(now); item !== undefined; item = turns.next(now)) taken.push(item);
  return taken;
}

const listenersOf = (items: readonly Item[]): readonly number[] => items.map(({ listener }) => listener.id);

/** Until every listener has as many calls at once as it may. */
function warmUp(turns: Turns, now: number): readonly Item[] {
  for (let turn = 0; turn < 40; turn++) for (const item of takeAll(turns, now)) turns.over(item, true, now);
  return takeAll(turns, now);
}

test("a new listener gets one call, and one more with each success, up to its bound", () => {
  const turns = turnsWith(50);
  const [first] = takeAll(turns, 0);
  expect(turns.calls).toBe(1);
  turns.over(first as Item, true, 0);
  expect(takeAll(turns, 0)).toHaveLength(2);
  expect(warmUp(turnsWith(1_000), 0)).toHaveLength(6);
});

test("listeners take turns", () => {
  expect(listenersOf(warmUp(turnsWith(400, 400, 400), 0)).toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
});

test("two that begin to hang after they did well leave a call for others", () => {
  const turns = turnsWith(400, 400);
  const hanging = warmUp(turns, 0);
  expect(hanging).toHaveLength(deliveryLimits.callsPerListener);
  const listener: Receiver = { id: 3, url: "", format: "object", sealed: [], isProbe: false };
  turns.add({ chainId: 1, sequence: 10_000, listener, attempts: 0, id: "", stored: "" });
  expect(listenersOf(takeAll(turns, 5_000))).toEqual([3]);
});

test("after a failure what waits is given back, and nothing is read until its hold is over, and then one", () => {
  const turns = turnsWith(20);
  const [item] = takeAll(turns, 0);
  expect(turns.over(item as Item, false, 0)).toHaveLength(19);
  expect(turns.waiting).toBe(0);
  const { holdMs } = deliveryLimits;
  expect(turns.fed(holdMs - 1)).toEqual([1]);
  expect(turns.isHungry(holdMs - 1)).toBe(false);
  expect(turns.heldUntil(holdMs - 1)).toBe(holdMs);
  expect(turns.isHungry(holdMs)).toBe(true);
  expect(turns.fed(holdMs)).toEqual([]);
  expect(turns.inTrouble(holdMs)).toEqual([1]);
  turns.add(item as Item);
  expect(turns.fed(holdMs)).toEqual([1]);
  turns.over(turns.next(holdMs) as Item, true, holdMs);
  expect(turns.isHungry(holdMs)).toBe(true);
  expect(turns.inTrouble(holdMs)).toEqual([]);
});

test("a listener with much at hand needs no more until it has sent of it", () => {
  const turns = turnsWith(64, 3);
  expect(turns.fed(0)).toEqual([1]);
  expect(turns.isHungry(0)).toBe(false);
  takeAll(turns, 0);
  expect(turns.isHungry(0)).toBe(true);
});

test("a host gets eight calls at once, however many listeners it has", () => {
  const few = warmUp(turnsWith(...Array<number>(7).fill(400)), 0);
  expect(few).toHaveLength(7);
  expect(warmUp(turnsWith(...Array<number>(8).fill(400)), 0)).toHaveLength(8);
  expect(warmUp(turnsWith(...Array<number>(9).fill(400)), 0)).toHaveLength(8);
});

/** Turns in which so many listeners have failed once and have something waiting again. */
function turnsInTrouble(count: number): Turns {
  const turns = turnsWith(...Array<number>(count).fill(1));
  for (let failed = 0; failed < count; failed++) {
    const item = turns.next(0) as Item;
    turns.over(item, false, 0);
    turns.add(item);
  }
  return turns;
}

test.each([
  [3, 3],
  [4, 4],
  [5, 4],
])("of %i listeners in trouble, %i are called at once", (count, calls) => {
  expect(takeAll(turnsInTrouble(count), deliveryLimits.holdMs)).toHaveLength(calls);
});

test.each([
  [1, 100],
  [2, 200],
  [9, 25_600],
  [10, 30_000],
  [40, 30_000],
])("after %i failures in a row a listener is left alone for %i ms", (failures, holdMs) => {
  const turns = turnsWith(1);
  let now = 0;
  let until: number | undefined;
  for (let failed = 0; failed < failures; failed++) {
    const item = turns.next(now) as Item;
    turns.over(item, false, now);
    turns.add(item);
    until = turns.heldUntil(now);
    if (failed < failures - 1) now = until ?? now;
  }
  expect((until ?? 0) - now).toBe(holdMs);
});

test.each([
  [99, 100],
  [100, 100],
  [101, 101],
  [60_000, 60_000],
])("a receiver that asks for %i ms is left alone for %i ms", (askedMs, holdMs) => {
  const turns = turnsWith(2);
  turns.over(turns.next(0) as Item, false, 0, askedMs);
  expect(turns.heldUntil(0)).toBe(holdMs);
});

test.each([
  [999, []],
  [1_000, []],
  [1_001, [1]],
])("a call of %i ms is trouble for %j", (now, listeners) => {
  const turns = turnsWith(1);
  turns.next(0);
  expect(turns.inTrouble(now)).toEqual(listeners);
});

describe("the rate of a host", () => {
  /** How many calls may leave at once. */
  function burst(pace: Pace, now: number): number {
    let calls = 0;
    for (; pace.peek(now) === 0; calls++) pace.take();
    return calls;
  }

  test("is a hundred calls a second at first, and what was not used is kept for a second", () => {
    const pace = new Pace(deliveryLimits.firstRate, 0);
    expect(burst(pace, 0)).toBe(100);
    expect(pace.peek(0)).toBe(10);
    expect(pace.peek(9)).toBeGreaterThan(0);
    expect(pace.peek(10)).toBe(0);
    expect(burst(pace, 1_000)).toBe(100);
    expect(burst(pace, 60_000)).toBe(100);
  });

  test("grows by one with each success", () => {
    const pace = new Pace(deliveryLimits.firstRate, 0);
    pace.succeeded();
    pace.succeeded();
    expect(burst(pace, 60_000)).toBe(102);
  });
});

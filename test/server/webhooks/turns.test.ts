import { expect, test } from "vitest";
import { deliveryLimits } from "../../../server/webhooks/delivery/limits.ts";
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
  expect(warmUp(turnsWith(1_000), 0)).toHaveLength(deliveryLimits.callsPerListener);
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

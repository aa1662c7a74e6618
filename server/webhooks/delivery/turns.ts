import type { DeliveryLimits } from "./limits.ts";
import type { Item, Receiver } from "./queue.ts";

/** Longer than this a call that is under way counts as trouble, in milliseconds. */
const slowMs = 1_000;

/** A listener with so many waiting here needs no more for now: at 5,000 calls a second they last for two pages' reading. */
const enough = 64;

interface Lane {
  listener: Receiver;
  readonly waiting: Item[];
  /** When each call that is under way began. */
  readonly calls: Map<Item, number>;
  /** Calls at once: one more with each success, one alone after a failure. */
  most: number;
  failures: number;
  /** Until then it is left alone. */
  heldUntil: number;
}

/**
 * Whose turn it is at one host: its listeners one after the other, each in its own order, so that neither a long backlog nor a
 * receiver that is slow or fails takes the calls of the others. Pure but for the clock that it is told.
 */
export class Turns {
  readonly #limits: DeliveryLimits;
  /** In the order of their turns. */
  readonly #lanes = new Map<number, Lane>();
  /** Listeners for which nothing more was to be read when that was last asked, or since. */
  #fed = new Set<number>();
  #waiting = 0;
  #calls = 0;

  constructor(limits: DeliveryLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get calls(): number {
    return this.#calls;
  }

  add(item: Item): void {
    let lane = this.#lanes.get(item.listener.id);
    if (lane === undefined) {
      lane = { listener: item.listener, waiting: [], calls: new Map(), most: 1, failures: 0, heldUntil: 0 };
      this.#lanes.set(item.listener.id, lane);
    }
    lane.listener = item.listener;
    lane.waiting.push(item);
    if (lane.waiting.length === enough) this.#fed.add(item.listener.id);
    this.#waiting++;
  }

  /** The next to be sent; undefined: nobody's turn now. */
  next(now: number): Item | undefined {
    if (this.#calls >= this.#limits.callsPerHost) return undefined;
    const inTrouble = this.#callsInTrouble(now);
    for (const [id, lane] of this.#lanes) {
      if (!this.#mayCall(lane, now, inTrouble)) continue;
      const item = lane.waiting.shift();
      if (item === undefined) continue;
      // Its next turn is after all others'.
      this.#lanes.delete(id);
      this.#lanes.set(id, lane);
      this.#waiting--;
      this.#calls++;
      if (isInTrouble(lane, now)) this.#fed.add(id);
      lane.calls.set(item, now);
      return item;
    }
    return undefined;
  }

  #mayCall(lane: Lane, now: number, inTrouble: number): boolean {
    if (lane.waiting.length === 0 || now < lane.heldUntil) return false;
    if (isInTrouble(lane, now)) return lane.calls.size === 0 && inTrouble < this.#limits.callsInTrouble;
    // The last of a host's calls are for listeners that have none under way, should others begin to hang.
    if (lane.calls.size > 0 && this.#calls >= this.#limits.callsPerListener) return false;
    return lane.calls.size < lane.most;
  }

  #callsInTrouble(now: number): number {
    let calls = 0;
    for (const lane of this.#lanes.values()) if (isInTrouble(lane, now)) calls += lane.calls.size;
    return calls;
  }

  /**
   * The call is over. `holdMs`: the receiver asked to be left alone for so long. After a failure what waits for this listener is
   * given back, so that it does not take the room of what can be sent.
   */
  over(item: Item, isGood: boolean, now: number, holdMs = 0): readonly Item[] {
    const lane = this.#lanes.get(item.listener.id);
    if (lane?.calls.delete(item) !== true) return [];
    this.#calls--;
    if (isGood) {
      lane.failures = 0;
      lane.heldUntil = 0;
      lane.most = Math.min(lane.most + 1, this.#limits.callsPerListener);
      return [];
    }
    lane.failures++;
    lane.most = 1;
    const backOff = Math.min(this.#limits.holdMs * 2 ** (lane.failures - 1), this.#limits.holdMaxMs);
    lane.heldUntil = now + Math.max(backOff, holdMs);
    this.#fed.add(item.listener.id);
    this.#waiting -= lane.waiting.length;
    return lane.waiting.splice(0);
  }

  /** What waits for a listener is read again: its URL, its format or its being there may have changed. */
  forget(): readonly Item[] {
    const forgotten: Item[] = [];
    for (const lane of this.#lanes.values()) forgotten.push(...lane.waiting.splice(0));
    this.#waiting = 0;
    return forgotten;
  }

  /** Listeners for which nothing is to be read for now. */
  fed(now: number): readonly number[] {
    this.#fed = new Set([...this.#lanes].filter(([, lane]) => isFed(lane, now)).map(([id]) => id));
    return [...this.#fed];
  }

  /** Whether one of them can take more again. */
  isHungry(now: number): boolean {
    for (const id of this.#fed) {
      const lane = this.#lanes.get(id);
      if (lane !== undefined && !isFed(lane, now)) return true;
    }
    return false;
  }

  /** Listeners that get one at a time. */
  inTrouble(now: number): readonly number[] {
    return [...this.#lanes].filter(([, lane]) => isInTrouble(lane, now)).map(([id]) => id);
  }

  /** When the first of those that are left alone is not any more; undefined: there is none. */
  heldUntil(now: number): number | undefined {
    let first: number | undefined;
    for (const { heldUntil } of this.#lanes.values())
      if (heldUntil > now && (first === undefined || heldUntil < first)) first = heldUntil;
    return first;
  }
}

/** It failed, or has not answered for a while. */
function isInTrouble({ failures, calls }: Lane, now: number): boolean {
  if (failures > 0) return true;
  for (const began of calls.values()) return now - began > slowMs;
  return false;
}

function isFed(lane: Lane, now: number): boolean {
  if (now < lane.heldUntil || lane.waiting.length >= enough) return true;
  return isInTrouble(lane, now) && lane.waiting.length + lane.calls.size > 0;
}

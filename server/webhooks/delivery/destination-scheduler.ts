import type { DeliveryLimits } from "./limits.ts";
import type { DeliveryTarget, QueueItem } from "./queue.ts";

/** A listener counts as degraded while its oldest call is in flight for longer than this, in milliseconds. */
const slowMs = 1_000;

/**
 * Reading pauses for a listener with this many buffered items. At 5,000 calls per second they last for the time in which two pages
 * are read.
 */
const maxBuffered = 64;

interface ListenerQueue {
  listener: DeliveryTarget;
  readonly waiting: QueueItem[];
  /** Start time of each call in flight. */
  readonly calls: Map<QueueItem, number>;
  /** Limit of concurrent calls: grows by one with each success, falls to one after a failure. */
  maxCalls: number;
  failures: number;
  backOffUntil: number;
}

/**
 * Decides which notification is sent next to one destination: round robin over the destination's listeners, and in order for each listener.
 * Neither a long backlog nor a slow or failing receiver can use up the calls of the others. Has no clock: callers pass the time.
 */
export class DestinationScheduler {
  readonly #limits: DeliveryLimits;
  /** In round-robin order. */
  readonly #queues = new Map<number, ListenerQueue>();
  /** Listeners for which reading was paused at the last call of `readPaused`, or since. */
  #readPaused = new Set<number>();
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

  add(item: QueueItem): void {
    let queue = this.#queues.get(item.listener.id);
    if (queue === undefined) {
      queue = {
        listener: item.listener,
        waiting: [],
        calls: new Map(),
        maxCalls: 1,
        failures: 0,
        backOffUntil: 0,
      };
      this.#queues.set(item.listener.id, queue);
    }
    queue.listener = item.listener;
    queue.waiting.push(item);
    if (queue.waiting.length === maxBuffered) this.#readPaused.add(item.listener.id);
    this.#waiting++;
  }

  /** Returns the next item to send, or undefined if no call may start now. */
  next(now: number): QueueItem | undefined {
    if (this.#calls >= this.#limits.maxCallsPerDestination) return undefined;
    const degradedCalls = this.#degradedCalls(now);
    for (const [id, queue] of this.#queues) {
      if (!this.#mayCall(queue, now, degradedCalls)) continue;
      const item = queue.waiting.shift();
      if (item === undefined) continue;
      // Move the listener to the end of the round.
      this.#queues.delete(id);
      this.#queues.set(id, queue);
      this.#waiting--;
      this.#calls++;
      if (isDegraded(queue, now)) this.#readPaused.add(id);
      queue.calls.set(item, now);
      return item;
    }
    return undefined;
  }

  #mayCall(queue: ListenerQueue, now: number, degradedCalls: number): boolean {
    if (queue.waiting.length === 0 || now < queue.backOffUntil) return false;
    if (isDegraded(queue, now))
      return queue.calls.size === 0 && degradedCalls < this.#limits.maxDegradedCalls;
    // The destination's last free calls are reserved for listeners without a call in flight, in case others become slow.
    if (queue.calls.size > 0 && this.#calls >= this.#limits.maxCallsPerListener) return false;
    return queue.calls.size < queue.maxCalls;
  }

  #degradedCalls(now: number): number {
    let calls = 0;
    for (const queue of this.#queues.values()) if (isDegraded(queue, now)) calls += queue.calls.size;
    return calls;
  }

  /**
   * Ends a call. `retryAfterMs` is the wait that the receiver requested. After a failure, removes and returns the listener's
   * buffered items, so that they do not take up space in the buffer.
   */
  finished(item: QueueItem, succeeded: boolean, now: number, retryAfterMs = 0): readonly QueueItem[] {
    const queue = this.#queues.get(item.listener.id);
    if (queue?.calls.delete(item) !== true) return [];
    this.#calls--;
    if (succeeded) {
      queue.failures = 0;
      queue.backOffUntil = 0;
      queue.maxCalls = Math.min(queue.maxCalls + 1, this.#limits.maxCallsPerListener);
      return [];
    }
    queue.failures++;
    queue.maxCalls = 1;
    const backOff = Math.min(this.#limits.backOffMs * 2 ** (queue.failures - 1), this.#limits.maxBackOffMs);
    queue.backOffUntil = now + Math.max(backOff, retryAfterMs);
    this.#readPaused.add(item.listener.id);
    this.#waiting -= queue.waiting.length;
    return queue.waiting.splice(0);
  }

  /**
   * Removes and returns all buffered items. They are read again, because a listener's URL or format may have changed, or the
   * listener was removed.
   */
  clear(): readonly QueueItem[] {
    const removed: QueueItem[] = [];
    for (const queue of this.#queues.values()) removed.push(...queue.waiting.splice(0));
    this.#waiting = 0;
    return removed;
  }

  /** Returns the listeners for which nothing should be read now. */
  readPaused(now: number): readonly number[] {
    this.#readPaused = new Set(
      [...this.#queues].filter(([, queue]) => isReadPaused(queue, now)).map(([id]) => id),
    );
    return [...this.#readPaused];
  }

  /** Whether a listener returned by `readPaused` can take more items again. */
  canResumeReading(now: number): boolean {
    for (const id of this.#readPaused) {
      const queue = this.#queues.get(id);
      if (queue !== undefined && !isReadPaused(queue, now)) return true;
    }
    return false;
  }

  /** Returns the degraded listeners, which get one item at a time. */
  degraded(now: number): readonly number[] {
    return [...this.#queues].filter(([, queue]) => isDegraded(queue, now)).map(([id]) => id);
  }

  /** Returns the earliest end of a back-off, or undefined if no listener is backing off. */
  nextBackOffEnd(now: number): number | undefined {
    let first: number | undefined;
    for (const { backOffUntil } of this.#queues.values())
      if (backOffUntil > now && (first === undefined || backOffUntil < first)) first = backOffUntil;
    return first;
  }
}

/** Whether the listener's last call failed or its oldest call is slow. */
function isDegraded({ failures, calls }: ListenerQueue, now: number): boolean {
  if (failures > 0) return true;
  for (const began of calls.values()) return now - began > slowMs;
  return false;
}

function isReadPaused(queue: ListenerQueue, now: number): boolean {
  if (now < queue.backOffUntil || queue.waiting.length >= maxBuffered) return true;
  return isDegraded(queue, now) && queue.waiting.length + queue.calls.size > 0;
}

/** Rate limit of the calls to one destination: a token bucket whose rate grows by one with each success. */
export class TokenBucket {
  #rate: number;
  #tokens: number;
  #refilledAt: number;

  constructor(initialRate: number, nowMs: number) {
    this.#rate = initialRate;
    this.#tokens = initialRate;
    this.#refilledAt = nowMs;
  }

  /** Returns how long to wait before the next call, in milliseconds; 0 if a call may start now. */
  waitMs(nowMs: number): number {
    // The bucket holds at most one second's worth of tokens.
    this.#tokens = Math.min(this.#rate, this.#tokens + ((nowMs - this.#refilledAt) * this.#rate) / 1_000);
    this.#refilledAt = nowMs;
    return this.#tokens < 1 ? ((1 - this.#tokens) * 1_000) / this.#rate : 0;
  }

  /** Takes one token; call this when a call starts. */
  take(): void {
    this.#tokens--;
  }

  succeeded(): void {
    this.#rate = Math.min(this.#rate + 1, rateMax);
  }
}

/** Maximum rate, in calls per second. Eight concurrent calls cannot reach it. */
const rateMax = 100_000;

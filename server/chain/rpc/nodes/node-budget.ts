/** Limits what is sent to one node: a token bucket whose rate is shared by the parts of the host. */
import { callAfter, onAbort } from "ridlkit-runtime/time";
import type { NodeSettings } from "../../networks/network.ts";
import { nodeLimits } from "../node-limits.ts";
import { BudgetExhausted } from "./faults.ts";

/** `calls` of users; the `follower` of the chain; and other `background` work. */
export type Share = "calls" | "follower" | "background";

const shares: readonly Share[] = ["calls", "follower", "background"];

const { parts, burstSeconds, maxBackOffMs } = nodeLimits.budget;

export interface TakeOptions {
  /** Longest wait, in milliseconds. Default: no limit. */
  readonly maxWaitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Callers take turns, so that no caller uses up the share. */
  readonly caller?: string | undefined;
}

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

interface Bucket {
  /** Negative after a request that weighs more than the bucket holds, or that did not wait. */
  tokens: number;
  readonly maxTokens: number;
  readonly waiting: FairQueue<Waiting>;
}

/**
 * Each share has a bucket. What a full bucket cannot hold flows into the others, so a share that sends alone has the whole rate. A share
 * never uses up the tokens of another one: requests of users are sent at once however much the follower has to catch up.
 */
export class NodeBudget {
  /** Infinite if the rate is not configured. */
  readonly perSecond: number;
  readonly #weights: Readonly<Record<string, number>>;
  readonly #buckets: Readonly<Record<Share, Bucket>>;
  #refilledAt = performance.now();
  #backsOffUntil = 0;
  #stopTimer = (): void => {};

  constructor({ maxPerSecond = Number.POSITIVE_INFINITY, weights = {} }: Omit<NodeSettings, "url"> = {}) {
    this.perSecond = maxPerSecond;
    this.#weights = weights;
    const bucket = (share: Share): Bucket => {
      const maxTokens = maxTokensOf(share, maxPerSecond);
      return { tokens: maxTokens, maxTokens, waiting: new FairQueue() };
    };
    this.#buckets = {
      calls: bucket("calls"),
      follower: bucket("follower"),
      background: bucket("background"),
    };
  }

  weightOf(method: string): number {
    return this.#weights[method] ?? 1;
  }

  /** Whether a request of weight 1 would be sent without waiting. */
  isFree(share: Share): boolean {
    const now = performance.now();
    this.#refill(now);
    const { tokens, waiting } = this.#buckets[share];
    return now >= this.#backsOffUntil && waiting.next === undefined && tokens >= 1;
  }

  hasWaiting(share: Share): boolean {
    return this.#buckets[share].waiting.next !== undefined;
  }

  /** Resolves when the request may be sent. Rejects with BudgetExhausted after `maxWaitMs`, or with the signal's reason. */
  take(share: Share, method: string, { maxWaitMs, signal, caller = "" }: TakeOptions = {}): Promise<void> {
    const weight = this.weightOf(method);
    const bucket = this.#buckets[share];
    this.#refill(performance.now());
    if (bucket.waiting.next === undefined && this.#admits(bucket, weight)) {
      bucket.tokens -= weight;
      return Promise.resolve();
    }
    return new Promise((done, fail) => {
      const end = (): void => {
        stopTimer();
        forget();
        bucket.waiting.delete(caller, waiting);
      };
      const waiting: Waiting = {
        weight,
        start: () => {
          end();
          done();
        },
      };
      const giveUp = (): void => {
        end();
        fail(new BudgetExhausted(`its limit allowed no further request within ${maxWaitMs} ms`));
      };
      if (signal?.aborted === true) return fail(signal.reason);
      const stopTimer = callAfter(maxWaitMs ?? Number.POSITIVE_INFINITY, undefined, giveUp);
      const forget = onAbort(signal, () => {
        end();
        fail(signal?.reason);
      });
      bucket.waiting.add(caller, waiting);
      this.#wakeLater();
    });
  }

  /** Takes the weight of a request that does not wait. Later requests wait until it is refilled. */
  owe(share: Share, method: string): void {
    this.#refill(performance.now());
    this.#buckets[share].tokens -= this.weightOf(method);
  }

  /** Sends nothing for a while, because the node asked for that. */
  backOff(ms: number): void {
    this.#backsOffUntil = Math.max(this.#backsOffUntil, performance.now() + Math.min(ms, maxBackOffMs));
  }

  /** A weight above the size of the bucket is admitted by a full one, and is owed afterwards. */
  #admits({ tokens, maxTokens }: Bucket, weight: number): boolean {
    return performance.now() >= this.#backsOffUntil && tokens >= Math.min(weight, maxTokens);
  }

  #refill(now: number): void {
    const perMs = this.perSecond / 1_000;
    let surplus = Math.max(0, now - this.#refilledAt) * perMs;
    this.#refilledAt = now;
    if (!Number.isFinite(perMs)) return;
    for (let open: readonly Share[] = shares; surplus > 1e-9 && open.length > 0; ) {
      const sum = open.reduce((total, share) => total + parts[share], 0);
      const given = surplus;
      surplus = 0;
      for (const share of open) {
        const bucket = this.#buckets[share];
        const tokens = bucket.tokens + (given * parts[share]) / sum;
        bucket.tokens = Math.min(tokens, bucket.maxTokens);
        surplus += tokens - bucket.tokens;
      }
      open = open.filter((share) => this.#buckets[share].tokens < this.#buckets[share].maxTokens);
    }
  }

  #startWaiting(): void {
    this.#refill(performance.now());
    for (const share of shares) {
      const bucket = this.#buckets[share];
      const { waiting } = bucket;
      while (waiting.next !== undefined && this.#admits(bucket, waiting.next.weight)) {
        const { weight, start } = waiting.next;
        bucket.tokens -= weight;
        start();
      }
    }
    this.#wakeLater();
  }

  /** Wakes when the first waiting request could start if its share had the whole rate. */
  #wakeLater(): void {
    this.#stopTimer();
    const now = performance.now();
    const waits = shares.flatMap((share) => {
      const { tokens, maxTokens, waiting } = this.#buckets[share];
      if (waiting.next === undefined) return [];
      const missing = Math.max(0, Math.min(waiting.next.weight, maxTokens) - tokens);
      return [Math.max(this.#backsOffUntil - now, (missing / this.perSecond) * 1_000)];
    });
    if (waits.length === 0) return;
    this.#stopTimer = callAfter(Math.max(1, Math.ceil(Math.min(...waits))), undefined, () =>
      this.#startWaiting(),
    );
  }
}

function maxTokensOf(share: Share, perSecond: number): number {
  return Math.max(1, perSecond * burstSeconds * parts[share]);
}

/** A queue whose items are served round robin between their callers, and first in, first out for each of them. */
class FairQueue<Item> {
  /** In round-robin order. No set is empty. */
  readonly #byCaller = new Map<string, Set<Item>>();

  /** The item that is served next. */
  get next(): Item | undefined {
    const [items] = this.#byCaller.values();
    const [item] = items ?? [];
    return item;
  }

  add(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    if (items === undefined) this.#byCaller.set(caller, new Set([item]));
    else items.add(item);
  }

  /** If the item was next, it was its caller's turn: the others come first now. */
  delete(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    const wasNext = item === this.next;
    if (items?.delete(item) !== true) return;
    if (wasNext || items.size === 0) this.#byCaller.delete(caller);
    if (wasNext && items.size > 0) this.#byCaller.set(caller, items);
  }
}

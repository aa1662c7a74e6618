import { QueueLimit } from "../queue-limit.ts";
import { DatabaseBusy } from "./fault.ts";

/** An owner of connections whose use is limited: a project or an address. */
export interface ShareHolder {
  readonly name: string;
  /**
   * The holder may acquire one more connection while it holds fewer than `free / divisor`. With 1 it may hold as many as are
   * free, with 3 a third of them.
   */
  readonly divisor: number;
}

/** The host itself, without a limit: its queries are few and cheap, and every call waits for them. */
export const hostHolder: ShareHolder = { name: "host", divisor: 0 };

export interface SharesOptions {
  readonly connections: number;
  /** A queue that does not drain for this long, in milliseconds, is an overload: further queries are rejected. */
  readonly burstMs: number;
  /** Longest wait of a query, in milliseconds. */
  readonly waitMaxMs: number;
}

interface HolderState {
  held: number;
  waiting: number;
  readonly limit: QueueLimit;
}

interface Waiter {
  readonly start: () => void;
}

/** Waiters of the same holders. */
interface HolderQueue {
  readonly holders: readonly ShareHolder[];
  readonly waiters: Set<Waiter>;
}

/**
 * Decides who gets the next connection.
 * Each holder may acquire a part of the free connections. The first holder leaves at least half of all connections free, the second
 * one at least half of those, and so on: a holder that needs its first connection finds one (the dynamic thresholds of Choudhury and
 * Hahne, IEEE/ACM Transactions on Networking 6.2).
 * Queues are served round robin, one waiter each. The length of a queue is limited for each holder separately, so only callers
 * who request too much are rejected.
 */
export class ConnectionShares {
  readonly #options: SharesOptions;
  readonly #holders = new Map<string, HolderState>();
  /** In round-robin order. */
  readonly #queues = new Map<string, HolderQueue>();
  #free: number;

  constructor(options: SharesOptions) {
    this.#options = options;
    this.#free = options.connections;
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiters }) => sum + waiters.size, 0);
  }

  /** Whether `acquire` would throw DatabaseBusy immediately: the holders can neither start nor wait. */
  isFull(holders: readonly ShareHolder[]): boolean {
    if (this.#startsImmediately(holders)) return false;
    return isRejecting(holders.flatMap(({ name }) => this.#holders.get(name) ?? []));
  }

  /**
   * Resolves once the holders may use one more connection; `release` returns it. Throws DatabaseBusy if they may not wait, or
   * waited too long.
   */
  async acquire(holders: readonly ShareHolder[]): Promise<void> {
    if (this.#startsImmediately(holders)) return this.#start(holders);
    if (isRejecting(holders.map((holder) => this.#stateOf(holder)))) {
      this.#forgetIdle(holders);
      throw new DatabaseBusy("too many queries wait for a connection");
    }
    await this.#wait(holders);
  }

  /** Returns a connection that was held for `heldMs`. */
  release(holders: readonly ShareHolder[], heldMs: number): void {
    this.#free++;
    for (const holder of holders) {
      const state = this.#stateOf(holder);
      state.held--;
      state.limit.served(heldMs);
    }
    this.#startWaiters();
    this.#forgetIdle(holders);
  }

  #wait(holders: readonly ShareHolder[]): Promise<void> {
    const key = queueKeyOf(holders);
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(key) ?? { holders, waiters: new Set() };
      this.#queues.set(key, queue);
      const stopWaiting = (): void => {
        clearTimeout(timer);
        queue.waiters.delete(waiter);
        if (queue.waiters.size === 0) this.#queues.delete(key);
        for (const holder of holders) this.#stateOf(holder).waiting--;
      };
      const waiter: Waiter = {
        start: () => {
          stopWaiting();
          this.#start(holders);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        stopWaiting();
        this.#forgetIdle(holders);
        reject(new DatabaseBusy("waited too long for a connection"));
      }, this.#options.waitMaxMs);
      queue.waiters.add(waiter);
      for (const holder of holders) this.#stateOf(holder).waiting++;
    });
  }

  #start(holders: readonly ShareHolder[]): void {
    this.#free--;
    for (const holder of holders) this.#stateOf(holder).held++;
  }

  /** Starts one waiter per queue, round robin, while any may start. */
  #startWaiters(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#free === 0) return;
      const [next] = queue.waiters;
      if (next === undefined || !this.#canStart(queue.holders)) continue;
      this.#queues.delete(key);
      next.start();
      if (queue.waiters.size > 0) this.#queues.set(key, queue);
    }
  }

  #startsImmediately(holders: readonly ShareHolder[]): boolean {
    return !this.#queues.has(queueKeyOf(holders)) && this.#canStart(holders);
  }

  #canStart(holders: readonly ShareHolder[]): boolean {
    return (
      this.#free > 0 &&
      holders.every(({ name, divisor }) => (this.#holders.get(name)?.held ?? 0) * divisor < this.#free)
    );
  }

  #stateOf({ name, divisor }: ShareHolder): HolderState {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const { connections, burstMs } = this.#options;
    // The most connections that it may hold alone.
    const concurrency = Math.ceil(connections / (divisor + 1));
    const state = { held: 0, waiting: 0, limit: new QueueLimit({ concurrency, burstMs }) };
    this.#holders.set(name, state);
    return state;
  }

  #forgetIdle(holders: readonly ShareHolder[]): void {
    for (const { name } of holders) {
      const state = this.#holders.get(name);
      if (state?.held === 0 && state.waiting === 0) this.#holders.delete(name);
    }
  }
}

/** Calls `admits` on every limit, because each records its rejections. */
function isRejecting(states: readonly HolderState[]): boolean {
  return states.filter(({ limit, waiting }) => !limit.admits(waiting)).length > 0;
}

function queueKeyOf(holders: readonly ShareHolder[]): string {
  return holders.map(({ name }) => name).join("\n");
}

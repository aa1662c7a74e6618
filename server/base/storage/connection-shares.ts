import { QueueLimit } from "../queue-limit.ts";
import { DatabaseBusy } from "./fault.ts";

/** Somebody whose use of connections is bounded: a project, an address. */
export interface ShareHolder {
  readonly name: string;
  /** May acquire one more connection while it holds fewer than this part of those that are free: 1 is as many, 3 a third of them. */
  readonly divisor: number;
}

/** The host itself. Its questions are few and cheap, and every call waits for them. */
export const hostHolder: ShareHolder = { name: "host", divisor: 0 };

export interface SharesOptions {
  readonly connections: number;
  /** Longest wait in a burst, in milliseconds. */
  readonly burstMs: number;
  /** Longest wait of all, in milliseconds. */
  readonly waitMaxMs: number;
}

interface HolderState {
  held: number;
  waiting: number;
  readonly bound: QueueLimit;
}

interface Waiter {
  readonly start: () => void;
}

/** Those who are the same holders wait in one queue. */
interface HolderQueue {
  readonly holders: readonly ShareHolder[];
  readonly waiters: Set<Waiter>;
}

/**
 * Who gets the next connection. Each holder may acquire a part of what is free, so that the first one leaves half of all connections or
 * more, the second half of the rest, and one that asks for its first connection finds one (the dynamic thresholds of Choudhury and
 * Hahne, IEEE/ACM Transactions on Networking 6.2). Lines are served in turn, one waiter each. How long a queue may be is decided for
 * each holder by itself: a caller who asks for too much is refused, and nobody else is.
 */
export class ConnectionShares {
  readonly #options: SharesOptions;
  readonly #holders = new Map<string, HolderState>();
  /** In the order of their turns. */
  readonly #queues = new Map<string, HolderQueue>();
  #free: number;

  constructor(options: SharesOptions) {
    this.#options = options;
    this.#free = options.connections;
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiters }) => sum + waiters.size, 0);
  }

  /** Whether `acquire` would throw DatabaseBusy at once: no connection is free for the holders, and they may not wait for one either. */
  isFull(holders: readonly ShareHolder[]): boolean {
    if (this.#startsAtOnce(holders)) return false;
    return isRefusing(holders.flatMap(({ name }) => this.#holders.get(name) ?? []));
  }

  /** Resolves once the holders may use one more connection, which `give` ends. Throws DatabaseBusy if they may not wait for it, or waited too long. */
  async acquire(holders: readonly ShareHolder[]): Promise<void> {
    if (this.#startsAtOnce(holders)) return this.#start(holders);
    if (isRefusing(holders.map((holder) => this.#stateOf(holder)))) {
      this.#forgetIdle(holders);
      throw new DatabaseBusy("too many wait for a connection");
    }
    await this.#wait(holders);
  }

  /** A turn is over that took so long. */
  release(holders: readonly ShareHolder[], turnMs: number): void {
    this.#free++;
    for (const holder of holders) {
      const state = this.#stateOf(holder);
      state.held--;
      state.bound.served(turnMs);
    }
    this.#startWaiters();
    this.#forgetIdle(holders);
  }

  #wait(holders: readonly ShareHolder[]): Promise<void> {
    const key = queueKeyOf(holders);
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(key) ?? { holders, waiters: new Set() };
      this.#queues.set(key, queue);
      const leave = (): void => {
        clearTimeout(timer);
        queue.waiters.delete(waiter);
        if (queue.waiters.size === 0) this.#queues.delete(key);
        for (const holder of holders) this.#stateOf(holder).waiting--;
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          this.#start(holders);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
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

  /** One of each queue, and again, as long as somebody may start. A queue that had its turn goes to the end. */
  #startWaiters(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#free === 0) return;
      const [next] = queue.waiters;
      if (next === undefined || !this.#mayStart(queue.holders)) continue;
      this.#queues.delete(key);
      next.start();
      if (queue.waiters.size > 0) this.#queues.set(key, queue);
    }
  }

  #startsAtOnce(holders: readonly ShareHolder[]): boolean {
    return !this.#queues.has(queueKeyOf(holders)) && this.#mayStart(holders);
  }

  #mayStart(holders: readonly ShareHolder[]): boolean {
    return (
      this.#free > 0 &&
      holders.every(({ name, divisor }) => (this.#holders.get(name)?.held ?? 0) * divisor < this.#free)
    );
  }

  #stateOf({ name, divisor }: ShareHolder): HolderState {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const { connections, burstMs } = this.#options;
    // As many as it may hold while there is nobody else.
    const concurrency = Math.ceil(connections / (divisor + 1));
    const state = { held: 0, waiting: 0, bound: new QueueLimit({ concurrency, burstMs }) };
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

/** Each bound is asked, since each notes what it refuses. */
function isRefusing(states: readonly HolderState[]): boolean {
  return states.filter(({ bound, waiting }) => !bound.admits(waiting)).length > 0;
}

function queueKeyOf(holders: readonly ShareHolder[]): string {
  return holders.map(({ name }) => name).join("\n");
}

import { QueueBound } from "../queue-bound.ts";
import { DatabaseBusy } from "./fault.ts";

/** Somebody whose use of connections is bounded: a project, an address. */
export interface Holder {
  readonly name: string;
  /** May take one more connection while it holds fewer than this part of those that are free: 1 is as many, 3 a third of them. */
  readonly divisor: number;
}

/** The host itself. Its questions are few and cheap, and every call waits for them. */
export const hostHolder: Holder = { name: "host", divisor: 0 };

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
  readonly bound: QueueBound;
}

interface Waiter {
  readonly start: () => void;
}

/** Those who are the same holders wait in one line. */
interface Line {
  readonly holders: readonly Holder[];
  readonly waiters: Set<Waiter>;
}

/**
 * Who gets the next connection. Each holder may take a part of what is free, so that the first one leaves half of all connections or
 * more, the second half of the rest, and one that asks for its first connection finds one (the dynamic thresholds of Choudhury and
 * Hahne, IEEE/ACM Transactions on Networking 6.2). Lines are served in turn, one waiter each. How long a line may be is decided for
 * each holder by itself: a caller who asks for too much is refused, and nobody else is.
 */
export class Shares {
  readonly #options: SharesOptions;
  readonly #holders = new Map<string, HolderState>();
  /** In the order of their turns. */
  readonly #lines = new Map<string, Line>();
  #free: number;

  constructor(options: SharesOptions) {
    this.#options = options;
    this.#free = options.connections;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { waiters }) => sum + waiters.size, 0);
  }

  /** Whether `take` would throw DatabaseBusy at once: no connection is free for the holders, and they may not wait for one either. */
  isFull(holders: readonly Holder[]): boolean {
    if (this.#startsAtOnce(holders)) return false;
    return isRefusing(holders.flatMap(({ name }) => this.#holders.get(name) ?? []));
  }

  /** Resolves once the holders may use one more connection, which `give` ends. Throws DatabaseBusy if they may not wait for it, or waited too long. */
  async take(holders: readonly Holder[]): Promise<void> {
    if (this.#startsAtOnce(holders)) return this.#start(holders);
    if (isRefusing(holders.map((holder) => this.#stateOf(holder)))) {
      this.#forgetIdle(holders);
      throw new DatabaseBusy("too many wait for a connection");
    }
    await this.#wait(holders);
  }

  /** A turn is over that took so long. */
  give(holders: readonly Holder[], turnMs: number): void {
    this.#free++;
    for (const holder of holders) {
      const state = this.#stateOf(holder);
      state.held--;
      state.bound.served(turnMs);
    }
    this.#startWaiters();
    this.#forgetIdle(holders);
  }

  #wait(holders: readonly Holder[]): Promise<void> {
    const key = lineOf(holders);
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(key) ?? { holders, waiters: new Set() };
      this.#lines.set(key, line);
      const leave = (): void => {
        clearTimeout(timer);
        line.waiters.delete(waiter);
        if (line.waiters.size === 0) this.#lines.delete(key);
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
      line.waiters.add(waiter);
      for (const holder of holders) this.#stateOf(holder).waiting++;
    });
  }

  #start(holders: readonly Holder[]): void {
    this.#free--;
    for (const holder of holders) this.#stateOf(holder).held++;
  }

  /** One of each line, and again, as long as somebody may start. A line that had its turn goes to the end. */
  #startWaiters(): void {
    for (const [key, line] of this.#lines) {
      if (this.#free === 0) return;
      const [next] = line.waiters;
      if (next === undefined || !this.#mayStart(line.holders)) continue;
      this.#lines.delete(key);
      next.start();
      if (line.waiters.size > 0) this.#lines.set(key, line);
    }
  }

  #startsAtOnce(holders: readonly Holder[]): boolean {
    return !this.#lines.has(lineOf(holders)) && this.#mayStart(holders);
  }

  #mayStart(holders: readonly Holder[]): boolean {
    return (
      this.#free > 0 &&
      holders.every(({ name, divisor }) => (this.#holders.get(name)?.held ?? 0) * divisor < this.#free)
    );
  }

  #stateOf({ name, divisor }: Holder): HolderState {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const { connections, burstMs } = this.#options;
    // As many as it may hold while there is nobody else.
    const places = Math.ceil(connections / (divisor + 1));
    const state = { held: 0, waiting: 0, bound: new QueueBound({ places, burstMs }) };
    this.#holders.set(name, state);
    return state;
  }

  #forgetIdle(holders: readonly Holder[]): void {
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

function lineOf(holders: readonly Holder[]): string {
  return holders.map(({ name }) => name).join("\n");
}

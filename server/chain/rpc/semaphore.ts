/** Limits concurrency. Work beyond the limit waits first in, first out. */
export class Semaphore {
  readonly #limit: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when a slot is free. Rejects with the signal's reason if that aborts first. */
  async run<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    if (this.#taken >= this.#limit) await this.#wait(signal);
    else this.#taken++;
    try {
      return await work();
    } finally {
      // Pass the slot to the task that has waited longest, or free it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken--;
      else next();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((done, fail) => {
      const start = (): void => {
        signal.removeEventListener("abort", giveUp);
        done();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        fail(signal.reason);
      };
      if (signal.aborted) fail(signal.reason);
      else {
        this.#waiting.push(start);
        signal.addEventListener("abort", giveUp, { once: true });
      }
    });
  }
}

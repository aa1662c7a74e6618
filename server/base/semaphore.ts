import { onAbort } from "ridlkit-runtime/time";

/** Limits concurrency. Work beyond the limit waits first in, first out. */
export class Semaphore {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when a slot is free. Rejects with the signal's reason if that aborts first. */
  async run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    await this.acquire(signal);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Waits for a slot. Rejects with the signal's reason if that aborts first; otherwise, the caller must call `release`. */
  async acquire(signal?: AbortSignal): Promise<void> {
    if (this.#taken >= this.#limit) await this.#wait(signal);
    else this.#taken++;
  }

  /** Passes the slot to the task that has waited longest, or frees it. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((done, fail) => {
      const start = (): void => {
        forget();
        done();
      };
      if (signal?.aborted === true) return fail(signal.reason);
      this.#waiting.push(start);
      const forget = onAbort(signal, () => {
        forget();
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        fail(signal?.reason);
      });
    });
  }
}

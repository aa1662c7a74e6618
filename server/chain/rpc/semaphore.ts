/** Lets so many things happen at once; the others wait in the order in which they came. */
export class Semaphore {
  readonly #most: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when it is its turn. Rejects with the signal's reason if that is aborted before. */
  async run<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    if (this.#taken >= this.#most) await this.#turn(signal);
    else this.#taken++;
    try {
      return await work();
    } finally {
      // The place goes to who waited longest, or is free.
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken--;
      else next();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((done, fail) => {
      const turn = (): void => {
        signal.removeEventListener("abort", giveUp);
        done();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        fail(signal.reason);
      };
      if (signal.aborted) fail(signal.reason);
      else {
        this.#waiting.push(turn);
        signal.addEventListener("abort", giveUp, { once: true });
      }
    });
  }
}

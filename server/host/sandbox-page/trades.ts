import type { LiveTrades } from "./snapshot.ts";

/** Makes one trade on the local chain. Returns what happened, as a sentence. */
export type MakeTrade = () => Promise<string>;

export interface TradesOptions {
  readonly makeTrade: MakeTrade;
  /** Time between two trades while a page watches, in seconds. Null: trades are made on request only. */
  readonly everySeconds: number | null;
}

/** Trades that the sandbox makes itself, one after the other. */
export class Trades {
  readonly #options: TradesOptions;
  #running: Promise<string> | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #last: LiveTrades["last"] = null;

  constructor(options: TradesOptions) {
    this.#options = options;
  }

  shown(): LiveTrades {
    return { everySeconds: this.#options.everySeconds, last: this.#last };
  }

  /** Starts a trade if one is due. Called while a page watches, so that nothing happens unless someone sees it. */
  beat(): void {
    const { everySeconds } = this.#options;
    if (everySeconds === null || performance.now() - this.#startedAt < everySeconds * 1_000) return;
    // `shown()` tells about a failure.
    void this.make().catch(() => {});
  }

  /** Joins a trade that is being made. Rejects if the chain rejected the trade. */
  make(): Promise<string> {
    this.#running ??= this.#make().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #make(): Promise<string> {
    this.#startedAt = performance.now();
    const tell = (text: string, isFault: boolean): void => {
      this.#last = { at: new Date().toISOString(), text, isFault };
    };
    try {
      const text = await this.#options.makeTrade();
      tell(text, false);
      return text;
    } catch (err) {
      tell("The last trade failed. The next one may work.", true);
      throw err;
    }
  }
}

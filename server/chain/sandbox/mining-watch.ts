import { setTimeout as sleep } from "node:timers/promises";
import { readHead, request } from "./rpc.ts";

/** Interval of the checks, and time-out of each, in milliseconds. A transaction is mined within half a second. */
const defaultCheckMs = 5_000;

/** Notices that a local chain does not respond, or that its transactions wait and no block is mined. Reports it once until it is over. */
export class MiningWatch implements AsyncDisposable {
  readonly #rpcUrl: string;
  readonly #warn: (line: string) => void;
  readonly #checkMs: number;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #waitingSince: string | undefined;
  #problem: string | undefined;

  constructor(rpcUrl: string, warn: (line: string) => void, checkMs: number = defaultCheckMs) {
    this.#rpcUrl = rpcUrl;
    this.#warn = warn;
    this.#checkMs = checkMs;
    this.#running = this.#run();
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await sleep(this.#checkMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const problem = await this.#check(AbortSignal.any([signal, AbortSignal.timeout(this.#checkMs)]));
      if (signal.aborted) return;
      if (problem !== undefined && this.#problem === undefined)
        this.#warn(`the local chain ${problem}; stop and start the sandbox`);
      this.#problem = problem;
    }
  }

  async #check(signal: AbortSignal): Promise<string | undefined> {
    try {
      const { pending } = await request<{ readonly pending: string }>(
        this.#rpcUrl,
        "txpool_status",
        [],
        signal,
      );
      const { hash } = await readHead(this.#rpcUrl, signal);
      const isStuck = Number(pending) > 0 && this.#waitingSince === hash;
      this.#waitingSince = Number(pending) > 0 ? hash : undefined;
      return isStuck ? `mines no blocks, although ${Number(pending)} transactions wait` : undefined;
    } catch {
      return "does not respond";
    }
  }
}

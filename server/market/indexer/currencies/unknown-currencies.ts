import type { Database } from "../../../base/storage/database.ts";
import type { Chain } from "../../../chain/rpc/chain.ts";
import { againSeconds, askUnknownCurrencies } from "./ask-unknown.ts";

export interface UnknownCurrenciesPorts {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** A round failed; another one follows. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

/** How long a round may take. */
const roundMaxMs = 10_000;

/** Asks the contracts that orders named as their currency how many digits they have, each once; until then nobody can say what an order costs. */
export class UnknownCurrencies implements AsyncDisposable {
  readonly #ports: UnknownCurrenciesPorts;
  readonly #ended = new AbortController();
  readonly #rounds = new Map<number, Promise<void>>();
  readonly #again = new Set<number>();
  readonly #timer: NodeJS.Timeout;

  constructor(ports: UnknownCurrenciesPorts, chainIds: readonly number[]) {
    this.#ports = ports;
    const wakeAll = (): void => {
      for (const chainId of chainIds) this.wake(chainId);
    };
    this.#timer = setInterval(wakeAll, againSeconds * 1_000);
    this.#timer.unref();
    wakeAll();
  }

  /** There may be new ones. */
  wake(chainId: number): void {
    if (this.#ended.signal.aborted) return;
    if (this.#rounds.has(chainId)) {
      this.#again.add(chainId);
      return;
    }
    const round = this.#ask(chainId)
      .catch((err: unknown) => {
        if (!this.#ended.signal.aborted) this.#ports.onFailure(chainId, err);
      })
      .finally(() => {
        this.#rounds.delete(chainId);
        if (this.#again.delete(chainId)) this.wake(chainId);
      });
    this.#rounds.set(chainId, round);
  }

  async #ask(chainId: number): Promise<void> {
    const { database, chainOf } = this.#ports;
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(roundMaxMs)]);
    if (await askUnknownCurrencies(database, chainId, () => chainOf(chainId), signal))
      this.#again.add(chainId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await Promise.all(this.#rounds.values());
  }
}

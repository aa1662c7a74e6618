import type { Database } from "../../../base/storage/database.ts";
import type { Chain } from "../../../chain/rpc/chain.ts";
import { resolveUnknownCurrencies, retrySeconds } from "./resolve-unknown.ts";

export interface UnknownCurrencyDependencies {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** A round failed and will be retried. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

/** Time-out of a round, in milliseconds. */
const maxRoundMs = 10_000;

/** Reads the decimals of currencies that orders use, until each is known. Without decimals, an order has no price. */
export class UnknownCurrencyResolver implements AsyncDisposable {
  readonly #dependencies: UnknownCurrencyDependencies;
  readonly #ended = new AbortController();
  readonly #rounds = new Map<number, Promise<void>>();
  readonly #requested = new Set<number>();
  readonly #timer: NodeJS.Timeout;

  constructor(dependencies: UnknownCurrencyDependencies, chainIds: readonly number[]) {
    this.#dependencies = dependencies;
    const wakeAll = (): void => {
      for (const chainId of chainIds) this.wake(chainId);
    };
    this.#timer = setInterval(wakeAll, retrySeconds * 1_000);
    this.#timer.unref();
    wakeAll();
  }

  /** Starts a round, or requests another one if a round is running. */
  wake(chainId: number): void {
    if (this.#ended.signal.aborted) return;
    if (this.#rounds.has(chainId)) {
      this.#requested.add(chainId);
      return;
    }
    const round = this.#resolve(chainId)
      .catch((err: unknown) => {
        if (!this.#ended.signal.aborted) this.#dependencies.onFailure(chainId, err);
      })
      .finally(() => {
        this.#rounds.delete(chainId);
        if (this.#requested.delete(chainId)) this.wake(chainId);
      });
    this.#rounds.set(chainId, round);
  }

  async #resolve(chainId: number): Promise<void> {
    const { database, chainOf } = this.#dependencies;
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(maxRoundMs)]);
    if (await resolveUnknownCurrencies(database, chainId, () => chainOf(chainId), signal))
      this.#requested.add(chainId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await Promise.all(this.#rounds.values());
  }
}

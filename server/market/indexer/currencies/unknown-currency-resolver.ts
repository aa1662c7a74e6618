import type { Database } from "../../../base/storage/database.ts";
import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { updateAvailability } from "../availability/availability-sql.ts";
import { readCurrencies } from "./read-currencies.ts";

interface UnknownCurrencyDependencies {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** A round failed and will be retried. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

/** Timeout of a round, in milliseconds. */
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

/** Currencies per batch. Each takes three calls; a round trip can hold a hundred. */
const batchSize = 33;
/** Delay before an unresponsive contract is queried again, in seconds. */
const retrySeconds = 600;

/** Reads one batch of unknown currencies from the chain, and updates the orders that wait for them. Returns whether more may be due. */
export async function resolveUnknownCurrencies(
  database: Pick<Database, "query" | "transaction">,
  chainId: number,
  chain: () => Promise<Chain>,
  signal: AbortSignal,
): Promise<boolean> {
  const rows = await database.query<{ readonly address: Hex }>(dueSql, [chainId, batchSize, retrySeconds]);
  if (rows.length > 0) {
    const addresses = rows.map(({ address }) => address);
    const known = await readCurrencies(await chain(), addresses, signal);
    await database.query(storeSql, [
      chainId,
      known.map(({ address }) => address),
      known.map(({ symbol }) => symbol),
      known.map(({ name }) => name),
      known.map(({ decimals }) => decimals),
    ]);
  }
  // Includes orders that were written while their currency was being resolved.
  await database.transaction(async (tx) => {
    const known = await tx.query<{ readonly id: string }>(waitingSql, [chainId]);
    await updateAvailability(
      tx,
      chainId,
      known.map(({ id }) => id),
    );
  });
  return rows.length === batchSize;
}

/** Claims the currencies that are due. */
const dueSql = {
  name: "unknown-currencies-due",
  text: `
    update currency set asked_at = now()
    where id in (
      select id from currency
      where chain_id = $1 and not is_known and (asked_at is null or asked_at < now() - make_interval(secs => $3))
      order by asked_at nulls first limit $2
      for update skip locked)
    returning address`,
};

const storeSql = {
  name: "unknown-currencies-keep",
  text: `
    update currency set symbol = reported.symbol, name = reported.name, decimals = reported.decimals, is_known = true, updated_at = now()
    from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as reported (address, symbol, name, decimals)
    where currency.chain_id = $1 and currency.address = reported.address and not currency.is_known`,
};

const waitingSql = {
  name: "unknown-currencies-waiting",
  text: `
    select market_order.id from market_order join currency on currency.id = market_order.currency_id
    where currency.chain_id = $1 and currency.is_known and market_order.status = 'decimals_missing' and market_order.origin = 'chain'`,
};

import type { Chain, Hex } from "../../chains/chain.ts";
import type { Database } from "../../storage/database.ts";
import { settleOrders } from "../availability/settle.ts";
import { askCurrencies } from "./ask-currencies.ts";

export interface UnknownCurrenciesPorts {
  readonly database: Database;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  /** A round failed; another one follows. */
  readonly onFailure: (chainId: number, err: unknown) => void;
}

/** A hundred calls are one round trip. */
const batch = 33;
/** When a contract that did not answer is asked again, and how long a round may take. */
const againSeconds = 600;
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
    const rows = await database.query<{ readonly address: Hex }>(dueSql, [chainId, batch, againSeconds]);
    if (rows.length > 0) {
      const addresses = rows.map(({ address }) => address);
      const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(roundMaxMs)]);
      const known = await askCurrencies(await chainOf(chainId), addresses, signal);
      await database.query(keepSql, [
        chainId,
        known.map(({ address }) => address),
        known.map(({ symbol }) => symbol),
        known.map(({ name }) => name),
        known.map(({ decimals }) => decimals),
      ]);
      if (rows.length === batch) this.#again.add(chainId);
    }
    // Also of orders that were written while their currency became known.
    await database.transaction(async (tx) => {
      const known = await tx.query<{ readonly id: string }>(waitingSql, [chainId]);
      await settleOrders(
        tx,
        chainId,
        known.map(({ id }) => id),
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await Promise.all(this.#rounds.values());
  }
}

/** Those that were not asked for a while; they are taken to be asked now. */
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

const keepSql = {
  name: "unknown-currencies-keep",
  text: `
    update currency set symbol = told.symbol, name = told.name, decimals = told.decimals, is_known = true, updated_at = now()
    from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as told (address, symbol, name, decimals)
    where currency.chain_id = $1 and currency.address = told.address and not currency.is_known`,
};

const waitingSql = {
  name: "unknown-currencies-waiting",
  text: `
    select market_order.id from market_order join currency on currency.id = market_order.currency_id
    where currency.chain_id = $1 and currency.is_known and market_order.status = 'decimals_missing' and market_order.origin = 'chain'`,
};

import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { CurrencyRates, PricedCurrency } from "./currency.ts";

/**
 * For how long rates are answered from memory, in milliseconds. A new rate therefore counts within a second, on every replica, and
 * reads cost no second statement.
 */
const keptMs = 1_000;

interface Kept {
  readonly at: number;
  readonly rates: Promise<readonly PricedCurrency[]>;
}

/**
 * Rates as the chain says them where the configuration names a feed or a pool, and there no other; else as they were imported, and where
 * there is none those of the configuration.
 */
export function storedRates(
  queries: Queries,
  networks: readonly Network[],
  now: () => number = () => performance.now(),
): CurrencyRates {
  const kept = new Map<number, Kept>();
  const fixed = new Map(networks.map(({ chainId, currencies }) => [chainId, currencies]));

  async function read(chainId: number): Promise<readonly PricedCurrency[]> {
    const given = (fixed.get(chainId) ?? []).filter(({ usdRate }) => usdRate !== undefined);
    return queries.query<PricedCurrency>(statement, [
      chainId,
      given.map(({ address }) => address),
      given.map(({ usdRate }) => usdRate),
      (fixed.get(chainId) ?? []).filter(({ usdFrom }) => usdFrom !== undefined).map(({ address }) => address),
    ]);
  }

  return {
    pricedOn(chainId) {
      const known = kept.get(chainId);
      if (known !== undefined && now() - known.at < keptMs) return known.rates;
      const rates = read(chainId);
      kept.set(chainId, { at: now(), rates });
      // A database that is away is asked again by the next call.
      rates.catch(() => kept.delete(chainId));
      return rates;
    },
  };
}

const statement: Statement = {
  name: "priced-currencies",
  text: `
    select currency.id, currency.address, currency.decimals, worth.rate::text as "usdRate"
    from currency
    left join unnest($2::text[], $3::numeric[]) as given (address, rate) on given.address = currency.address
    left join currency_rate told on told.currency_id = currency.id and told.good_until > now()
    cross join lateral (
      select case when currency.address = any($4) then told.usd_rate else coalesce(currency.usd_rate, given.rate) end as rate
    ) worth
    where currency.chain_id = $1 and worth.rate is not null`,
};

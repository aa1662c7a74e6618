import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { CurrencyRates, PricedCurrency } from "./currency.ts";

/** How long rates are cached, in milliseconds. A new rate applies within a second on every replica, and reads need no second statement. */
export const ratesMaxAgeMs = 1_000;

interface CachedRates {
  readonly at: number;
  readonly rates: Promise<readonly PricedCurrency[]>;
}

/**
 * Returns the rates by precedence: a configured feed or pool is the only source of its currency's rate; otherwise an imported rate
 * wins over a fixed one in the configuration.
 */
export function storedRates(
  queries: Queries,
  networks: readonly Network[],
  now: () => number = () => performance.now(),
): CurrencyRates {
  const cache = new Map<number, CachedRates>();
  const configured = new Map(networks.map(({ chainId, currencies }) => [chainId, currencies]));

  async function read(chainId: number): Promise<readonly PricedCurrency[]> {
    const currencies = configured.get(chainId) ?? [];
    const withFixedRate = currencies.filter(({ usdRate }) => usdRate !== undefined);
    return queries.query<PricedCurrency>(statement, [
      chainId,
      withFixedRate.map(({ address }) => address),
      withFixedRate.map(({ usdRate }) => usdRate),
      currencies.filter(({ usdFrom }) => usdFrom !== undefined).map(({ address }) => address),
    ]);
  }

  return {
    pricedOn(chainId) {
      const cached = cache.get(chainId);
      if (cached !== undefined && now() - cached.at < ratesMaxAgeMs) return cached.rates;
      const rates = read(chainId);
      cache.set(chainId, { at: now(), rates });
      // Do not cache a failure.
      rates.catch(() => cache.delete(chainId));
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
    left join currency_rate reported on reported.currency_id = currency.id and reported.good_until > now()
    cross join lateral (
      select case when currency.address = any($4) then reported.usd_rate else coalesce(currency.usd_rate, given.rate) end as rate
    ) worth
    where currency.chain_id = $1 and worth.rate is not null`,
};

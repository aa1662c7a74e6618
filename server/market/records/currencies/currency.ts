import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { Network } from "../../../chain/networks/network.ts";

/** A currency that orders can be priced in. */
export interface Currency {
  /** Id of its database row. */
  readonly id: number;
  /** Lower case. The zero address is the chain's native coin. */
  readonly address: string;
  readonly decimals: number;
}

/** A currency with a rate, so that its orders compete with those in other currencies. */
export interface PricedCurrency extends Currency {
  /** US dollars per whole unit, a plain decimal above 0. */
  readonly usdRate: string;
}

/** A source of exchange rates: configuration, imports, price feeds, pools. */
export interface CurrencyRates {
  /** Currencies of a chain that have a rate now. */
  pricedOn(chainId: number): Promise<readonly PricedCurrency[]>;
}

interface CurrencyReference {
  readonly id: number;
  /** Whether its decimals are known. Orders in an unknown currency stay inactive. */
  readonly isKnown: boolean;
}

/** Returns the currencies of a chain by address (lower case), and creates missing ones as unknown. */
export async function findOrCreateCurrencies(
  tx: Queries,
  chainId: number,
  addresses: Iterable<string>,
): Promise<ReadonlyMap<string, CurrencyReference>> {
  const unique = [...new Set(addresses)];
  const found = new Map<string, CurrencyReference>();
  const find = async (addressesToFind: readonly string[]): Promise<void> => {
    const rows = await tx.query<CurrencyReference & { readonly address: string }>(findSql, [
      chainId,
      addressesToFind,
    ]);
    for (const { address, id, isKnown } of rows) found.set(address, { id, isKnown });
  };
  await find(unique);
  const unknown = unique.filter((address) => !found.has(address));
  if (unknown.length === 0) return found;
  await tx.query(createSql, [chainId, unknown]);
  // Another transaction may have created some of them at the same moment.
  await find(unknown);
  return found;
}

const findSql = {
  name: "named-currencies",
  text: `select id, address, is_known as "isKnown" from currency where chain_id = $1 and address = any($2::text[])`,
};

const createSql = {
  name: "currencies-make",
  text: `
    insert into currency (chain_id, address, symbol, name, decimals, is_known)
    select $1::bigint, address, '', '', 0, false from unnest($2::text[]) as named (address)
    on conflict do nothing`,
};

/** Stores the configured currencies. Their symbol, name and decimals override imported ones. */
export async function storeConfiguredCurrencies(
  queries: Queries,
  networks: readonly Network[],
): Promise<void> {
  const all = networks.flatMap(({ chainId, currencies }) =>
    currencies.map((currency) => ({ chainId, ...currency })),
  );
  // A list may contain a currency twice, but an upsert may not touch a row twice.
  const unique = [
    ...new Map(all.map((currency) => [`${currency.chainId} ${currency.address}`, currency])).values(),
  ];
  await queries.query(storeStatement, [
    unique.map(({ chainId }) => chainId),
    unique.map(({ address }) => address),
    unique.map(({ symbol }) => symbol),
    unique.map(({ name }) => name),
    unique.map(({ decimals }) => decimals),
  ]);
}

const storeStatement: Statement = {
  text: `
    insert into currency as known (chain_id, address, symbol, name, decimals)
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[])
    on conflict (chain_id, address) do update
      set symbol = excluded.symbol, name = excluded.name, decimals = excluded.decimals, is_known = true, updated_at = now()
      where (known.symbol, known.name, known.decimals, known.is_known)
        <> (excluded.symbol, excluded.name, excluded.decimals, true)`,
};

export function findCurrencies(
  queries: Queries,
  chainId: number,
  addresses: readonly string[],
): Promise<readonly Currency[]> {
  return queries.query<Currency>(findStatement, [chainId, addresses]);
}

const findStatement: Statement = {
  name: "find-currencies",
  text: "select id, address, decimals from currency where chain_id = $1 and address = any($2::text[])",
};

/** An exact non-negative decimal: `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** `"2000.50"` → 20005 / 10^1, or an equal fraction. Takes plain decimals, as Postgres and the settings write them. */
export function readDecimal(text: string): Decimal {
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** Omits trailing zeros: 1500 / 10^3 → `"1.5"`. */
export function writeDecimal({ digits, scale }: Decimal): string {
  return withPoint(String(digits), scale);
}

/** Inserts the decimal point into a digit string: `"1500"`, 3 → `"1.5"`. */
export function withPoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const text = digits.padStart(scale + 1, "0");
  const point = text.length - scale;
  let end = text.length;
  while (end > point && text.charCodeAt(end - 1) === zero) end--;
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
}

const zero = "0".charCodeAt(0);

/** Rounds half up to `places` decimals. */
export function round({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits, scale };
  const unit = 10n ** BigInt(scale - places);
  return { digits: (digits + unit / 2n) / unit, scale: places };
}

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

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

export interface CurrencyReference {
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

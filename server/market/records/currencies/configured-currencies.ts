import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { Network } from "../../../chain/networks/network.ts";

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
  await queries.query(statement, [
    unique.map(({ chainId }) => chainId),
    unique.map(({ address }) => address),
    unique.map(({ symbol }) => symbol),
    unique.map(({ name }) => name),
    unique.map(({ decimals }) => decimals),
  ]);
}

const statement: Statement = {
  text: `
    insert into currency as known (chain_id, address, symbol, name, decimals)
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[])
    on conflict (chain_id, address) do update
      set symbol = excluded.symbol, name = excluded.name, decimals = excluded.decimals, is_known = true, updated_at = now()
      where (known.symbol, known.name, known.decimals, known.is_known)
        <> (excluded.symbol, excluded.name, excluded.decimals, true)`,
};

import type { Queries, Statement } from "../../../base/storage/database.ts";
import type { Network } from "../../../chain/networks/network.ts";

/** Puts the currencies of the configuration among those that orders may name; what it says of them goes before what was imported. */
export async function noteCurrencies(queries: Queries, networks: readonly Network[]): Promise<void> {
  const all = networks.flatMap(({ chainId, currencies }) =>
    currencies.map((currency) => ({ chainId, ...currency })),
  );
  // A list may name a currency twice, which one statement may not change twice.
  const once = [
    ...new Map(all.map((currency) => [`${currency.chainId} ${currency.address}`, currency])).values(),
  ];
  await queries.query(statement, [
    once.map(({ chainId }) => chainId),
    once.map(({ address }) => address),
    once.map(({ symbol }) => symbol),
    once.map(({ name }) => name),
    once.map(({ decimals }) => decimals),
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

import type { Queries } from "../../../base/storage/database.ts";

export interface NamedCurrency {
  readonly id: number;
  /** False: nobody has said yet how many digits it has, and what is priced in it waits. */
  readonly isKnown: boolean;
}

/** What orders of a chain name as their currencies, by their addresses in lower case. Those that nobody knows yet are made. */
export async function namedCurrencies(
  tx: Queries,
  chainId: number,
  addresses: Iterable<string>,
): Promise<ReadonlyMap<string, NamedCurrency>> {
  const wanted = [...new Set(addresses)];
  const found = new Map<string, NamedCurrency>();
  const find = async (some: readonly string[]): Promise<void> => {
    const rows = await tx.query<NamedCurrency & { readonly address: string }>(findSql, [chainId, some]);
    for (const { address, id, isKnown } of rows) found.set(address, { id, isKnown });
  };
  await find(wanted);
  const unknown = wanted.filter((address) => !found.has(address));
  if (unknown.length === 0) return found;
  await tx.query(makeSql, [chainId, unknown]);
  // Somebody else may have made some of them at the same moment.
  await find(unknown);
  return found;
}

const findSql = {
  name: "named-currencies",
  text: `select id, address, is_known as "isKnown" from currency where chain_id = $1 and address = any($2::text[])`,
};

const makeSql = {
  name: "currencies-make",
  text: `
    insert into currency (chain_id, address, symbol, name, decimals, is_known)
    select $1::bigint, address, '', '', 0, false from unnest($2::text[]) as named (address)
    on conflict do nothing`,
};

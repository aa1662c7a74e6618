import type { Queries } from "../../../base/storage/database.ts";

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

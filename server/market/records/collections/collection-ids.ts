import type { Queries } from "../../../base/storage/database.ts";

/** The ids of contracts of tokens by their addresses, in lower case. Those that nobody knows yet are made, in this order. */
export async function collectionIds(
  tx: Queries,
  chainId: number,
  addresses: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(addresses)];
  const ids = new Map<string, string>();
  const find = async (some: readonly string[]): Promise<void> => {
    const rows = await tx.query<{ readonly id: string; readonly address: string }>(findSql, [chainId, some]);
    for (const { id, address } of rows) ids.set(address, id);
  };
  await find(wanted);
  const unknown = wanted.filter((address) => !ids.has(address));
  if (unknown.length === 0) return ids;
  await tx.query(makeSql, [chainId, unknown]);
  // Somebody else may have made some of them at the same moment.
  await find(unknown);
  return ids;
}

const findSql = {
  name: "collection-ids",
  text: "select id, address from collection where chain_id = $1 and address = any($2::text[])",
};

const makeSql = {
  name: "collections-make",
  text: "insert into collection (chain_id, address) select $1::bigint, unnest($2::text[]) on conflict do nothing",
};

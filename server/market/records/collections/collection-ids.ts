import type { Queries } from "../../../base/storage/database.ts";

/** Returns the ids of collections by address (lower case), and creates missing ones in the given order. */
export async function findOrCreateCollections(
  tx: Queries,
  chainId: number,
  addresses: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const unique = [...new Set(addresses)];
  const ids = new Map<string, string>();
  const find = async (addressesToFind: readonly string[]): Promise<void> => {
    const rows = await tx.query<{ readonly id: string; readonly address: string }>(findSql, [
      chainId,
      addressesToFind,
    ]);
    for (const { id, address } of rows) ids.set(address, id);
  };
  await find(unique);
  const unknown = unique.filter((address) => !ids.has(address));
  if (unknown.length === 0) return ids;
  await tx.query(createSql, [chainId, unknown]);
  // Another transaction may have created some of them at the same moment.
  await find(unknown);
  return ids;
}

const findSql = {
  name: "collection-ids",
  text: "select id, address from collection where chain_id = $1 and address = any($2::text[])",
};

const createSql = {
  name: "collections-make",
  text: "insert into collection (chain_id, address) select $1::bigint, unnest($2::text[]) on conflict do nothing",
};

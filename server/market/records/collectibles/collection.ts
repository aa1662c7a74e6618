import type { Queries, Statement } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";

export interface CollectionRow {
  /** False if an operator has ended the reading of its events. */
  readonly isActive: boolean;
  readonly createdAt: string;
}

/** Undefined if nothing is known of the collection. */
export async function findCollection(
  queries: Queries,
  chainId: number,
  address: string,
): Promise<CollectionRow | undefined> {
  const [row] = await queries.query<CollectionRow>(statement, [chainId, address]);
  return row;
}

const statement: Statement = {
  name: "collection-detail",
  text: `
    select ${utcExact("collection.created_at")} as "createdAt", coalesce(followed.is_followed, true) as "isActive"
    from collection left join followed_collection as followed on followed.collection_id = collection.id
    where collection.chain_id = $1 and collection.address = $2`,
};

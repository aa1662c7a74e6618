/** Metadata that an operator has deleted: it is neither read nor imported again until the operator allows it. */
import type { Database, Queries } from "../../base/storage/database.ts";
import { sqlStateOf } from "../../base/storage/fault.ts";
import { enqueueTokens } from "./queue.ts";

/** Tokens of a transaction: their properties are indexed in it. */
const pageTokens = 1_000;

const countSql = `
select count(*)::int as count from collectible
where collection_id = $1 and ($2::numeric is null or token_id = $2) and (deleted_because is not null) = $3`;

/** Counts tokens of a collection, or one token. */
export async function countMetadata(
  queries: Queries,
  collectionId: string,
  { tokenId, isDeleted }: { readonly tokenId: string | undefined; readonly isDeleted: boolean },
): Promise<number> {
  const [row] = await queries.query<{ count: number }>(countSql, [collectionId, tokenId ?? null, isDeleted]);
  return row?.count ?? 0;
}

const pageSql = `
select id, token_id::text as "tokenId" from collectible
where collection_id = $1 and ($2::numeric is null or token_id = $2) and (deleted_because is not null) = $3 and token_id > $4
order by token_id limit ${pageTokens} for update`;

const deleteSql = `
update collectible set name = '', description = null, image = null, video = null, audio = null, image_data = null,
  external_url = null, background_color = null, animation_url = null, decimals = null, attributes = '[]', properties = null,
  status = 'NOT_AVAILABLE', origin = 'import', metadata_updated_at = now(), deleted_because = $2
where id = any($1)`;

/** Returns the number of tokens. */
export function deleteMetadata(
  database: Database,
  collectionId: string,
  { tokenId, reason }: { readonly tokenId: string | undefined; readonly reason: string },
): Promise<number> {
  return forEachPage(database, { collectionId, tokenId, isDeleted: false }, async (tx, ids) => {
    await tx.query(deleteSql, [ids, reason]);
    await tx.query("delete from asset where collectible_id = any($1)", [ids]);
    await tx.query(
      "update token_read set due_at = null, uri = null, wish = wish + 1 where collectible_id = any($1)",
      [ids],
    );
  });
}

const restoreSql = `
update collectible set origin = null, metadata_updated_at = null, deleted_because = null where id = any($1)`;

const isFollowedSql = "select from followed_collection where collection_id = $1 and is_followed";

/** Returns the number of tokens. Queues them if the host reads their collection. */
export async function restoreMetadata(
  database: Database,
  collectionId: string,
  tokenId: string | undefined,
): Promise<number> {
  const isFollowed = (await database.query(isFollowedSql, [collectionId])).length > 0;
  return forEachPage(database, { collectionId, tokenId, isDeleted: true }, async (tx, ids) => {
    await tx.query(restoreSql, [ids]);
    if (isFollowed) await enqueueTokens(tx, ids, null);
  });
}

interface Tokens {
  readonly collectionId: string;
  readonly tokenId: string | undefined;
  readonly isDeleted: boolean;
}

/** Works on the tokens in the order of their ids, a transaction for each page. */
async function forEachPage(
  database: Database,
  { collectionId, tokenId, isDeleted }: Tokens,
  work: (tx: Queries, ids: readonly string[]) => Promise<void>,
): Promise<number> {
  let tokens = 0;
  let after = "-1";
  for (;;) {
    const page = await untilNoDeadlock(database, async (tx) => {
      const rows = await tx.query<{ id: string; tokenId: string }>(pageSql, [
        collectionId,
        tokenId ?? null,
        isDeleted,
        after,
      ]);
      if (rows.length > 0)
        await work(
          tx,
          rows.map(({ id }) => id),
        );
      return rows;
    });
    tokens += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < pageTokens) return tokens;
    after = last.tokenId;
  }
}

/** Hosts that write readings lock the same tokens in another order. */
async function untilNoDeadlock<Result>(
  database: Database,
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(work);
    } catch (err) {
      if (sqlStateOf(err) !== "40P01" || attempt === attemptsMax) throw err;
    }
  }
}

const attemptsMax = 5;

export interface DeletedToken {
  readonly chainId: number;
  readonly contractAddress: string;
  readonly tokenId: string;
  readonly reason: string;
}

/** Returns the first tokens whose metadata was deleted, on all chains or one. */
export function deletedTokens(
  queries: Queries,
  chainId: number | undefined,
  limit: number,
): Promise<readonly DeletedToken[]> {
  return queries.query<DeletedToken>(
    `select chain_id::float8 as "chainId", address as "contractAddress", token_id::text as "tokenId", deleted_because as reason
     from collectible token join collection on collection.id = collection_id
     where deleted_because is not null and ($1::bigint is null or chain_id = $1)
     order by token.id limit $2`,
    [chainId ?? null, limit],
  );
}

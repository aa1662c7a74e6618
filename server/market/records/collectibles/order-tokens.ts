/** Tokens that orders refer to. */
import type { Queries } from "../../../base/storage/database.ts";
import { plainArray } from "../../../base/storage/plain-array.ts";
import { findOrCreateTokens, type TokenKey } from "./token-ids.ts";

/**
 * Returns the ids of tokens that orders refer to, in the given order, and creates missing ones. Queues tokens for reading if they have no
 * metadata and their collection is followed. `block` is the last block of the orders; undefined for orders that come from no block.
 */
export async function findOrCreateOrderTokens(
  tx: Queries,
  tokens: readonly TokenKey[],
  block?: number,
): Promise<readonly string[]> {
  const ids = await findOrCreateTokens(tx, tokens);
  const collections = new Set(tokens.map(({ collectionId }) => collectionId));
  const rows = await tx.query<{ readonly id: string }>(followedSql, [plainArray([...collections])]);
  const followed = new Set(rows.map(({ id }) => id));
  const followedIndexes = [...tokens.keys()].filter((index) =>
    followed.has(tokens[index]?.collectionId ?? ""),
  );
  if (followedIndexes.length === 0) return ids;
  await tx.query(enqueueSql, [
    plainArray(followedIndexes.map((index) => ids[index])),
    plainArray(followedIndexes.map((index) => tokens[index]?.collectionId)),
    block ?? null,
  ]);
  return ids;
}

/** Checked once per collection: orders refer to many tokens of few collections. */
const followedSql = {
  name: "tokens-named-followed",
  text: "select collection_id as id from followed_collection where collection_id = any($1::bigint[]) and is_followed",
};

const enqueueSql = {
  name: "tokens-named",
  text: `
    insert into token_read (collectible_id, due_at, wish_block, is_named)
    select distinct named.id, now(), $3::bigint, true
    from unnest($1::bigint[], $2::bigint[]) as named (id, collection_id)
    where exists (select from followed_collection where followed_collection.collection_id = named.collection_id and is_followed)
      and exists (select from collectible where collectible.id = named.id and origin is null)
      and not exists (select from token_read where collectible_id = named.id)
    order by named.id
    on conflict do nothing`,
};

/** Whether an open order is for this token. `offset 0` makes Postgres check token by token instead of reading all open orders. */
export function hasOpenOrder(token: string): string {
  return `exists (
        select from market_order open_order
        where open_order.collectible_id = ${token} and open_order.collectible_id is not null
          and open_order.status in ('active', 'inactive', 'decimals_missing') and open_order.deleted_at is null offset 0
      )`;
}

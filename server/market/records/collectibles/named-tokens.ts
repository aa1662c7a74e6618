/** Tokens that orders name. */
import type { Queries } from "../../../base/storage/database.ts";
import { plainArray } from "../../../base/storage/plain-array.ts";
import { type TokenKey, tokenIds } from "./token-ids.ts";

/**
 * The ids of tokens that orders name in blocks up to this one, or in no block, in their order; those that nobody has read are to be read,
 * where their collection is followed.
 */
export async function namedTokens(
  tx: Queries,
  tokens: readonly TokenKey[],
  block?: number,
): Promise<readonly string[]> {
  const ids = await tokenIds(tx, tokens);
  const collections = new Set(tokens.map(({ collectionId }) => collectionId));
  const rows = await tx.query<{ readonly id: string }>(followedSql, [plainArray([...collections])]);
  const followed = new Set(rows.map(({ id }) => id));
  const wanted = [...tokens.keys()].filter((place) => followed.has(tokens[place]?.collectionId ?? ""));
  if (wanted.length === 0) return ids;
  await tx.query(wishSql, [
    plainArray(wanted.map((place) => ids[place])),
    plainArray(wanted.map((place) => tokens[place]?.collectionId)),
    block ?? null,
  ]);
  return ids;
}

/** Asked once a collection, of which there are few, and not once a token. */
const followedSql = {
  name: "tokens-named-followed",
  text: "select collection_id as id from followed_collection where collection_id = any($1::bigint[]) and is_followed",
};

/** Puts tokens into the queue of readings. */
const wishSql = {
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

/** Whether an open order names this token. Asked of one token after the other: `offset 0` keeps all open orders from being read for it. */
export function isNamed(token: string): string {
  return `exists (
        select from market_order naming
        where naming.collectible_id = ${token} and naming.collectible_id is not null
          and naming.status in ('active', 'inactive', 'decimals_missing') and naming.deleted_at is null offset 0
      )`;
}

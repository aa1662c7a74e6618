import type { Queries } from "../../../base/storage/database.ts";
import { type Parameters, plainArray } from "../../../base/storage/sql.ts";
import { uint256Max } from "../../../base/uint256.ts";

interface TokenKey {
  readonly collectionId: string;
  /** Decimal if a string. */
  readonly tokenId: bigint | string;
}

/** Returns the ids of tokens in the given order, and creates missing ones. */
export async function findOrCreateTokens(
  tx: Queries,
  tokens: readonly TokenKey[],
): Promise<readonly string[]> {
  const ids = await find(tx, tokens);
  const unknown = [...ids.keys()].filter((index) => ids[index] === "");
  if (unknown.length === 0) return ids;
  const missing = unknown.map((index) => tokens[index] as TokenKey);
  await tx.query(createSql, columnsOf(missing));
  // Another transaction may have created some of them at the same moment.
  for (const [index, id] of (await find(tx, missing)).entries()) ids[unknown[index] as number] = id;
  return ids;
}

/** Returns an empty id for each missing token. */
async function find(tx: Queries, tokens: readonly TokenKey[]): Promise<string[]> {
  if (tokens.length === 0) return [];
  const [row] = await tx.query<{ readonly ids: string }>(findSql, columnsOf(tokens));
  return row?.ids.split(",") ?? [];
}

function columnsOf(tokens: readonly TokenKey[]): readonly unknown[] {
  return [
    plainArray(tokens.map(({ collectionId }) => collectionId)),
    plainArray(tokens.map(({ tokenId }) => tokenId)),
  ];
}

/** Returns all ids as one string, which is cheaper to read than thousands of rows. */
const findSql = {
  name: "token-ids",
  text: `
    select string_agg(coalesce((
      select id::text from collectible known where known.collection_id = wanted.collection_id and known.token_id = wanted.token_id
    ), ''), ',' order by index) as ids
    from unnest($1::bigint[], $2::numeric[]) with ordinality as wanted (collection_id, token_id, index)`,
};

const createSql = {
  name: "tokens-make",
  text: "insert into collectible (collection_id, token_id) select * from unnest($1::bigint[], $2::numeric[]) on conflict do nothing",
};

/* Tokens that orders refer to. */

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
  const named = new Set(ids.filter((_, index) => followed.has(tokens[index]?.collectionId ?? "")));
  if (named.size > 0) await tx.query(enqueueSql, [plainArray([...named]), block ?? null]);
  return ids;
}

/** Checked once per collection: orders refer to many tokens of few collections. */
const followedSql = {
  name: "tokens-named-followed",
  text: "select collection_id as id from followed_collection where collection_id = any($1::bigint[]) and is_followed",
};

/**
 * Scalar subqueries, because Postgres may join `exists` instead. Its statistics are from before the import, and it would compare each of the
 * named tokens with all others.
 */
const enqueueSql = {
  name: "tokens-named",
  text: `
    insert into token_read (collectible_id, due_at, wish_block, is_named)
    select id, now(), $2::bigint, true
    from unnest($1::bigint[]) as named (id)
    where (select origin is null from collectible where collectible.id = named.id)
      and (select collectible_id from token_read where collectible_id = named.id) is null
    order by id
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

/** CTE `here (id, chain_id, address)`: the collection, or no row if it is unknown. */
export function collectionCte(chainId: number, address: string, parameters: Parameters): string {
  return `here as materialized (
    select id, chain_id, address from collection
    where chain_id = ${parameters.bind(chainId, "bigint")} and address = ${parameters.bind(address, "text")}
  )`;
}

/** Whether a token is shown: not if only removed blocks created it, unless an import or an open order refers to it. */
export function isShown(token: string): string {
  return `(not ${token}.is_undone or (${token}.origin = 'import' and ${token}.deleted_because is null) or ${hasOpenOrder(`${token}.id`)})`;
}

/**
 * Selects the tokens of the collection in the CTE `here` after an id, as a range of the index. Without the range, Postgres reads and sorts
 * all tokens of a large collection if most other collections are small. Order by `collection_id`, `token_id`.
 */
export function isAfterToken(tokenId: string, last: string = String(uint256Max)): string {
  return `(token.collection_id, token.token_id) > ((select id from here), ${tokenId})
      and (token.collection_id, token.token_id) <= ((select id from here), ${last})`;
}

/** SQL of an id below that of every token. */
export const firstTokenId = "-1";

/** Returns the ids of collections by address (lower case), and creates missing ones in the given order. */
export async function findOrCreateCollections(
  tx: Queries,
  chainId: number,
  addresses: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const unique = [...new Set(addresses)];
  const ids = new Map<string, string>();
  const find = async (addressesToFind: readonly string[]): Promise<void> => {
    const rows = await tx.query<{ readonly id: string; readonly address: string }>(findCollectionsSql, [
      chainId,
      addressesToFind,
    ]);
    for (const { id, address } of rows) ids.set(address, id);
  };
  await find(unique);
  const unknown = unique.filter((address) => !ids.has(address));
  if (unknown.length === 0) return ids;
  await tx.query(createCollectionsSql, [chainId, unknown]);
  // Another transaction may have created some of them at the same moment.
  await find(unknown);
  return ids;
}

const findCollectionsSql = {
  name: "collection-ids",
  text: "select id, address from collection where chain_id = $1 and address = any($2::text[])",
};

const createCollectionsSql = {
  name: "collections-make",
  text: "insert into collection (chain_id, address) select $1::bigint, unnest($2::text[]) on conflict do nothing",
};

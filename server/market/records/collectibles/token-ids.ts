import type { Queries } from "../../../base/storage/database.ts";
import { plainArray } from "../../../base/storage/plain-array.ts";

export interface TokenKey {
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

import type { Queries } from "../../../base/storage/database.ts";
import { plainArray } from "../../../base/storage/plain-array.ts";

export interface TokenKey {
  readonly collectionId: string;
  /** Texts are decimal. */
  readonly tokenId: bigint | string;
}

/** The ids of tokens, in their order. Those that nobody knows yet are made. */
export async function tokenIds(tx: Queries, tokens: readonly TokenKey[]): Promise<readonly string[]> {
  const ids = await find(tx, tokens);
  const unknown = [...ids.keys()].filter((place) => ids[place] === "");
  if (unknown.length === 0) return ids;
  const missing = unknown.map((place) => tokens[place] as TokenKey);
  await tx.query(makeSql, columnsOf(missing));
  // Somebody else may have made some of them at the same moment.
  for (const [index, id] of (await find(tx, missing)).entries()) ids[unknown[index] as number] = id;
  return ids;
}

/** Empty: nobody knows it. */
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

/** One text for all, which takes less to read than thousands of rows. */
const findSql = {
  name: "token-ids",
  text: `
    select string_agg(coalesce((
      select id::text from collectible known where known.collection_id = wanted.collection_id and known.token_id = wanted.token_id
    ), ''), ',' order by place) as ids
    from unnest($1::bigint[], $2::numeric[]) with ordinality as wanted (collection_id, token_id, place)`,
};

const makeSql = {
  name: "tokens-make",
  text: "insert into collectible (collection_id, token_id) select * from unnest($1::bigint[], $2::numeric[]) on conflict do nothing",
};

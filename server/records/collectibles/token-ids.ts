import type { Queries } from "../../storage/database.ts";
import { plainArray } from "../../storage/plain-array.ts";

export interface TokenKey {
  readonly collectionId: string;
  readonly tokenId: bigint;
}

/** The ids of the tokens that were asked for. */
export interface TokenIds {
  of(token: TokenKey): string | undefined;
}

/** Those that nobody knows yet are made, in this order. */
export async function tokenIds(tx: Queries, tokens: Iterable<TokenKey>): Promise<TokenIds> {
  const wanted = new Map<string, TokenKey>();
  for (const token of tokens) wanted.set(keyOf(token), token);
  const ids = new Map<string, string>();
  const find = async (some: readonly TokenKey[]): Promise<void> => {
    const rows = await tx.query<Row>(findSql, columnsOf(some));
    for (const { id, collection_id, token_id } of rows) ids.set(`${collection_id}/${token_id}`, id);
  };
  await find([...wanted.values()]);
  const unknown = [...wanted].flatMap(([key, token]) => (ids.has(key) ? [] : [token]));
  if (unknown.length > 0) {
    await tx.query(makeSql, columnsOf(unknown));
    // Somebody else may have made some of them at the same moment.
    await find(unknown);
  }
  return { of: (token) => ids.get(keyOf(token)) };
}

interface Row {
  readonly id: string;
  readonly collection_id: string;
  readonly token_id: string;
}

function keyOf({ collectionId, tokenId }: TokenKey): string {
  return `${collectionId}/${tokenId}`;
}

function columnsOf(tokens: readonly TokenKey[]): readonly unknown[] {
  return [tokens.map(({ collectionId }) => collectionId), tokens.map(({ tokenId }) => tokenId)].map(
    plainArray,
  );
}

const findSql = {
  name: "token-ids",
  text: `
    select found.* from unnest($1::bigint[], $2::numeric[]) as wanted (collection_id, token_id)
    cross join lateral (
      select id, known.collection_id, known.token_id::text as token_id from collectible known
      where known.collection_id = wanted.collection_id and known.token_id = wanted.token_id limit 1
    ) found`,
};

const makeSql = {
  name: "tokens-make",
  text: "insert into collectible (collection_id, token_id) select * from unnest($1::bigint[], $2::numeric[]) on conflict do nothing",
};

/** Tokens with their metadata, by id or by filter. */
import type { Queries, Statement } from "../../../base/storage/database.ts";
import { Parameters } from "../../../base/storage/sql.ts";
import { type JsonRow, json, jsonListOf, jsonRow, nested, plainText, readRows } from "../json-row.ts";
import { collectionCte, firstTokenId, isAfterToken, isShown } from "./ids.ts";
import {
  type AssetRow,
  assetsOf,
  cutToken,
  isWanted,
  type OwnTokenRow,
  type TokenConditions,
  type TokenRow,
  tokenJson,
  wantedTable,
} from "./token-sql.ts";

export interface TokenReference {
  readonly contractAddress: string;
  readonly tokenId: string;
}

/** Returns tokens in the given order, and undefined for unknown ones. */
export async function tokensById(
  queries: Queries,
  chainId: number,
  references: readonly TokenReference[],
): Promise<readonly (TokenRow | undefined)[]> {
  if (references.length === 0) return [];
  const [found] = await queries.query<TokensRow>(byIdSql, [
    chainId,
    references.map(({ contractAddress }) => contractAddress),
    references.map(({ tokenId }) => tokenId),
    references.length,
  ]);
  const tokens = new Map(
    tokensOf(found).map(({ contractAddress, token }) => [`${contractAddress} ${token.tokenId}`, token]),
  );
  return references.map(({ contractAddress, tokenId }) => tokens.get(`${contractAddress} ${tokenId}`));
}

interface TokensRow {
  /** JSON. Null if empty. */
  readonly tokens: string | null;
  readonly assets: Readonly<Record<number, readonly AssetRow[]>> | null;
}

interface Entry {
  readonly id: number;
  readonly token: OwnTokenRow;
  readonly contractAddress: string;
}

const entryJson: JsonRow<Entry> = jsonRow<Entry>({
  id: json("token.id"),
  token: nested(tokenJson),
  contractAddress: plainText("shown.address"),
});

function tokensOf(
  found: TokensRow | undefined,
): readonly { readonly contractAddress: string; readonly token: TokenRow }[] {
  return readRows(entryJson, found?.tokens).map(({ id, contractAddress, token }) => ({
    contractAddress,
    token: { ...token, assets: found?.assets?.[id] ?? null },
  }));
}

/** The columns of TokensRow, for the tokens in the CTE `shown (id, token_id, address)`. `size` is SQL of their largest number. */
function tokenColumns(size: string): string {
  return `(
      select ${jsonListOf(entryJson, "order by shown.token_id")}
      from shown join collectible as token on token.id = shown.id ${cutToken(size)}
    ) as tokens, (${assetsOf("select id from shown", size)}
    ) as assets`;
}

const byIdSql: Statement = {
  name: "tokens-by-id",
  text: `
    with shown as materialized (
      select distinct token.id, token.token_id, collection.address
      from unnest($2::text[], $3::numeric[]) as asked (address, token_id)
      join collection on collection.chain_id = $1 and collection.address = asked.address
      join collectible as token on token.collection_id = collection.id and token.token_id = asked.token_id
      where ${isShown("token")}
    )
    select ${tokenColumns("$4::int")}`,
};

interface TokenSearch {
  readonly chainId: number;
  readonly contractAddress: string;
  readonly conditions: TokenConditions;
  readonly pageSize: number;
  readonly offset: number;
  /** Lists the tokens after this id. Undefined: from the first one on. */
  readonly after?: string | undefined;
}

interface FoundTokens {
  readonly rows: readonly TokenRow[];
  readonly more: boolean;
}

/** Lists the tokens of a collection that meet the conditions, by token id. */
export async function searchTokens(queries: Queries, search: TokenSearch): Promise<FoundTokens> {
  const parameters = new Parameters();
  const { chainId, contractAddress, conditions, pageSize, offset, after } = search;
  const tables = [
    collectionCte(chainId, contractAddress, parameters),
    wantedTable(conditions, parameters),
  ].filter((table) => table !== undefined);
  const filter = tables.length > 1 ? `and ${isWanted("token.id")}` : "";
  const start = after === undefined ? firstTokenId : parameters.bind(after, "numeric");
  const size = parameters.bind(pageSize, "int");
  const skipped = parameters.bind(offset, "bigint");
  const text = `
    with ${tables.join(", ")}, found as materialized (
      select token.id, token.token_id, here.address
      from collectible as token cross join here
      where ${isAfterToken(start)} and ${isShown("token")} ${filter}
      order by token.collection_id, token.token_id limit ${size} + 1 offset ${skipped}
    ), shown as materialized (
      select * from found order by token_id limit ${size}
    )
    select ${tokenColumns(size)}, (select count(*) from found) > ${size} as more`;
  const [row] = await queries.query<TokensRow & { readonly more: boolean }>(
    { text, ...(filter === "" && after === undefined ? { name: "tokens-of-collection" } : {}) },
    parameters.values,
  );
  return { rows: tokensOf(row).map(({ token }) => token), more: row?.more ?? false };
}

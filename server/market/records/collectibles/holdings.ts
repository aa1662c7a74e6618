/** Who owns which tokens, of collections whose owners are completely known. */
import type { Queries, Statement } from "../../../base/storage/database.ts";
import { uint256Max } from "../../../base/uint256.ts";
import { firstTokenId, isAfterToken } from "./ids.ts";

/** `followed_collection`: not while its history is read, nor if only its later events were requested. */
const isComplete = "is_followed and has_history and not is_waiting and history_block is null";

const typeOf = `coalesce((
        select type from contract_type
        where contract_type.chain_id = collection.chain_id and contract_type.address = decode(substr(collection.address, 3), 'hex')
      ), 'UNKNOWN')`;

const hereCte = `here as materialized (
      select collection.id from collection where chain_id = $1 and address = $2
    )`;

/** Returns the type of a collection whose owners are known. Undefined: they are not. */
export async function typeOfOwnedCollection(
  queries: Queries,
  chainId: number,
  contractAddress: string,
): Promise<string | undefined> {
  const [row] = await queries.query<{ readonly type: string }>(typeSql, [chainId, contractAddress]);
  return row?.type;
}

const typeSql: Statement = {
  name: "owned-collection",
  text: `
    select ${typeOf} as type from collection join followed_collection on collection_id = collection.id
    where chain_id = $1 and collection.address = $2 and ${isComplete}`,
};

interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export interface BalanceRow {
  readonly collectionId: string;
  readonly contractAddress: string;
  readonly contractType: string;
  /** Null: all tokens of the collection. */
  readonly tokenId: string | null;
  readonly balance: string;
  readonly tokens: string;
  /** The newest block of the chain that was read. */
  readonly blockNumber: number;
  readonly blockHash: string;
}

export interface BalancesQuery extends Slice {
  readonly chainId: number;
  readonly account: string;
  /** Undefined: all collections. */
  readonly collections: readonly string[] | undefined;
  readonly tokenId: string | undefined;
  /** One row for each collection. */
  readonly isSummary: boolean;
  /** The last row of the page before: the ids of its collection and its token. */
  readonly after: readonly [collectionId: string, tokenId: string] | undefined;
}

/** Lists what an account holds, by collection and token. */
export function listBalances(queries: Queries, query: BalancesQuery): Promise<readonly BalanceRow[]> {
  const { chainId, account, collections, tokenId, isSummary, after, limit, offset } = query;
  return queries.query<BalanceRow>(isSummary ? summarySql : balancesSql, [
    chainId,
    account,
    collections ?? null,
    tokenId ?? null,
    ...(after ?? ["0", firstTokenId]),
    limit,
    offset,
  ]);
}

const heldSql = `
      from collectible_owner as held
      join collectible as token on token.id = held.collectible_id
      join collection on collection.id = token.collection_id
      join followed_collection on followed_collection.collection_id = collection.id
      where held.owner = $2 and collection.chain_id = $1 and ${isComplete}
        and ($3::text[] is null or collection.address = any($3)) and ($4::numeric is null or token.token_id = $4)`;

function pageOf(entries: string): string {
  return `
    select entry."collectionId", collection.address as "contractAddress", ${typeOf} as "contractType", entry."tokenId"::text,
      least(entry.balance, ${uint256Max})::text as balance, entry.tokens,
      coalesce(block_number, 0)::float8 as "blockNumber", '0x' || encode(coalesce(block_hash, decode(repeat('00', 32), 'hex')), 'hex') as "blockHash"
    from (${entries}
    ) as entry
    join collection on collection.id = entry."collectionId"
    left join follower_cursor on follower_cursor.chain_id = $1
    where (entry."collectionId", coalesce(entry."tokenId", 0)) > ($5::bigint, $6::numeric)
    order by entry."collectionId", entry."tokenId" limit $7 offset $8`;
}

const balancesSql: Statement = {
  name: "balances",
  text: pageOf(`
      select token.collection_id as "collectionId", token.token_id as "tokenId", held.quantity as balance, 1 as tokens${heldSql}`),
};

const summarySql: Statement = {
  name: "balances-summary",
  text: pageOf(`
      select token.collection_id as "collectionId", null::numeric as "tokenId", sum(held.quantity) as balance, count(*) as tokens${heldSql}
      group by token.collection_id`),
};

export interface SupplyRow {
  readonly tokenId: string;
  readonly supply: string;
}

export interface SuppliesQuery extends Slice {
  readonly chainId: number;
  readonly contractAddress: string;
  readonly after: string | undefined;
}

/** Lists the tokens of a collection that have an owner. */
export function listSupplies(queries: Queries, query: SuppliesQuery): Promise<readonly SupplyRow[]> {
  const { chainId, contractAddress, after = firstTokenId, limit, offset } = query;
  return queries.query<SupplyRow>(suppliesSql, [chainId, contractAddress, after, limit, offset]);
}

const suppliesSql: Statement = {
  name: "supplies",
  text: `
    with ${hereCte}
    select token.token_id::text as "tokenId", least(owned.supply, ${uint256Max})::text as supply
    from collectible as token cross join lateral (
      select sum(quantity) as supply from collectible_owner where collectible_id = token.id
    ) as owned
    where ${isAfterToken("$3")} and owned.supply is not null
    order by token.collection_id, token.token_id limit $4 offset $5`,
};

export interface TokenRange {
  readonly start: string;
  readonly end: string;
}

/** Returns the ids of the tokens that have an owner. */
export function listTokenRanges(
  queries: Queries,
  chainId: number,
  contractAddress: string,
  after: string | undefined,
  limit: number,
): Promise<readonly TokenRange[]> {
  return queries.query<TokenRange>(rangesSql, [chainId, contractAddress, after ?? firstTokenId, limit]);
}

/** Ids that follow one another have the same difference to their place. */
const rangesSql: Statement = {
  name: "token-ranges",
  text: `
    with ${hereCte}
    select min(token_id)::text as start, max(token_id)::text as end
    from (
      select token_id, token_id - row_number() over (order by token_id) as difference from collectible as token
      where ${isAfterToken("$3")} and exists (select from collectible_owner where collectible_id = token.id)
    ) as owned
    group by difference order by difference limit $4`,
};

/** The tokens whose metadata is to be read: the table of readings is the queue. */
import type { Queries } from "../../base/storage/database.ts";

/** A token that this process reads now. */
export interface Claim {
  readonly collectibleId: string;
  readonly chainId: number;
  readonly address: `0x${string}`;
  readonly tokenId: string;
  readonly wish: string;
  readonly failures: number;
}

/** Events make a token be read at most so often, in seconds: a contract may emit them with each block. */
const readEverySeconds = 60;

const wishColumns = `
  wish = token_read.wish + 1, wish_block = excluded.wish_block, failures = 0,
  due_at = greatest(now(), token_read.read_at + make_interval(secs => ${readEverySeconds}))`;

/** Tokens of these ids, because they are new in a block. What was imported stays as it is. */
export async function wishForTokens(
  queries: Queries,
  ids: readonly string[],
  block: number | null,
): Promise<void> {
  if (ids.length === 0) return;
  await queries.query(
    `insert into token_read (collectible_id, due_at, wish_block)
     select id, now(), $2 from collectible where id = any($1) and origin is distinct from 'import'
     on conflict (collectible_id) do update set is_named = false, ${wishColumns}`,
    [ids, block],
  );
}

export interface TokenRange {
  readonly collectionId: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly block: number;
}

/** The tokens that exist, of ranges that may be those of all numbers. */
export async function wishForRanges(queries: Queries, ranges: readonly TokenRange[]): Promise<void> {
  if (ranges.length === 0) return;
  await queries.query(
    `insert into token_read (collectible_id, due_at, wish_block)
     select collectible.id, now(), max(block)
     from unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::bigint[]) as wanted (collection_id, first, last, block)
     join collectible using (collection_id)
     where token_id between first and last and origin is distinct from 'import'
     group by collectible.id
     on conflict (collectible_id) do update set ${wishColumns}`,
    [
      ranges.map(({ collectionId }) => collectionId),
      ranges.map(({ first }) => first.toString()),
      ranges.map(({ last }) => last.toString()),
      ranges.map(({ block }) => block),
    ],
  );
}

/** What was read because of blocks that left may be otherwise now. */
export async function wishAgain(queries: Queries, chainId: number, fromBlock: number): Promise<void> {
  await queries.query(
    `update token_read set wish = wish + 1, wish_block = null, due_at = now()
     from collectible, collection
     where wish_block >= $2 and collectible.id = collectible_id and collection.id = collection_id and chain_id = $1`,
    [chainId, fromBlock],
  );
}

/** All tokens of a collection, or one; also what was imported, and at once. Answers how many. */
export async function wishOnDemand(
  queries: Queries,
  collectionId: string,
  tokenId: string | null,
): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `with wished as (
       insert into token_read (collectible_id, due_at, is_forced)
       select id, now(), true from collectible where collection_id = $1 and ($2::numeric is null or token_id = $2)
       on conflict (collectible_id) do update
         set wish = token_read.wish + 1, wish_block = null, failures = 0, due_at = now(), is_forced = true
       returning 1
     )
     select count(*)::int as count from wished`,
    [collectionId, tokenId],
  );
  return row?.count ?? 0;
}

/** A claim is a lease: who dies while it reads, loses the token to another after so many seconds. */
const claimSql = {
  name: "token-read-claim",
  text: `
with due as (
  select collectible_id from token_read where due_at <= now() order by due_at limit $1 for update skip locked
), mine as (
  update token_read set due_at = now() + make_interval(secs => $2)
  from due where token_read.collectible_id = due.collectible_id
  returning token_read.collectible_id, wish, failures
)
select mine.collectible_id as "collectibleId", chain_id::float8 as "chainId", address, token_id::text as "tokenId", wish, failures
from mine join collectible on collectible.id = mine.collectible_id join collection on collection.id = collection_id`,
};

export function claim(queries: Queries, most: number, leaseSeconds: number): Promise<readonly Claim[]> {
  return queries.query<Claim>(claimSql, [most, leaseSeconds]);
}

export interface QueueLoad {
  readonly due: number;
  /** How long the oldest of them waits. */
  readonly ageSeconds: number;
}

export async function queueLoad(queries: Queries): Promise<QueueLoad> {
  const [row] = await queries.query<QueueLoad>(
    `select count(*)::int as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "ageSeconds"
     from token_read where due_at <= now()`,
  );
  return row ?? { due: 0, ageSeconds: 0 };
}

/**
 * The queue of tokens whose metadata is to be read: the table `token_read`. Its column `wish` counts requests, so that a request during a
 * reading is not lost.
 */
import type { Queries } from "../../base/storage/database.ts";

export interface Claim {
  readonly collectibleId: string;
  readonly chainId: number;
  readonly address: `0x${string}`;
  readonly tokenId: string;
  readonly requestCount: string;
  readonly failures: number;
}

/** Least interval between readings that events cause, in seconds: a contract may emit such events in every block. */
const minReadIntervalSeconds = 60;

const requeueColumns = `
  wish = token_read.wish + 1, wish_block = excluded.wish_block, failures = 0,
  due_at = greatest(now(), token_read.read_at + make_interval(secs => ${minReadIntervalSeconds}))`;

/** Queues tokens that are new in a block, except imported ones. */
export async function enqueueTokens(
  queries: Queries,
  ids: readonly string[],
  block: number | null,
): Promise<void> {
  if (ids.length === 0) return;
  await queries.query(
    `insert into token_read (collectible_id, due_at, wish_block)
     select id, now(), $2 from collectible where id = any($1) and origin is distinct from 'import'
     on conflict (collectible_id) do update set is_named = false, ${requeueColumns}`,
    [ids, block],
  );
}

export interface TokenRange {
  readonly collectionId: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly block: number;
}

/** Queues the stored tokens of ranges, except imported ones. A range may span all token ids. */
export async function enqueueRanges(queries: Queries, ranges: readonly TokenRange[]): Promise<void> {
  if (ranges.length === 0) return;
  await queries.query(
    `insert into token_read (collectible_id, due_at, wish_block)
     select collectible.id, now(), max(block)
     from unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::bigint[]) as wanted (collection_id, first, last, block)
     join collectible using (collection_id)
     where token_id between first and last and origin is distinct from 'import'
     group by collectible.id
     on conflict (collectible_id) do update set ${requeueColumns}`,
    [
      ranges.map(({ collectionId }) => collectionId),
      ranges.map(({ first }) => first.toString()),
      ranges.map(({ last }) => last.toString()),
      ranges.map(({ block }) => block),
    ],
  );
}

/** Queues the tokens that removed blocks had queued, because their metadata may differ now. */
export async function requeueFromBlock(queries: Queries, chainId: number, fromBlock: number): Promise<void> {
  await queries.query(
    `update token_read set wish = wish + 1, wish_block = null, due_at = now()
     from collectible, collection
     where wish_block >= $2 and collectible.id = collectible_id and collection.id = collection_id and chain_id = $1`,
    [chainId, fromBlock],
  );
}

/** Queues all tokens of a collection, or one, for immediate reading, imported ones included. Returns their number. */
export async function enqueueOnDemand(
  queries: Queries,
  collectionId: string,
  tokenId: string | null,
): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `with wished as (
       insert into token_read (collectible_id, due_at, is_forced)
       select id, now(), true from collectible
       where collection_id = $1 and ($2::numeric is null or token_id = $2) and deleted_because is null
       on conflict (collectible_id) do update
         set wish = token_read.wish + 1, wish_block = null, failures = 0, due_at = now(), is_forced = true
       returning 1
     )
     select count(*)::int as count from wished`,
    [collectionId, tokenId],
  );
  return row?.count ?? 0;
}

/** A claim is a lease: another process may claim the token after it ends. */
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
select mine.collectible_id as "collectibleId", chain_id::float8 as "chainId", address, token_id::text as "tokenId", wish as "requestCount", failures
from mine join collectible on collectible.id = mine.collectible_id join collection on collection.id = collection_id`,
};

export function claimTokens(
  queries: Queries,
  limit: number,
  leaseSeconds: number,
): Promise<readonly Claim[]> {
  return queries.query<Claim>(claimSql, [limit, leaseSeconds]);
}

export interface QueueLoad {
  readonly due: number;
  /** How long the oldest due token has waited. */
  readonly ageSeconds: number;
}

export async function queueLoad(queries: Queries): Promise<QueueLoad> {
  const [row] = await queries.query<QueueLoad>(
    `select count(*)::int as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "ageSeconds"
     from token_read where due_at <= now()`,
  );
  return row ?? { due: 0, ageSeconds: 0 };
}

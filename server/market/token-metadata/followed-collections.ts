/** The collections whose events and metadata are followed. */

import { StartFault } from "../../base/start-fault.ts";
import type { Queries, Transaction } from "../../base/storage/database.ts";
import { lastSettledBlock, readCheckpoint, requestRewind } from "../../chain/follower/checkpoint.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import { findOrCreateCollections } from "../records/collectibles/ids.ts";

export type FollowedBy = "setting" | "operator" | "order";

export interface CollectionKey {
  readonly chainId: number;
  /** Lower case. */
  readonly address: string;
}

export interface FollowOptions extends CollectionKey {
  readonly followedBy: FollowedBy;
  /** First block of its history to read. Undefined: only future events are needed. */
  readonly fromBlock?: number | undefined;
}

const followSql = `
insert into followed_collection as known (collection_id, known_through, is_waiting, history_block, followed_by, has_history)
values ($1, $2, $3, $4, $5, $6)
on conflict (collection_id) do update
set is_followed = true, followed_by = excluded.followed_by,
  known_through = excluded.known_through, is_waiting = excluded.is_waiting, history_block = excluded.history_block,
  has_history = excluded.has_history
where not known.is_followed or excluded.is_waiting or excluded.history_block is not null
returning 1`;

/**
 * Follows a collection, and queues its stored tokens for reading. The history reader covers blocks that can no longer be reorganized; the
 * follower then rewinds for the rest. Returns false if the collection is followed already and no history is requested.
 */
export async function followCollection(
  tx: Transaction,
  { chainId, address, followedBy, fromBlock }: FollowOptions,
): Promise<boolean> {
  const collectionId = await lockAndFind(tx, { chainId, address });
  const checkpoint = await readCheckpoint(tx, chainId);
  const needsHistory = fromBlock !== undefined && checkpoint !== undefined && fromBlock <= checkpoint.number;
  const startsSettled = needsHistory && fromBlock <= ((await lastSettledBlock(tx, chainId)) ?? -1);
  const knownThrough = fromBlock === undefined ? (checkpoint?.number ?? -1) : fromBlock - 1;
  if (fromBlock !== undefined) await deleteOwners(tx, collectionId);
  const rows = await tx.query(followSql, [
    collectionId,
    knownThrough,
    needsHistory && !startsSettled,
    startsSettled ? fromBlock : null,
    followedBy,
    fromBlock !== undefined,
  ]);
  if (rows.length === 0) return false;
  if (needsHistory && !startsSettled)
    await requestRewind(tx, chainId, Math.min(fromBlock, checkpoint.rewindTo ?? fromBlock));
  await tx.query("update token_network set revision = revision + 1 where chain_id = $1", [chainId]);
  await queueUnread(tx, collectionId);
  return true;
}

async function lockAndFind(tx: Queries, { chainId, address }: CollectionKey): Promise<string> {
  const id = (await findOrCreateCollections(tx, chainId, [address])).get(address) ?? "";
  await tx.query(lockSql, [id]);
  await tx.query("insert into token_network (chain_id) values ($1) on conflict do nothing", [chainId]);
  await tx.query("select from token_network where chain_id = $1 for update", [chainId]);
  return id;
}

/**
 * Waits for transactions that add orders for tokens of the collection, so that each token is queued either there or here. Does not lock a collection that
 * is followed already: a transaction that has locked `token_network` may be waiting for the row of
 * the collection, and the two would deadlock.
 */
const lockSql = `
select from collection where id = $1
  and not exists (select from followed_collection where collection_id = collection.id and is_followed)
for update`;

/** Ownership is rebuilt from the first block of the history. */
async function deleteOwners(tx: Queries, collectionId: string): Promise<void> {
  await tx.query(
    "delete from token_undo using collectible where collectible.id = collectible_id and collection_id = $1",
    [collectionId],
  );
  await tx.query(
    "delete from collectible_owner using collectible where collectible.id = collectible_id and collection_id = $1",
    [collectionId],
  );
}

/** Queues tokens that earlier orders refer to. */
async function queueUnread(tx: Queries, collectionId: string): Promise<void> {
  await tx.query(
    `insert into token_read (collectible_id, due_at)
     select id, now() from collectible where collection_id = $1 and origin is null on conflict do nothing`,
    [collectionId],
  );
}

export async function findCollection(
  queries: Queries,
  { chainId, address }: CollectionKey,
): Promise<string | undefined> {
  const [row] = await queries.query<{ id: string }>(
    "select id from collection where chain_id = $1 and address = $2",
    [chainId, address],
  );
  return row?.id;
}

/** Stops following a collection, even if orders refer to it. Stored tokens stay. */
export async function unfollowCollection(tx: Transaction, collectionId: string): Promise<boolean> {
  const rows = await tx.query<{ chain_id: string }>(
    `update followed_collection set is_followed = false, history_block = null from collection
     where collection_id = $1 and is_followed and collection.id = collection_id returning chain_id`,
    [collectionId],
  );
  for (const { chain_id } of rows)
    await tx.query("update token_network set revision = revision + 1 where chain_id = $1", [chain_id]);
  await tx.query(
    `update token_read set due_at = null from collectible
     where collectible.id = collectible_id and collection_id = $1`,
    [collectionId],
  );
  return rows.length > 0;
}

/** Returns collections that have orders and have never been followed. */
export function unfollowedCollectionsOfOrders(
  queries: Queries,
  chainIds: readonly number[],
): Promise<readonly CollectionKey[]> {
  return queries.query<CollectionKey>(
    `select chain_id::float8 as "chainId", address from collection
     where chain_id = any($1)
       and not exists (select from followed_collection where collection_id = collection.id)
       and exists (select from market_order where collection_id = collection.id)
     limit 1000`,
    [chainIds],
  );
}

export interface CollectionState extends CollectionKey {
  readonly followedBy: string;
  /** Next block of its history to read. Null when the requested history is complete. */
  readonly historyBlock: number | null;
  readonly tokens: number;
  readonly read: number;
  readonly due: number;
  readonly failing: number;
}

/** Returns all followed collections, or the given one. */
export function collectionStates(
  queries: Queries,
  collectionId?: string,
): Promise<readonly CollectionState[]> {
  return queries.query<CollectionState>(
    `select chain_id::float8 as "chainId", address, case when is_followed then followed_by else 'nobody' end as "followedBy",
       history_block::float8 as "historyBlock",
       count(collectible.id)::int as tokens, count(*) filter (where status = 'AVAILABLE')::int as read,
       count(due_at)::int as due, count(reason)::int as failing
     from followed_collection join collection on collection.id = collection_id
     left join collectible on collectible.collection_id = collection.id
     left join token_read on collectible_id = collectible.id
     where $1::bigint is null and is_followed or collection.id = $1
     group by collection.id, is_followed, followed_by, history_block order by collection.id`,
    [collectionId ?? null],
  );
}

export interface FailedToken {
  readonly tokenId: string;
  readonly status: string;
  readonly uri: string | null;
  readonly reason: string;
  readonly failures: number;
  readonly next: Date | null;
}

/** Returns tokens whose last reading failed, lowest token id first. */
export function listFailedTokens(
  queries: Queries,
  collectionId: string,
  limit: number,
): Promise<readonly FailedToken[]> {
  return queries.query<FailedToken>(
    `select token_id::text as "tokenId", status, uri, reason, failures, due_at as next
     from token_read join collectible on collectible.id = collectible_id
     where collection_id = $1 and reason is not null order by token_id limit $2`,
    [collectionId, limit],
  );
}

/** Parses entries such as `polygon=0x…@1000`, whose form has been checked. Throws StartFault for an unknown network. */
export function readCollections(
  entries: readonly string[],
  networks: Networks,
): readonly (CollectionKey & { readonly fromBlock: number | undefined })[] {
  return entries.map((entry) => {
    const [name = "", rest = ""] = entry.split("=");
    const [address = "", from] = rest.split("@");
    const network = networks.find(name);
    if (network === undefined)
      throw new StartFault(`collections: unknown network "${name}"; see: platform networks list`);
    return {
      chainId: network.chainId,
      address: address.toLowerCase(),
      fromBlock: from === undefined ? undefined : Number(from),
    };
  });
}

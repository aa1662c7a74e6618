/** Derives tokens from blocks: which exist, who owns them, and whose metadata must be read again. */

import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import type { BlockId, ChainBlock } from "../../chain/follower/derive/blocks.ts";
import type {
  AfterCommit,
  ChainTransaction,
  ContractTypeOf,
  Deriver,
} from "../../chain/follower/derive/deriver.ts";
import type { LogFilter } from "../../chain/follower/derive/log-filter.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { applyTransfers, undoTransfers } from "./owners.ts";
import { enqueueRanges, enqueueTokens, requeueFromBlock } from "./queue.ts";
import { type Collections, collectTokenChanges } from "./token-changes.ts";
import { tokenTopics } from "./token-events.ts";

export interface TokenDeriverDependencies {
  readonly database: Queries;
  readonly contractTypeOf: ContractTypeOf;
  /** Called after a commit that queued tokens for reading. */
  readonly wake: AfterCommit;
}

interface FollowedCollections {
  readonly revision: string;
  readonly filter: LogFilter;
}

export function createTokenDeriver({ database, contractTypeOf, wake }: TokenDeriverDependencies): Deriver {
  const chains = new Map<number, FollowedCollections>();

  async function logFilter(chainId: number): Promise<LogFilter> {
    const known = chains.get(chainId);
    const revision = await revisionOf(database, chainId);
    if (known?.revision === revision) return known.filter;
    const followed = await readFollowed(database, chainId, revision);
    chains.set(chainId, followed);
    return followed.filter;
  }

  async function added(
    tx: ChainTransaction,
    blocks: readonly ChainBlock[],
  ): Promise<AfterCommit | undefined> {
    const revision = await recordLastBlock(tx, blocks.at(-1)?.number ?? -1);
    if (revision === undefined) return undefined;
    const followed = chains.get(tx.chainId);
    // The logs of these blocks were filtered with an older set of collections.
    if (followed?.revision !== revision)
      throw new DatabaseFault(
        "the followed collections changed while blocks were read; the blocks are read again",
      );
    const addresses = new Set(blocks.flatMap(({ logs }) => logs.map(({ address }) => address)));
    const collections = addresses.size === 0 ? new Map() : await readCollections(tx, [...addresses]);
    const { transfers, ranges } = await collectTokenChanges(tx, blocks, collections, contractTypeOf);
    const created = await applyTransfers(tx, transfers);
    await enqueueTokens(tx, created, blocks.at(-1)?.number ?? null);
    await enqueueRanges(tx, ranges);
    return created.length + ranges.length > 0 ? wake : undefined;
  }

  return {
    name: "tokens",
    logFilter,
    added,
    async removed(tx, blocks) {
      const lowest = Math.min(...blocks.map(({ number }: BlockId) => number));
      await undoTransfers(tx, lowest);
      await requeueFromBlock(tx, tx.chainId, lowest);
      await tx.query(lowerKnownSql, [tx.chainId, lowest - 1]);
      // Balances show a block, which may be gone although no owner has changed.
      await tx.query("select pg_notify('market_change', $1)", [String(tx.chainId)]);
      return wake;
    },
    /**
     * Undoes the blocks that can still be undone. Marks older blocks as known, because ownership already includes their events.
     * Collections that were waiting for the rewind need all events and are not marked.
     */
    async rewound(tx, fromBlock) {
      await undoTransfers(tx, fromBlock);
      await tx.query(markKnownSql, [tx.chainId]);
    },
  };
}

const revisionSql = {
  name: "token-revision",
  text: "select revision from token_network where chain_id = $1",
};

async function revisionOf(queries: Queries, chainId: number): Promise<string> {
  const [row] = await queries.query<{ revision: string }>(revisionSql, [chainId]);
  return row?.revision ?? "0";
}

async function readFollowed(
  queries: Queries,
  chainId: number,
  revision: string,
): Promise<FollowedCollections> {
  const rows = await queries.query<{ address: Hex }>(
    `select address from followed_collection join collection on collection.id = collection_id
     where chain_id = $1 and is_followed and history_block is null`,
    [chainId],
  );
  return {
    revision,
    filter: { addresses: new Set(rows.map(({ address }) => address)), topics: tokenTopics },
  };
}

const collectionsSql = {
  name: "token-collections",
  text: `
select collection.id, address, known_through from followed_collection join collection on collection.id = collection_id
where chain_id = $1 and address = any($2) and is_followed and history_block is null`,
};

async function readCollections(tx: ChainTransaction, addresses: readonly Hex[]): Promise<Collections> {
  const rows = await tx.query<{ id: string; address: Hex; known_through: string }>(collectionsSql, [
    tx.chainId,
    addresses,
  ]);
  return new Map(rows.map((row) => [row.address, { id: row.id, knownThrough: Number(row.known_through) }]));
}

/** Blocks below those that the follower stores are settled: they can no longer be undone. Also locks the set of followed collections. */
const advanceSql = {
  name: "token-settle",
  text: `
update token_network
set last_block = $2,
  settled_block = greatest(settled_block, case when $3 then (select min(number) - 1 from follower_block where chain_id = $1) else $2 end)
where chain_id = $1 returning revision, settled_block`,
};
const forgetSql = {
  name: "token-undo-forget",
  text: "delete from token_undo where chain_id = $1 and block_number <= $2",
};

/** Returns the revision of the followed collections, or undefined if the chain has never had any. */
async function recordLastBlock(tx: ChainTransaction, lastBlock: number): Promise<string | undefined> {
  const [row] = await tx.query<{ revision: string; settled_block: string }>(advanceSql, [
    tx.chainId,
    lastBlock,
    tx.isRecent,
  ]);
  if (row !== undefined) await tx.query(forgetSql, [tx.chainId, row.settled_block]);
  return row?.revision;
}

/** Collections that were waiting for a rewind stop waiting, because this rewind reads their history. */
const markKnownSql = `
update followed_collection
set known_through = case when is_waiting then known_through else greatest(known_through, least(settled_block, last_block)) end,
  is_waiting = false
from collection, token_network
where collection.id = collection_id and collection.chain_id = $1 and token_network.chain_id = $1`;

const lowerKnownSql = `
update followed_collection set known_through = least(known_through, $2)
from collection where collection.id = collection_id and chain_id = $1 and known_through > $2`;

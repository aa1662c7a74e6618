/** What the blocks of a chain say of tokens: which exist, who holds them, and whose metadata is to be read anew. */

import type { Queries } from "../../base/storage/database.ts";
import { DatabaseFault } from "../../base/storage/fault.ts";
import type {
  AfterCommit,
  BlockRef,
  ChainBlock,
  ChainTransaction,
  ContractTypeOf,
  Deriver,
  LogFilter,
} from "../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import { type Collections, gather } from "./gather.ts";
import { applyMoves, undoMoves } from "./owners.ts";
import { wishAgain, wishForRanges, wishForTokens } from "./queue.ts";
import { tokenTopics } from "./token-events.ts";

export interface TokenDeriverPorts {
  readonly database: Queries;
  readonly contractTypeOf: ContractTypeOf;
  /** Tokens are due. */
  readonly wake: AfterCommit;
}

/** The followed collections of a chain, as they were at a revision. */
interface Followed {
  readonly revision: string;
  readonly filter: LogFilter;
}

export function createTokenDeriver({ database, contractTypeOf, wake }: TokenDeriverPorts): Deriver {
  const chains = new Map<number, Followed>();

  async function wanted(chainId: number): Promise<LogFilter> {
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
    const network = await settle(tx, blocks.at(-1)?.number ?? -1);
    if (network === undefined) return undefined;
    const followed = chains.get(tx.chainId);
    // The logs of these blocks were asked for without what is followed now.
    if (followed?.revision !== network) throw new DatabaseFault("collections were added meanwhile");
    const addresses = new Set(blocks.flatMap(({ logs }) => logs.map(({ address }) => address)));
    const collections = addresses.size === 0 ? new Map() : await readCollections(tx, [...addresses]);
    const { moves, ranges } = await gather(tx, blocks, collections, contractTypeOf);
    const made = await applyMoves(tx, moves);
    await wishForTokens(tx, made, blocks.at(-1)?.number ?? null);
    await wishForRanges(tx, ranges);
    return made.length + ranges.length > 0 ? wake : undefined;
  }

  return {
    name: "tokens",
    wanted,
    added,
    async removed(tx, blocks) {
      const lowest = Math.min(...blocks.map(({ number }: BlockRef) => number));
      await undoMoves(tx, lowest);
      await wishAgain(tx, tx.chainId, lowest);
      await tx.query(notKnownSql, [tx.chainId, lowest - 1]);
      return wake;
    },
    /** Blocks that can be undone come again; what the others did is known, save to whom it is new. */
    async rewound(tx, fromBlock) {
      await undoMoves(tx, fromBlock);
      await tx.query(knownSql, [tx.chainId]);
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

async function readFollowed(queries: Queries, chainId: number, revision: string): Promise<Followed> {
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

/** What is below the blocks that the follower keeps cannot be undone any more. Locks the chain against changes of what is followed. */
const settleSql = {
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

/** Answers the revision; undefined: nobody has ever followed a collection here. */
async function settle(tx: ChainTransaction, lastBlock: number): Promise<string | undefined> {
  const [row] = await tx.query<{ revision: string; settled_block: string }>(settleSql, [
    tx.chainId,
    lastBlock,
    tx.isRecent,
  ]);
  if (row !== undefined) await tx.query(forgetSql, [tx.chainId, row.settled_block]);
  return row?.revision;
}

/** Those whose history was asked for wait no more: it begins to come. */
const knownSql = `
update followed_collection
set known_through = case when is_waiting then known_through else greatest(known_through, least(settled_block, last_block)) end,
  is_waiting = false
from collection, token_network
where collection.id = collection_id and collection.chain_id = $1 and token_network.chain_id = $1`;

const notKnownSql = `
update followed_collection set known_through = least(known_through, $2)
from collection where collection.id = collection_id and chain_id = $1 and known_through > $2`;

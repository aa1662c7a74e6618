/** Reads the history of collections from before they were followed, up to the block from which reorganizations are possible. */
import { repeatUntil } from "../../base/repeat.ts";
import type { Database, Queries, Transaction } from "../../base/storage/database.ts";
import { lastSettledBlock, readCheckpoint, requestRewind } from "../../chain/follower/checkpoint.ts";
import type { ChainTransaction, ContractTypeOf } from "../../chain/follower/derive/deriver.ts";
import { RangePlanner } from "../../chain/follower/range-planner.ts";
import { backfill, type Range } from "../../chain/follower/read-blocks.ts";
import type { Source } from "../../chain/follower/source.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { Hex } from "../../chain/rpc/chain.ts";
import type { MeteredNodes } from "../../chain/rpc/nodes/metered-nodes.ts";
import { applyTransfers } from "./owners.ts";
import { enqueueRanges, enqueueTokens } from "./queue.ts";
import { collectTokenChanges } from "./token-changes.ts";
import { tokenTopics } from "./token-events.ts";

export interface HistoryDependencies {
  readonly database: Database;
  readonly networks: readonly Network[];
  readonly meteredNodes: MeteredNodes;
  readonly contractTypeOf: ContractTypeOf;
  readonly wake: () => void;
  /** The database or a node failed. The operation is retried. */
  readonly onFailure: (err: unknown) => void;
}

/**
 * Interval of the search for pending histories, and of retries, in milliseconds. A history takes minutes, so a delay of seconds does not
 * matter.
 */
const pollMs = 5_000;

export class HistoryReader implements AsyncDisposable {
  readonly #dependencies: HistoryDependencies;
  readonly #closing = new AbortController();
  readonly #sources = new Map<number, Promise<Source>>();
  readonly #running: Promise<void>;

  constructor(dependencies: HistoryDependencies) {
    this.#dependencies = dependencies;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, networks, onFailure } = this.#dependencies;
    const { signal } = this.#closing;
    const chains = new Map(networks.map((network) => [network.chainId, network]));
    const readPending = async (): Promise<void> => {
      for (const pending of await pendingHistories(database, [...chains.keys()])) {
        const network = chains.get(Number(pending.chainId));
        if (network !== undefined && !signal.aborted) await this.#read(network, pending);
      }
    };
    await repeatUntil(signal, pollMs, readPending, onFailure);
  }

  async #read(network: Network, pending: PendingHistory): Promise<void> {
    const { database } = this.#dependencies;
    const { chainId, follow } = network;
    const to = (await lastSettledBlock(database, chainId)) ?? -1;
    const ranges = backfill(await this.#sourceOf(network), {
      from: pending.from,
      to,
      planner: new RangePlanner(follow?.rangeBlocks ?? 1),
      filter: { addresses: new Set([pending.address]), topics: tokenTopics },
    });
    for await (const range of ranges) {
      if (this.#closing.signal.aborted) return;
      const isStored = await database.transaction((tx) =>
        this.#storeRange({ ...tx, chainId, isRecent: false }, pending.id, range),
      );
      if (!isStored) return;
    }
    await database.transaction((tx) => handOver(tx, chainId, pending.id, to));
  }

  /** Returns false if another process has advanced the history, or if the history is no longer needed. */
  async #storeRange(tx: ChainTransaction, id: string, { from, to, blocks }: Range): Promise<boolean> {
    const { contractTypeOf, wake } = this.#dependencies;
    await lock(tx, tx.chainId);
    const moved = await tx.query<{ readonly address: Hex }>(
      `update followed_collection set history_block = $3 from collection
       where collection_id = $1 and history_block = $2 and collection.id = collection_id returning address`,
      [id, from, to.number + 1],
    );
    const [collection] = moved;
    if (collection === undefined) return false;
    const collections = new Map([[collection.address, { id, knownThrough: from - 1 }]]);
    const { transfers, ranges } = await collectTokenChanges(tx, blocks, collections, contractTypeOf);
    await enqueueTokens(tx, await applyTransfers(tx, transfers), null);
    await enqueueRanges(tx, ranges);
    // These blocks can no longer be reorganized.
    await tx.query("delete from token_undo where chain_id = $1 and block_number <= $2", [
      tx.chainId,
      to.number,
    ]);
    if (transfers.length + ranges.length > 0) wake();
    return true;
  }

  #sourceOf(network: Network): Promise<Source> {
    const source = this.#sources.get(network.chainId) ?? this.#openSource(network);
    this.#sources.set(network.chainId, source);
    source.catch(() => this.#sources.delete(network.chainId));
    return source;
  }

  /** The follower reports nodes that fail; this source uses the same nodes. */
  async #openSource(network: Network): Promise<Source> {
    const { openSource } = await import("../../chain/follower/viem/open-source.ts");
    const { meteredNodes } = this.#dependencies;
    return openSource(network, { meteredNodes, share: "background", signal: this.#closing.signal });
  }
}

interface PendingHistory {
  readonly chainId: string;
  readonly id: string;
  readonly address: Hex;
  readonly from: number;
}

function pendingHistories(queries: Queries, chainIds: readonly number[]): Promise<readonly PendingHistory[]> {
  return queries.query<PendingHistory>(
    `select chain_id as "chainId", collection_id as id, address, history_block::float8 as from
     from followed_collection join collection on collection.id = collection_id
     where history_block is not null and is_followed and chain_id = any($1) order by collection_id`,
    [chainIds],
  );
}

async function lock(tx: Queries, chainId: number): Promise<void> {
  await tx.query("select from token_network where chain_id = $1 for update", [chainId]);
}

/** Leaves the blocks that can be reorganized to the follower, which can undo them: requests a rewind to the first of these blocks. */
async function handOver(tx: Transaction, chainId: number, id: string, to: number): Promise<void> {
  await lock(tx, chainId);
  const checkpoint = await readCheckpoint(tx, chainId);
  if (checkpoint === undefined) return;
  const needsRewind = to < checkpoint.number;
  const rows = await tx.query(
    `update followed_collection set history_block = null, known_through = $3::bigint - 1, is_waiting = $2
     where collection_id = $1 and history_block = $3 and is_followed returning 1`,
    [id, needsRewind, to + 1],
  );
  if (rows.length === 0) return;
  if (needsRewind) await requestRewind(tx, chainId, Math.min(to + 1, checkpoint.rewindTo ?? to + 1));
  await tx.query("update token_network set revision = revision + 1 where chain_id = $1", [chainId]);
}

import type { Queries } from "../../../base/storage/database.ts";
import type { AfterCommit, ChainTransaction, Deriver } from "../../../chain/follower/derive/deriver.ts";
import type { LogFilter } from "../../../chain/follower/derive/log-filter.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { lockChain } from "./availability-sql.ts";
import { forgetReadings, markAllStale, markStale } from "./facts.ts";
import { staleFactsOf, staleFactTopics } from "./stale-facts.ts";

interface AvailabilityDependencies {
  readonly database: Queries;
  /** Contracts that report royalties, by chain. */
  readonly markets: ReadonlyMap<number, readonly string[]>;
  /** Called when facts may be stale. `isBehind`: blocks were skipped while catching up, so there may be unwatched orders. */
  readonly wake: (chainId: number, isBehind: boolean) => void;
}

interface Watched {
  readonly revision: number;
  readonly filter: LogFilter;
}

/**
 * Marks the facts that events make stale. Works only near the head, because nodes discard the contract state of older blocks. After
 * catching up, all facts are read again.
 */
export function createAvailabilityDeriver({ database, markets, wake }: AvailabilityDependencies): Deriver {
  const chains = new Map<number, Watched>();

  async function watched(chainId: number): Promise<Watched> {
    const known = chains.get(chainId);
    const revision = await revisionOf(database, chainId);
    if (known?.revision === revision) return known;
    const watchedNow = { revision, filter: await filterOf(database, chainId, markets.get(chainId) ?? []) };
    chains.set(chainId, watchedNow);
    return watchedNow;
  }

  return {
    name: "availability",
    logFilter: async (chainId) => (await watched(chainId)).filter,
    async added(tx, blocks): Promise<AfterCommit | undefined> {
      const [first, last] = [blocks[0], blocks.at(-1)];
      if (!tx.isRecent || first === undefined || last === undefined) return undefined;
      const chain = await markBlockSeen(tx, last.number);
      if (chain === undefined) return undefined;
      const isBehind = chain.seenBlock === undefined || first.number > chain.seenBlock + 1;
      const known = chains.get(tx.chainId)?.revision ?? -1;
      if (isBehind) await markAllStale(tx, tx.chainId, last.number);
      // Contracts were added since: the filter of these blocks lacked them.
      else if (chain.revision > known) await markAllStale(tx, tx.chainId, last.number, known);
      await markStale(tx, tx.chainId, last.number, blocks.flatMap(({ logs }) => logs).flatMap(staleFactsOf));
      return () => wake(tx.chainId, isBehind);
    },
    async removed(tx, blocks): Promise<undefined> {
      await forget(tx, Math.min(...blocks.map(({ number }) => number)));
    },
    rewound: forget,
  };
}

async function forget(tx: ChainTransaction, block: number): Promise<void> {
  await lockChain(tx, tx.chainId);
  await forgetReadings(tx, tx.chainId, block);
  await tx.query(unmarkSeenSql, [tx.chainId, block, tx.isRecent]);
}

const unmarkSeenSql = {
  name: "market-unsee",
  text: "update market_chain set seen_block = case when $3 then least(seen_block, $2::bigint - 1) end where chain_id = $1",
};

const revisionSql = {
  name: "market-revision",
  text: "select revision from market_chain where chain_id = $1",
};

async function revisionOf(queries: Queries, chainId: number): Promise<number> {
  const [row] = await queries.query<{ readonly revision: string }>(revisionSql, [chainId]);
  return Number(row?.revision ?? 0);
}

async function filterOf(queries: Queries, chainId: number, markets: readonly string[]): Promise<LogFilter> {
  const rows = await queries.query<{ readonly address: Hex }>(
    "select address from market_contract where chain_id = $1",
    [chainId],
  );
  return {
    addresses: new Set([...rows.map(({ address }) => address), ...(markets as readonly Hex[])]),
    topics: staleFactTopics,
    recentOnly: true,
  };
}

interface ChainState {
  readonly revision: number;
  /** The last block seen before. Undefined if there is none. */
  readonly seenBlock: number | undefined;
}

/** Takes the chain lock. Returns undefined if the chain has never had an order. */
async function markBlockSeen(tx: ChainTransaction, block: number): Promise<ChainState | undefined> {
  const [row] = await tx.query<{ readonly revision: string; readonly seen_block: string | null }>(
    markSeenSql,
    [tx.chainId, block],
  );
  if (row === undefined) return undefined;
  const seenBlock = row.seen_block === null ? undefined : Number(row.seen_block);
  return { revision: Number(row.revision), seenBlock };
}

const markSeenSql = {
  name: "market-see",
  text: `
    with before as (select chain_id, revision, seen_block from market_chain where chain_id = $1 for no key update)
    update market_chain chain set seen_block = $2 from before where chain.chain_id = before.chain_id
    returning before.revision, before.seen_block`,
};

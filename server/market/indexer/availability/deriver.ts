import type { Queries } from "../../../base/storage/database.ts";
import type {
  AfterCommit,
  ChainTransaction,
  Deriver,
  LogFilter,
} from "../../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { doubt, doubtAll, forgetFrom } from "./facts.ts";
import { marksOf, markTopics } from "./marks.ts";
import { takeTurn } from "./turn.ts";

export interface AvailabilityPorts {
  readonly database: Queries;
  /** Contracts that say which royalties they pay, by chain. */
  readonly markets: ReadonlyMap<number, readonly string[]>;
  /** Facts may be in doubt; `isBehind`: there may be orders that nobody watches yet. */
  readonly wake: (chainId: number, isBehind: boolean) => void;
}

interface Watched {
  readonly revision: number;
  readonly filter: LogFilter;
}

/**
 * Sees from events which facts of orders are in doubt. Only near the head: while older blocks are caught up with, nobody can say what
 * contracts say, and at their end all is read anew.
 */
export function createAvailabilityDeriver({ database, markets, wake }: AvailabilityPorts): Deriver {
  const chains = new Map<number, Watched>();

  async function watched(chainId: number): Promise<Watched> {
    const known = chains.get(chainId);
    const revision = await revisionOf(database, chainId);
    if (known?.revision === revision) return known;
    const own = { revision, filter: await filterOf(database, chainId, markets.get(chainId) ?? []) };
    chains.set(chainId, own);
    return own;
  }

  return {
    name: "availability",
    wanted: async (chainId) => (await watched(chainId)).filter,
    async added(tx, blocks): Promise<AfterCommit | undefined> {
      const [first, last] = [blocks[0], blocks.at(-1)];
      if (!tx.isRecent || first === undefined || last === undefined) return undefined;
      const chain = await seeBlock(tx, last.number);
      if (chain === undefined) return undefined;
      const isBehind = chain.seenBlock === undefined || first.number > chain.seenBlock + 1;
      const known = chains.get(tx.chainId)?.revision ?? -1;
      if (isBehind) await doubtAll(tx, tx.chainId, last.number);
      // The logs of these blocks were asked for without the contracts that are watched since then.
      else if (chain.revision > known) await doubtAll(tx, tx.chainId, last.number, known);
      await doubt(tx, tx.chainId, last.number, blocks.flatMap(({ logs }) => logs).flatMap(marksOf));
      return () => wake(tx.chainId, isBehind);
    },
    async removed(tx, blocks): Promise<undefined> {
      await forget(tx, Math.min(...blocks.map(({ number }) => number)));
    },
    rewound: forget,
  };
}

async function forget(tx: ChainTransaction, block: number): Promise<void> {
  await takeTurn(tx, tx.chainId);
  await forgetFrom(tx, tx.chainId, block);
  await tx.query(unseeSql, [tx.chainId, block, tx.isRecent]);
}

const unseeSql = {
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
    topics: markTopics,
    recentOnly: true,
  };
}

interface ChainState {
  readonly revision: number;
  /** Before this one; undefined: none is known. */
  readonly seenBlock: number | undefined;
}

/** Undefined: there has never been an order here. Takes the turn of the chain. */
async function seeBlock(tx: ChainTransaction, block: number): Promise<ChainState | undefined> {
  const [row] = await tx.query<{ readonly revision: string; readonly seen_block: string | null }>(seeSql, [
    tx.chainId,
    block,
  ]);
  if (row === undefined) return undefined;
  const seenBlock = row.seen_block === null ? undefined : Number(row.seen_block);
  return { revision: Number(row.revision), seenBlock };
}

const seeSql = {
  name: "market-see",
  text: `
    with before as (select chain_id, revision, seen_block from market_chain where chain_id = $1 for no key update)
    update market_chain chain set seen_block = $2 from before where chain.chain_id = before.chain_id
    returning before.revision, before.seen_block`,
};

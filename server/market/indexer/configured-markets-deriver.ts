/**
 * Deactivates the orders of markets that are no longer configured, because nothing follows their events. They return when the market is
 * configured again.
 */
import type { Database, Queries } from "../../base/storage/database.ts";
import { requestRewindAtLeastTo } from "../../chain/follower/checkpoint.ts";
import type { ChainTransaction, Deriver } from "../../chain/follower/derive/deriver.ts";
import { emptyFilter } from "../../chain/follower/derive/log-filter.ts";
import type { Market } from "../../chain/networks/markets.ts";
import type { Network } from "../../chain/networks/network.ts";
import { lockChain } from "./availability/availability-sql.ts";

/**
 * Requests no logs. Before each range it compares the configured markets with the stored ones. This runs only on the host that follows the
 * chain, so its settings win over those of other hosts.
 */
export function createConfiguredMarketsDeriver(database: Database, networks: readonly Network[]): Deriver {
  const configured = new Map(networks.map(({ chainId, markets }) => [chainId, markets]));
  const isConfigured = (chainId: number, market: StoredMarket): boolean =>
    configured.get(chainId)?.some((candidate) => isSame(candidate, market)) === true;

  return {
    name: "named-markets",
    async logFilter(chainId) {
      const stored = await readMarkets(database, chainId);
      const added = (configured.get(chainId) ?? []).filter(
        (market) => !stored.some((other) => isSame(market, other)),
      );
      if (added.length > 0) await addMarkets(database, chainId, added);
      for (const market of stored)
        if (market.lastBlock === undefined && !isConfigured(chainId, market))
          await remove(database, chainId, market);
      const returned = stored.flatMap((market) =>
        isConfigured(chainId, market) ? (market.lastBlock ?? []) : [],
      );
      // The follower replays the events since then, and `rewound` reactivates the orders.
      if (returned.length > 0) await requestRewindAtLeastTo(database, chainId, Math.min(...returned) + 1);
      return emptyFilter;
    },
    added: async () => undefined,
    async removed(tx, blocks) {
      await lowerLastBlock(tx, tx.chainId, Math.min(...blocks.map(({ number }) => number)) - 1);
      return undefined;
    },
    async rewound(tx: ChainTransaction, fromBlock) {
      for (const market of await readMarkets(tx, tx.chainId)) {
        if (market.lastBlock === undefined || market.lastBlock < fromBlock - 1) continue;
        if (!isConfigured(tx.chainId, market)) continue;
        await lockChain(tx, tx.chainId);
        await markRestored(tx, tx.chainId, market);
        await reactivateOrders(tx, tx.chainId, market);
      }
    },
  };
}

function isSame(configured: Pick<Market, "kind" | "address">, { kind, address }: StoredMarket): boolean {
  return configured.kind === kind && configured.address === address;
}

async function remove(database: Database, chainId: number, market: StoredMarket): Promise<void> {
  await database.transaction(async (tx) => {
    await lockChain(tx, chainId);
    await markRemoved(tx, chainId, market);
    await deactivateOrders(tx, chainId, market);
  });
}

/** Orders per statement: few enough to stay below the statement timeout. */
const batchSize = 5_000;

/** Deactivates the orders of a market whose events are no longer followed. Requires the chain lock. */
async function deactivateOrders(tx: Queries, chainId: number, market: MarketKey): Promise<void> {
  const values = [chainId, marketplaceOf(market), addressOf(market)];
  await tx.query(deactivateRecentSql, values);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: readonly { readonly maker: string }[] = await tx.query(deactivateSql, [
      ...values,
      after,
      batchSize,
    ]);
    after =
      rows.length < batchSize
        ? undefined
        : rows
            .map(({ maker }) => maker)
            .toSorted()
            .at(-1);
  }
}

/** Restores the orders' spender, so that the availability checker watches them again. Requires the chain lock. */
async function reactivateOrders(tx: Queries, chainId: number, market: MarketKey): Promise<void> {
  const values = [chainId, marketplaceOf(market), addressOf(market)];
  for (let count = batchSize; count === batchSize; )
    count = (await tx.query(reactivateSql, [...values, batchSize])).length;
}

/** The value of `marketplace` in the orders of a market. */
function marketplaceOf({ kind }: MarketKey): string {
  return kind === "seaport" ? "opensea" : kind;
}

/** The spender of a market's orders. Null for Seaport, whose orders use many conduits. */
function addressOf({ kind, address }: MarketKey): string | null {
  return kind === "seaport" ? null : address;
}

type MarketKey = Pick<Market, "kind" | "address">;

const setInactive = `
    set left_spender = o.spender, spender = null, holding_id = null, royalty_id = null, quantity_available = 0,
      status = case o.status when 'active' then 'inactive' else o.status end, updated_at = now()`;

const isOfMarket = (spender: string): string =>
  `o.origin = 'chain' and o.marketplace = $2::market_kind and o.${spender} is not null and ($3::text is null or o.${spender} = $3)
      and exists (select from collection where collection.id = o.collection_id and collection.chain_id = $1)`;

/** Uses the index of makers, so the conditions must match its predicate. */
const deactivateSql = `
  update market_order o ${setInactive}
  from (
    select o.id from market_order o
    where ${isOfMarket("spender")} and o.created_by >= $4 and o.status in ('active', 'inactive', 'decimals_missing', 'expired')
    order by o.created_by limit $5
  ) open
  where o.id = open.id
  returning o.created_by as maker`;

/** Also deactivates recently closed orders, which may reopen if a block is reorganized. */
const deactivateRecentSql = `
  update market_order o ${setInactive}
  where ${isOfMarket("spender")} and o.id = any(array(
    select order_id from market_undo where chain_id = $1
    union all
    select seaport_order.order_id from follower_block block
    join seaport_change change on change.chain_id = block.chain_id and change.block_hash = block.hash
    join seaport_order on seaport_order.chain_id = block.chain_id and seaport_order.offerer = change.offerer
    where block.chain_id = $1
  ))`;

const reactivateSql = `
  update market_order o set spender = o.left_spender, left_spender = null, updated_at = now()
  from (select o.id from market_order o where ${isOfMarket("left_spender")} limit $4) gone
  where o.id = gone.id
  returning 1`;

/* The markets that are or were configured, as the database stores them. */

interface StoredMarket {
  readonly kind: Market["kind"];
  readonly address: string;
  /** The last derived block of a removed market. Undefined while the market is configured. */
  readonly lastBlock: number | undefined;
}

interface MarketRow {
  readonly kind: Market["kind"];
  readonly address: string;
  readonly left_block: string | null;
}

async function readMarkets(queries: Queries, chainId: number): Promise<readonly StoredMarket[]> {
  const rows = await queries.query<MarketRow>(readSql, [chainId]);
  return rows.map(({ kind, address, left_block }) => ({
    kind,
    address,
    lastBlock: left_block === null ? undefined : Number(left_block),
  }));
}

const readSql = {
  name: "named-markets",
  text: "select kind, address, left_block from named_market where chain_id = $1",
};

async function addMarkets(
  queries: Queries,
  chainId: number,
  markets: readonly Pick<Market, "kind" | "address">[],
): Promise<void> {
  await queries.query(
    `insert into named_market (chain_id, kind, address)
     select $1, kind, address from unnest($2::text[], $3::text[]) as named (kind, address) on conflict do nothing`,
    [chainId, markets.map(({ kind }) => kind), markets.map(({ address }) => address)],
  );
}

/** Records that the market was removed at the follower's current block. */
async function markRemoved(tx: Queries, chainId: number, { kind, address }: MarketKey): Promise<void> {
  await tx.query(
    `update named_market set left_block = (select block_number from follower_cursor where chain_id = $1)
     where chain_id = $1 and kind = $2 and address = $3 and left_block is null`,
    [chainId, kind, address],
  );
}

/**
 * After a reorganization, lowers the last derived block of removed markets to `block`. The blocks that replace the later ones are not
 * derived for them.
 */
async function lowerLastBlock(tx: Queries, chainId: number, block: number): Promise<void> {
  await tx.query(lowerSql, [chainId, block]);
}

const lowerSql = {
  name: "named-markets-lower",
  text: "update named_market set left_block = $2 where chain_id = $1 and left_block > $2",
};

/** Records that the market is configured again. */
async function markRestored(tx: Queries, chainId: number, { kind, address }: MarketKey): Promise<void> {
  await tx.query(
    "update named_market set left_block = null where chain_id = $1 and kind = $2 and address = $3",
    [chainId, kind, address],
  );
}

/**
 * Deactivates the orders of markets that are no longer configured, because nothing follows their events. They return when the market is
 * configured again.
 */

import type { Database } from "../../../base/storage/database.ts";
import { requestRewindAtLeastTo } from "../../../chain/follower/checkpoint.ts";
import type { ChainTransaction, Deriver } from "../../../chain/follower/derive/deriver.ts";
import { emptyFilter } from "../../../chain/follower/derive/filters.ts";
import type { Market } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import { lockChain } from "../availability/lock-chain.ts";
import { deactivateOrders, reactivateOrders } from "./orders.ts";
import {
  addMarkets,
  lowerLastBlock,
  markRemoved,
  markRestored,
  readMarkets,
  type StoredMarket,
} from "./stored-markets.ts";

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

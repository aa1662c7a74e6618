/** Orders of a market that the configuration names no more are nobody's to follow: they are inactive until it is named again. */

import type { Database } from "../../../base/storage/database.ts";
import type { ChainTransaction, Deriver } from "../../../chain/follower/derive/deriver.ts";
import { nothing } from "../../../chain/follower/derive/filters.ts";
import { rewindAtLeastTo } from "../../../chain/follower/place.ts";
import type { Market } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import { takeTurn } from "../availability/turn.ts";
import {
  addMarkets,
  type KnownMarket,
  leaveMarket,
  lowerLeft,
  readMarkets,
  returnTo,
} from "./known-markets.ts";
import { leaveOrders, returnOrders } from "./orders.ts";

/**
 * Wants no logs. Before each question for some it holds the markets of the configuration against those that were named before; only
 * who follows the chain is asked, so that of hosts with other settings this one decides.
 */
export function createNamedMarketsDeriver(database: Database, networks: readonly Network[]): Deriver {
  const named = new Map(networks.map(({ chainId, markets }) => [chainId, markets]));
  const isNamed = (chainId: number, market: KnownMarket): boolean =>
    named.get(chainId)?.some((own) => isSame(own, market)) === true;

  return {
    name: "named-markets",
    async wanted(chainId) {
      const known = await readMarkets(database, chainId);
      const added = (named.get(chainId) ?? []).filter((own) => !known.some((market) => isSame(own, market)));
      if (added.length > 0) await addMarkets(database, chainId, added);
      for (const market of known)
        if (market.leftBlock === undefined && !isNamed(chainId, market))
          await leave(database, chainId, market);
      const returned = known.flatMap((market) => (isNamed(chainId, market) ? (market.leftBlock ?? []) : []));
      // Its events since then come again with all others; the orders are followed from that moment on.
      if (returned.length > 0) await rewindAtLeastTo(database, chainId, Math.min(...returned) + 1);
      return nothing;
    },
    added: async () => undefined,
    async removed(tx, blocks) {
      await lowerLeft(tx, tx.chainId, Math.min(...blocks.map(({ number }) => number)) - 1);
      return undefined;
    },
    async rewound(tx: ChainTransaction, fromBlock) {
      for (const market of await readMarkets(tx, tx.chainId)) {
        if (market.leftBlock === undefined || market.leftBlock < fromBlock - 1) continue;
        if (!isNamed(tx.chainId, market)) continue;
        await takeTurn(tx, tx.chainId);
        await returnTo(tx, tx.chainId, market);
        await returnOrders(tx, tx.chainId, market);
      }
    },
  };
}

function isSame(own: Pick<Market, "kind" | "address">, { kind, address }: KnownMarket): boolean {
  return own.kind === kind && own.address === address;
}

async function leave(database: Database, chainId: number, market: KnownMarket): Promise<void> {
  await database.transaction(async (tx) => {
    await takeTurn(tx, chainId);
    await leaveMarket(tx, chainId, market);
    await leaveOrders(tx, chainId, market);
  });
}

import type { ChainBlock } from "../../../chain/follower/derive/blocks.ts";
import type { Deriver } from "../../../chain/follower/derive/deriver.ts";
import { emptyFilter, type LogFilter } from "../../../chain/follower/derive/log-filter.ts";
import { type SeaportMarket, seaportOf } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { lockChain, updateAvailability } from "../availability/availability-sql.ts";
import { watchOrders } from "../availability/watch.ts";
import { type Conduits, spenderOf } from "./conduits.ts";
import { deleteEvents, type LocatedEvent, ordersTouchedBy, storeEvents } from "./event-store.ts";
import { decodeSeaportEvent, seaportTopics } from "./events.ts";
import { addOrders, type NewOrder, removeOrders, updateOrders } from "./orders.ts";
import { OrderRejection, type Terms, termsOf } from "./terms.ts";

export interface SeaportDeriverDependencies {
  readonly networks: readonly Network[];
  readonly conduitsOf: (chainId: number) => Promise<Conduits>;
  /** Called after a commit with orders whose currency is still unknown. */
  readonly onUnknownCurrency: (chainId: number) => void;
}

/** Updates stored Seaport orders by their events, and creates the orders that are validated on the chain. */
export function createSeaportDeriver(dependencies: SeaportDeriverDependencies): Deriver {
  const markets = new Map(dependencies.networks.map(({ chainId, markets }) => [chainId, seaportOf(markets)]));
  const filters = new Map([...markets].map(([chainId, market]) => [chainId, filterOf(market)]));

  return {
    name: "seaport",
    logFilter: (chainId) => filters.get(chainId) ?? emptyFilter,
    async added(tx, blocks) {
      const { chainId } = tx;
      const market = markets.get(chainId);
      const events = locatedEvents(market, blocks);
      if (market === undefined || events.length === 0) return undefined;
      const validated = await validatedOrders(events, market, () => dependencies.conduitsOf(chainId));
      await lockChain(tx, chainId);
      await storeEvents(tx, events);
      const added = await addOrders(tx, chainId, validated);
      if (tx.isRecent) await watchOrders(tx, chainId, added);
      const updated = await updateOrders(tx, chainId, ordersTouchedBy(events));
      const hasUnknownCurrency = updated.some(({ status }) => status === "decimals_missing");
      return hasUnknownCurrency ? () => dependencies.onUnknownCurrency(chainId) : undefined;
    },
    async removed(tx, blocks) {
      const { chainId } = tx;
      await lockChain(tx, chainId);
      const touched = await deleteEvents(tx, blocks);
      await removeOrders(tx, chainId, touched);
      const updated = await updateOrders(tx, chainId, touched);
      // Reopened orders may depend on facts that were dropped in the meantime.
      const ids = updated.filter(({ hasHolding }) => !hasHolding).map(({ id }) => id);
      await watchOrders(tx, chainId, ids);
      await updateAvailability(tx, chainId, ids);
      return undefined;
    },
    // Replayed events produce the same orders.
    rewound: async () => {},
  };
}

function filterOf(market: SeaportMarket | undefined): LogFilter {
  if (market === undefined) return emptyFilter;
  return { addresses: new Set([market.address as Hex]), topics: seaportTopics };
}

function locatedEvents(
  market: SeaportMarket | undefined,
  blocks: readonly ChainBlock[],
): readonly LocatedEvent[] {
  return blocks.flatMap((block) =>
    block.logs
      .filter(({ address }) => address === market?.address)
      .map((log) => ({ block, logIndex: log.logIndex, event: decodeSeaportEvent(log) })),
  );
}

/** Returns the supported orders among those that were validated on the chain. */
async function validatedOrders(
  events: readonly LocatedEvent[],
  { zones, address }: SeaportMarket,
  conduits: () => Promise<Conduits>,
): Promise<readonly NewOrder[]> {
  const orders = new Map<string, NewOrder>();
  for (const { block, event } of events) {
    if (event.kind !== "validated") continue;
    const terms = termsIfSupported(() => termsOf(event.order, zones));
    if (terms === undefined) continue;
    const spender = await spenderOf(terms.conduitKey, address, conduits);
    const { orderHash } = event;
    orders.set(orderHash, { orderHash, terms, feeKinds: [], block, submitted: undefined, spender });
  }
  return [...orders.values()];
}

function termsIfSupported(read: () => Terms): Terms | undefined {
  try {
    return read();
  } catch (err) {
    if (err instanceof OrderRejection) return undefined;
    throw err;
  }
}

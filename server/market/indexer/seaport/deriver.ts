import type { ChainBlock, Deriver, LogFilter } from "../../../chain/follower/derive/deriver.ts";
import { nothing } from "../../../chain/follower/derive/filters.ts";
import { type SeaportMarket, seaportOf } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { settleOrders } from "../availability/settle.ts";
import { takeTurn } from "../availability/turn.ts";
import { watchOrders } from "../availability/watch.ts";
import { readSeaportChange, seaportTopics } from "./change.ts";
import { type PlacedChange, storeChanges, takeChangesBack, touchedBy } from "./changes.ts";
import { type Conduits, spenderOf } from "./conduits.ts";
import { addOrders, type NewOrder, removeOrders, updateOrders } from "./orders.ts";
import { OrderRefusal, type Terms, termsOf } from "./terms.ts";

export interface SeaportDeriverPorts {
  readonly networks: readonly Network[];
  readonly conduitsOf: (chainId: number) => Promise<Conduits>;
  /** Called once orders are committed that wait for what their currency says of itself. */
  readonly onUnknownCurrency: (chainId: number) => void;
}

/** Follows what the chain says of Seaport orders that are kept here, and makes those that it tells of in full. */
export function createSeaportDeriver(ports: SeaportDeriverPorts): Deriver {
  const markets = new Map(ports.networks.map(({ chainId, markets }) => [chainId, seaportOf(markets)]));
  const filters = new Map([...markets].map(([chainId, market]) => [chainId, filterOf(market)]));

  return {
    name: "seaport",
    wanted: (chainId) => filters.get(chainId) ?? nothing,
    async added(tx, blocks) {
      const { chainId } = tx;
      const market = markets.get(chainId);
      const changes = placed(market, blocks);
      if (market === undefined || changes.length === 0) return undefined;
      const told = await validated(changes, market, () => ports.conduitsOf(chainId));
      await takeTurn(tx, chainId);
      await storeChanges(tx, changes);
      const made = await addOrders(tx, chainId, told);
      if (tx.isRecent) await watchOrders(tx, chainId, made);
      const updated = await updateOrders(tx, chainId, touchedBy(changes));
      const isWaiting = updated.some(({ status }) => status === "decimals_missing");
      return isWaiting ? () => ports.onUnknownCurrency(chainId) : undefined;
    },
    async removed(tx, blocks) {
      const { chainId } = tx;
      await takeTurn(tx, chainId);
      const touched = await takeChangesBack(tx, blocks);
      await removeOrders(tx, chainId, touched);
      const updated = await updateOrders(tx, chainId, touched);
      // What was over and is not any more may hang on facts that nobody asks for since then.
      const ids = updated.filter(({ isKnown }) => !isKnown).map(({ id }) => id);
      await watchOrders(tx, chainId, ids);
      await settleOrders(tx, chainId, ids);
      return undefined;
    },
    // The same changes come again and make the same orders.
    rewound: async () => {},
  };
}

function filterOf(market: SeaportMarket | undefined): LogFilter {
  if (market === undefined) return nothing;
  return { addresses: new Set([market.address as Hex]), topics: seaportTopics };
}

function placed(market: SeaportMarket | undefined, blocks: readonly ChainBlock[]): readonly PlacedChange[] {
  return blocks.flatMap((block) =>
    block.logs
      .filter(({ address }) => address === market?.address)
      .map((log) => ({ block, logIndex: log.logIndex, change: readSeaportChange(log) })),
  );
}

/** Orders that the chain has told of in full, of those that fit. */
async function validated(
  changes: readonly PlacedChange[],
  { zones, address }: SeaportMarket,
  conduits: () => Promise<Conduits>,
): Promise<readonly NewOrder[]> {
  const orders = new Map<string, NewOrder>();
  for (const { block, change } of changes) {
    if (change.kind !== "validated") continue;
    const terms = termsIfFit(() => termsOf(change.order, zones));
    if (terms === undefined) continue;
    const spender = await spenderOf(terms.conduitKey, address, conduits);
    const { orderHash } = change;
    orders.set(orderHash, { orderHash, terms, feeKinds: [], block, submitted: undefined, spender });
  }
  return [...orders.values()];
}

function termsIfFit(read: () => Terms): Terms | undefined {
  try {
    return read();
  } catch (err) {
    if (err instanceof OrderRefusal) return undefined;
    throw err;
  }
}

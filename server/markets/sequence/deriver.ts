import type { Hex } from "../../chains/chain.ts";
import type {
  BlockRef,
  ChainBlock,
  ChainTransaction,
  Deriver,
  LogFilter,
} from "../../follower/derive/deriver.ts";
import type { Market, MarketKind } from "../../networks/markets.ts";
import type { Network } from "../../networks/network.ts";
import { changeTopics, readChange } from "./change.ts";
import { type PlacedChange, storeChanges, takeChangesBack } from "./changes.ts";
import {
  addOrders,
  type Invalidation,
  type OrderName,
  ordersOfMakers,
  removeOrders,
  updateOrders,
} from "./orders.ts";

/**
 * Derives the orders of the Sequence marketplace contracts that the networks name. `onUnknownCurrency` is called once orders are
 * committed that wait for what their currency says of itself.
 */
export function createSequenceMarketDeriver(
  networks: readonly Network[],
  onUnknownCurrency: (chainId: number) => void,
): Deriver {
  const filters = new Map(networks.map(({ chainId, markets }) => [chainId, filterOf(markets)]));
  const kinds = new Map(
    networks.map(({ chainId, markets }) => [
      chainId,
      new Map(markets.map(({ address, kind }): [string, MarketKind] => [address, kind])),
    ]),
  );

  function placed(chainId: number, blocks: readonly ChainBlock[]): readonly PlacedChange[] {
    const kindOf = kinds.get(chainId);
    return blocks.flatMap((block) =>
      block.logs.flatMap((log) => {
        const marketplace = kindOf?.get(log.address);
        if (marketplace === undefined) return [];
        return [{ block, logIndex: log.logIndex, marketplace, change: readChange(log) }];
      }),
    );
  }

  return {
    name: "sequence-market",
    wanted: (chainId) => filters.get(chainId) ?? nothing,
    async added(tx, blocks) {
      const changes = placed(tx.chainId, blocks);
      if (changes.length === 0) return undefined;
      await storeChanges(tx, changes);
      await addOrders(tx, changes);
      const told = changes.map(({ marketplace, change }) => ({ marketplace, ...change }));
      const statuses = await updateOrders(tx, await touchedBy(tx, told));
      return statuses.has("decimals_missing") ? () => onUnknownCurrency(tx.chainId) : undefined;
    },
    async removed(tx, blocks: readonly BlockRef[]) {
      const changes = await takeChangesBack(tx, blocks);
      if (changes.length === 0) return undefined;
      await removeOrders(tx, changes);
      await updateOrders(tx, await touchedBy(tx, changes));
      return undefined;
    },
    // The same changes come again and make the same orders.
    rewound: async () => {},
  };
}

const nothing: LogFilter = { addresses: new Set(), topics: new Set() };

function filterOf(markets: readonly Market[]): LogFilter {
  if (markets.length === 0) return nothing;
  return { addresses: new Set(markets.map(({ address }) => address as Hex)), topics: changeTopics };
}

interface Touching {
  readonly marketplace: MarketKind;
  readonly requestId?: bigint | undefined;
  readonly maker?: string | undefined;
  readonly collection?: string | undefined;
  readonly below?: bigint | undefined;
}

/** The orders that these changes are about, each once. */
async function touchedBy(tx: ChainTransaction, changes: readonly Touching[]): Promise<readonly OrderName[]> {
  const invalidations: Invalidation[] = [];
  const names = new Map<string, OrderName>();
  const add = (name: OrderName): void => void names.set(`${name.marketplace} ${name.requestId}`, name);
  for (const { marketplace, requestId, maker, collection, below } of changes) {
    if (requestId !== undefined) add({ marketplace, requestId });
    else if (maker !== undefined && below !== undefined)
      invalidations.push({ marketplace, maker, collection, below });
  }
  if (invalidations.length > 0) for (const name of await ordersOfMakers(tx, invalidations)) add(name);
  return [...names.values()];
}

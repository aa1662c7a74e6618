import type { Hex } from "../../chains/chain.ts";
import type {
  BlockRef,
  ChainBlock,
  ChainTransaction,
  Deriver,
  LogFilter,
} from "../../follower/derive/deriver.ts";
import { nothing } from "../../follower/derive/filters.ts";
import { type SequenceKind, type SequenceMarket, sequenceMarkets } from "../../networks/markets.ts";
import type { Network } from "../../networks/network.ts";
import { settleOrders } from "../availability/settle.ts";
import { takeTurn } from "../availability/turn.ts";
import { watchOrders } from "../availability/watch.ts";
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
  const filters = new Map(
    networks.map(({ chainId, markets }) => [chainId, filterOf(sequenceMarkets(markets))]),
  );
  const kinds = new Map(
    networks.map(({ chainId, markets }) => [
      chainId,
      new Map(sequenceMarkets(markets).map(({ address, kind }): [string, SequenceKind] => [address, kind])),
    ]),
  );

  function placed(chainId: number, blocks: readonly ChainBlock[]): readonly PlacedChange[] {
    const kindOf = kinds.get(chainId);
    return blocks.flatMap((block) =>
      block.logs.flatMap((log) => {
        const marketplace = kindOf?.get(log.address);
        if (marketplace === undefined) return [];
        return [{ block, logIndex: log.logIndex, market: log.address, marketplace, change: readChange(log) }];
      }),
    );
  }

  return {
    name: "sequence-market",
    wanted: (chainId) => filters.get(chainId) ?? nothing,
    async added(tx, blocks) {
      const changes = placed(tx.chainId, blocks);
      if (changes.length === 0) return undefined;
      await takeTurn(tx, tx.chainId);
      let isWaiting = false;
      await byIndex(tx, async () => {
        for (let start = 0; start < changes.length; start += batch)
          isWaiting = (await addChanges(tx, changes.slice(start, start + batch))) || isWaiting;
      });
      return isWaiting ? () => onUnknownCurrency(tx.chainId) : undefined;
    },
    async removed(tx, blocks: readonly BlockRef[]) {
      const changes = await takeChangesBack(tx, blocks);
      if (changes.length === 0) return undefined;
      await takeTurn(tx, tx.chainId);
      await removeOrders(tx, changes);
      const updated = await updateOrders(tx, await touchedBy(tx, changes, "cancelled"));
      // What was over and is not any more may hang on facts that nobody asks for since then.
      const ids = updated.filter(({ isKnown }) => !isKnown).map(({ id }) => id);
      await watchOrders(tx, tx.chainId, ids);
      await settleOrders(tx, tx.chainId, ids);
      return undefined;
    },
    // The same changes come again and make the same orders.
    rewound: async () => {},
  };
}

/** Changes that are written by one statement of each kind. */
const batch = 5_000;

/** Answers whether an order waits for what its currency says of itself. */
async function addChanges(tx: ChainTransaction, changes: readonly PlacedChange[]): Promise<boolean> {
  await storeChanges(tx, changes);
  const made = await addOrders(tx, changes);
  if (tx.isRecent)
    await watchOrders(
      tx,
      tx.chainId,
      made.map(({ id }) => id),
    );
  // What was made just now is as it was made, unless more is known of it.
  const isAsMade = !tx.isRecent && made.every(({ wasThere }) => !wasThere);
  const touching = isAsMade ? changes.filter(({ change }) => change.kind !== "created") : changes;
  const told = touching.map(({ marketplace, change }) => ({ marketplace, ...change }));
  const updated = await updateOrders(tx, await touchedBy(tx, told, "open"));
  return [...made, ...updated].some(({ status }) => status === "decimals_missing");
}

/**
 * Each row is found by its index. A table that has grown by a whole chain since its statistics were taken looks empty to the planner,
 * which would rather read all of it for each row.
 */
async function byIndex(tx: ChainTransaction, work: () => Promise<void>): Promise<void> {
  await tx.query(plansSql, ["off"]);
  await work();
  await tx.query(plansSql, ["on"]);
}

const plansSql = {
  name: "market-plans",
  text: "select set_config(name, $1, true) from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']) as name",
};

function filterOf(markets: readonly SequenceMarket[]): LogFilter {
  if (markets.length === 0) return nothing;
  return { addresses: new Set(markets.map(({ address }) => address as Hex)), topics: changeTopics };
}

interface Touching {
  readonly marketplace: SequenceKind;
  readonly requestId?: bigint | undefined;
  readonly maker?: string | undefined;
  readonly collection?: string | undefined;
  readonly below?: bigint | undefined;
}

/** The orders that these changes are about, each once. */
async function touchedBy(
  tx: ChainTransaction,
  changes: readonly Touching[],
  state: "open" | "cancelled",
): Promise<readonly OrderName[]> {
  const invalidations: Invalidation[] = [];
  const names = new Map<string, OrderName>();
  const add = (name: OrderName): void => void names.set(`${name.marketplace} ${name.requestId}`, name);
  for (const { marketplace, requestId, maker, collection, below } of changes) {
    if (requestId !== undefined) add({ marketplace, requestId });
    else if (maker !== undefined && below !== undefined)
      invalidations.push({ marketplace, maker, collection, below });
  }
  if (invalidations.length > 0) for (const name of await ordersOfMakers(tx, invalidations, state)) add(name);
  return [...names.values()];
}

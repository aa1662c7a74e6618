import type {
  BlockId,
  ChainTransaction,
  Deriver,
  LogFilter,
} from "../../../chain/follower/derive/deriver.ts";
import { emptyFilter } from "../../../chain/follower/derive/filters.ts";
import { type SequenceKind, type SequenceMarket, sequenceMarkets } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { lockChain } from "../availability/lock-chain.ts";
import { updateAvailability } from "../availability/update-availability.ts";
import { watchOrders } from "../availability/watch.ts";
import { createOrders } from "./create-orders.ts";
import { type EventBatch, eventBatches } from "./event-batches.ts";
import { eventTopics, type LocatedEvent } from "./events.ts";
import { type ChangedOrder, type MakerName, readOrders, updateOrders } from "./orders.ts";
import { type RequestKey, RequestRegistry } from "./request-registry.ts";
import { restorePreviousStates, storePreviousStates } from "./undo.ts";

/**
 * Derives orders from the Sequence marketplace contracts of the networks. `onUnknownCurrency` is called after a commit with orders whose
 * currency is still unknown.
 */
export function createSequenceMarketDeriver(
  networks: readonly Network[],
  onUnknownCurrency: (chainId: number) => void,
): Deriver {
  const chains = new Map(networks.map((network) => [network.chainId, marketsOf(network)]));

  return {
    name: "sequence-market",
    logFilter: (chainId) => chains.get(chainId)?.filter ?? emptyFilter,
    async added(tx, blocks) {
      const chain = chains.get(tx.chainId);
      const hasEvents = blocks.some(({ logs }) => logs.some(({ address }) => chain?.kinds.has(address)));
      if (chain === undefined || !hasEvents) return undefined;
      await lockChain(tx, tx.chainId);
      const finalBlock = (blocks.at(-1)?.number ?? 0) - (tx.isRecent ? chain.window : 0);
      let hasUnknownCurrency = false;
      await withIndexPlans(tx, () =>
        forEachPrefetching(eventBatches(chain.kinds, blocks, finalBlock), async (batch) => {
          hasUnknownCurrency = (await addBatch(tx, batch, finalBlock)) || hasUnknownCurrency;
        }),
      );
      return hasUnknownCurrency ? () => onUnknownCurrency(tx.chainId) : undefined;
    },
    async removed(tx, blocks: readonly BlockId[]) {
      await lockChain(tx, tx.chainId);
      const ids = await restorePreviousStates(tx, Math.min(...blocks.map(({ number }) => number)));
      // Reopened orders may depend on facts that were dropped in the meantime.
      await watchOrders(tx, tx.chainId, ids);
      await updateAvailability(tx, tx.chainId, ids);
      return undefined;
    },
    // Applying an event twice changes nothing.
    rewound: async () => {},
  };
}

interface ChainMarkets {
  readonly filter: LogFilter;
  readonly kinds: ReadonlyMap<string, SequenceKind>;
  /** How many recent blocks may be reorganised. */
  readonly window: number;
}

function marketsOf({ markets, follow }: Network): ChainMarkets {
  const sequence = sequenceMarkets(markets);
  return {
    filter: filterOf(sequence),
    kinds: new Map(sequence.map(({ address, kind }) => [address, kind])),
    window: follow?.window ?? 0,
  };
}

function filterOf(markets: readonly SequenceMarket[]): LogFilter {
  if (markets.length === 0) return emptyFilter;
  return { addresses: new Set(markets.map(({ address }) => address as Hex)), topics: eventTopics };
}

/** Returns whether an order has an unknown currency. */
async function addBatch(
  tx: ChainTransaction,
  { registry, events, created }: EventBatch,
  finalBlock: number,
): Promise<boolean> {
  const written = await createOrders(tx, created);
  const changes = events.filter(({ marketplace, event }) => {
    if (event.kind === "created") return false;
    const request = event.kind === "invalidated" ? undefined : registry.find(marketplace, event.requestId);
    return request === undefined || !written.requests.has(request);
  });
  const changed = await changedOrders(tx, new RequestRegistry(finalBlock), changes);
  await updateOrders(tx, changed);
  if (tx.isRecent) {
    await storePreviousStates(tx, [...written.orders, ...changed]);
    const ids = written.orders.filter(({ status }) => isOpen(status)).map(({ id }) => id);
    await watchOrders(tx, tx.chainId, ids);
    // Their facts may already be stored.
    await updateAvailability(tx, tx.chainId, ids);
  }
  return written.hasUnknownCurrency;
}

function isOpen(status: string): boolean {
  return status === "inactive" || status === "decimals_missing";
}

/** Returns the stored orders that the events change. */
async function changedOrders(
  tx: ChainTransaction,
  registry: RequestRegistry,
  events: readonly LocatedEvent[],
): Promise<readonly ChangedOrder[]> {
  const keys: RequestKey[] = [];
  const makers: MakerName[] = [];
  for (const { marketplace, event } of events) {
    if (event.kind === "invalidated") makers.push({ marketplace, maker: event.maker });
    else keys.push({ marketplace, collection: event.collection, requestId: event.requestId });
  }
  const stored = await readOrders(tx, keys, makers);
  const orders = stored.map(({ id, key, maker, state }) => ({
    id,
    request: registry.register(key, maker, state),
  }));
  for (const located of events) registry.apply(located);
  return orders.filter(({ request }) => request.isChanged);
}

/**
 * Runs `work` with index scans only. After a whole chain was added to a table, the planner's statistics are stale: the planner assumes an
 * empty table, and would read the whole table for each row.
 */
async function withIndexPlans(tx: ChainTransaction, work: () => Promise<void>): Promise<void> {
  const [before] = await tx.query<Readonly<Record<string, string>>>(plannerSettingsSql);
  await tx.query(setPlannerSettingsSql, [plannerSettings.map(() => "off")]);
  await work();
  await tx.query(setPlannerSettingsSql, [plannerSettings.map((name) => before?.[name])]);
}

const plannerSettings = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"] as const;

const plannerSettingsSql = {
  name: "market-plans",
  text: `select ${plannerSettings.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`,
};

/** Applies until the end of the transaction. */
const setPlannerSettingsSql = {
  name: "market-plans-set",
  text: `select set_config(name, value, true) from unnest(array[${plannerSettings.map((name) => `'${name}'`).join(", ")}], $1::text[]) as plan (name, value)`,
};

/**
 * Processes items one at a time while the next item is being prepared. If either fails, waits for the other before throwing, so that
 * nothing keeps running.
 */
async function forEachPrefetching<Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  for (let ready = await iterator.next(); ready.done !== true; ) {
    const [worked, next] = await Promise.allSettled([work(ready.value), iterator.next()]);
    if (worked.status === "rejected") throw worked.reason;
    if (next.status === "rejected") throw next.reason;
    ready = next.value;
  }
}

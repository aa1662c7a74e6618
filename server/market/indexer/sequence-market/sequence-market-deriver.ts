import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { BlockId, ChainBlock } from "../../../chain/follower/derive/blocks.ts";
import type { ChainTransaction, Deriver } from "../../../chain/follower/derive/deriver.ts";
import { emptyFilter, type LogFilter } from "../../../chain/follower/derive/log-filter.ts";
import {
  type SequenceKind,
  type SequenceMarket,
  sequenceKinds,
  sequenceMarkets,
} from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { lockChain, updateAvailability } from "../availability/availability-sql.ts";
import { watchOrders } from "../availability/watch.ts";
import { createOrders, type NewOrder } from "./create-orders.ts";
import { decodeEvent, eventTopics, type LocatedEvent } from "./events.ts";
import { type ChangedOrder, type MakerName, readOrders, updateOrders } from "./orders.ts";
import { type RequestKey, RequestRegistry } from "./request-registry.ts";

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
  /** How many recent blocks may be reorganized. */
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

/* Groups the events of blocks into batches, and applies each batch in memory before anything is written. */

interface EventBatch {
  readonly events: readonly LocatedEvent[];
  /** New requests, each with the state after all events of the batch, so that its order is written once. */
  readonly created: readonly NewOrder[];
  /** All requests of the batch. */
  readonly registry: RequestRegistry;
}

/**
 * Least number of events in a batch; blocks are not split. A range of old blocks yields several batches, so that one is decoded while
 * another is written.
 */
const minBatchEvents = 2_500;
/** Logs that are decoded without yielding to the event loop: a millisecond of work. */
const logsBetweenYields = 64;

/** Yields the events in batches. Throws if a log does not have the form of its event. */
async function* eventBatches(
  kinds: ReadonlyMap<string, SequenceKind>,
  blocks: readonly ChainBlock[],
  finalBlock: number,
): AsyncGenerator<EventBatch> {
  let events: LocatedEvent[] = [];
  let logs = 0;
  for (const block of blocks) {
    for (const log of block.logs) {
      const marketplace = kinds.get(log.address);
      if (marketplace === undefined) continue;
      events.push({ block, market: log.address, marketplace, event: decodeEvent(log) });
      if (++logs % logsBetweenYields === 0) await yieldToEventLoop();
    }
    if (events.length < minBatchEvents) continue;
    yield batchOf(events, finalBlock);
    events = [];
  }
  if (events.length > 0) yield batchOf(events, finalBlock);
}

function batchOf(events: readonly LocatedEvent[], finalBlock: number): EventBatch {
  const registry = new RequestRegistry(finalBlock);
  const created: NewOrder[] = [];
  for (const located of events) {
    if (located.event.kind !== "created") registry.apply(located);
    else {
      const request = registry.create(located, located.event);
      if (request !== undefined) created.push({ located, created: located.event, request });
    }
  }
  return { events, created, registry };
}

/** Stores the previous states of orders for blocks that can still be reorganized. */
async function storePreviousStates(tx: ChainTransaction, orders: readonly ChangedOrder[]): Promise<void> {
  const [first] = await tx.query<{ readonly number: string | null }>(lowestSql, [tx.chainId]);
  if (first !== undefined) await tx.query(forgetSql, [tx.chainId, first.number]);
  const rows = orders.flatMap(({ id, request }) =>
    request.previous.map(
      ({ block, state }) =>
        [
          tx.chainId,
          block,
          id,
          state === undefined ? null : String(state.remaining),
          state?.isCancelled ?? null,
          state === undefined ? null : new Date(state.changedAt * 1_000),
          state?.changedBlock ?? null,
        ] as const,
    ),
  );
  if (rows.length > 0) await tx.copy("market_undo", columns, rows);
}

const columns = [
  "chain_id",
  "block_number",
  "order_id",
  "remaining",
  "is_cancelled",
  "changed_at",
  "changed_block",
];

/** The lowest block that can still be reorganized. */
const lowestSql = {
  name: "market-undo-lowest",
  text: `
    select least((select min(number) from follower_block where chain_id = $1),
      (select min(number) from follower_rewound where chain_id = $1)) as number`,
};

const forgetSql = {
  name: "market-undo-forget",
  text: "delete from market_undo where chain_id = $1 and block_number < $2",
};

/** Restores the states before this block, and returns the ids of orders that are open again. Their availability must then be updated. */
async function restorePreviousStates(tx: ChainTransaction, fromBlock: number): Promise<readonly string[]> {
  const rows = await tx.query<{ readonly id: string; readonly is_open: boolean }>(restoreSql, [
    tx.chainId,
    fromBlock,
  ]);
  const restored = rows.filter(({ is_open }) => is_open).map(({ id }) => id);
  const [window] = await tx.query<{ readonly reaches: boolean }>(reachesSql, [tx.chainId, fromBlock]);
  if (window?.reaches === true) return restored;
  const reset = await tx.query<{ readonly id: string }>(resetSql, [tx.chainId, fromBlock, sequenceKinds]);
  return [...new Set([...restored, ...reset.map(({ id }) => id)])];
}

/** Whether all blocks from this one on can be undone. */
const reachesSql = {
  name: "market-undo-reaches",
  text: "select exists (select from follower_block where chain_id = $1 and number < $2) as reaches",
};

/**
 * For a reorganization that is deeper than the window: deletes orders that later blocks created, and resets orders that later blocks
 * changed to their creation. Reading the blocks again yields the changes since, except partial fills before the block: those need a
 * reindex.
 */
const resetSql = {
  name: "market-undo-deep",
  text: `
    with deleted as (
      delete from market_order gone using collection
      where collection.id = gone.collection_id and collection.chain_id = $1 and gone.origin = 'chain'
        and gone.marketplace = any($3::market_kind[]) and gone.block_number >= $2
    )
    update market_order known set
      status = 'inactive', quantity_remaining = quantity_initial, quantity_available = 0,
      order_updated_at = order_created_at, changed_block = null, updated_at = now()
    from collection
    where collection.id = known.collection_id and collection.chain_id = $1 and known.origin = 'chain'
      and known.marketplace = any($3::market_kind[]) and known.block_number < $2 and known.changed_block >= $2
    returning known.id`,
};

const restoreSql = {
  name: "market-undo-take-back",
  text: `
    with gone as (
      delete from market_undo where chain_id = $1 and block_number >= $2 returning *
    ), before as materialized (
      select distinct on (order_id) * from gone order by order_id, id
    ), deleted as (
      delete from market_order using before where market_order.id = before.order_id and before.remaining is null
    )
    update market_order known set
      status = case when before.remaining = 0 then 'filled' when before.is_cancelled then 'cancelled' else 'inactive' end::order_status,
      quantity_remaining = before.remaining, quantity_available = 0, order_updated_at = before.changed_at,
      changed_block = before.changed_block, updated_at = now()
    from before
    where known.id = before.order_id and before.remaining is not null
    returning known.id, known.status = 'inactive' as is_open`,
};

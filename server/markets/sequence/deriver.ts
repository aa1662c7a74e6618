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
import { Book, type Request, type RequestName } from "./book.ts";
import { changeTopics, type PlacedChange, readChange } from "./change.ts";
import {
  type ChangedOrder,
  type MakerName,
  makeOrders,
  type NewOrder,
  readOrders,
  updateOrders,
} from "./orders.ts";
import { keepBefore, takeBack } from "./undo.ts";

/**
 * Derives the orders of the Sequence marketplace contracts that the networks name. `onUnknownCurrency` is called once orders are
 * committed that wait for what their currency says of itself.
 */
export function createSequenceMarketDeriver(
  networks: readonly Network[],
  onUnknownCurrency: (chainId: number) => void,
): Deriver {
  const chains = new Map(networks.map((network) => [network.chainId, chainOf(network)]));

  return {
    name: "sequence-market",
    wanted: (chainId) => chains.get(chainId)?.filter ?? nothing,
    async added(tx, blocks) {
      const chain = chains.get(tx.chainId);
      const changes = chain === undefined ? [] : placed(chain.kinds, blocks);
      if (chain === undefined || changes.length === 0) return undefined;
      await takeTurn(tx, tx.chainId);
      const settledBlock = (blocks.at(-1)?.number ?? 0) - chain.window;
      let isWaiting = false;
      await byIndex(tx, async () => {
        for (let start = 0; start < changes.length; start += batch)
          isWaiting = (await addChanges(tx, changes.slice(start, start + batch), settledBlock)) || isWaiting;
      });
      return isWaiting ? () => onUnknownCurrency(tx.chainId) : undefined;
    },
    async removed(tx, blocks: readonly BlockRef[]) {
      await takeTurn(tx, tx.chainId);
      const ids = await takeBack(tx, Math.min(...blocks.map(({ number }) => number)));
      // What was over and is not any more may hang on facts that nobody asks for since then.
      await watchOrders(tx, tx.chainId, ids);
      await settleOrders(tx, tx.chainId, ids);
      return undefined;
    },
    // What is told once more changes nothing.
    rewound: async () => {},
  };
}

interface MarketsOfChain {
  readonly filter: LogFilter;
  /** By address. */
  readonly kinds: ReadonlyMap<string, SequenceKind>;
  /** Blocks that the follower may take back. */
  readonly window: number;
}

function chainOf({ markets, follow }: Network): MarketsOfChain {
  const own = sequenceMarkets(markets);
  return {
    filter: filterOf(own),
    kinds: new Map(own.map(({ address, kind }) => [address, kind])),
    window: follow?.window ?? 0,
  };
}

function filterOf(markets: readonly SequenceMarket[]): LogFilter {
  if (markets.length === 0) return nothing;
  return { addresses: new Set(markets.map(({ address }) => address as Hex)), topics: changeTopics };
}

function placed(
  kinds: ReadonlyMap<string, SequenceKind>,
  blocks: readonly ChainBlock[],
): readonly PlacedChange[] {
  return blocks.flatMap((block) =>
    block.logs.flatMap((log) => {
      const marketplace = kinds.get(log.address);
      if (marketplace === undefined) return [];
      return [{ block, market: log.address, marketplace, change: readChange(log) }];
    }),
  );
}

/** Changes that are worked out together. */
const batch = 5_000;

/** Answers whether an order waits for what its currency says of itself. */
async function addChanges(
  tx: ChainTransaction,
  changes: readonly PlacedChange[],
  settledBlock: number,
): Promise<boolean> {
  const book = new Book(settledBlock);
  const made = await makeOrders(tx, newOrders(book, changes));
  const requests = new Set<Request | undefined>(made.map(({ request }) => request));
  const others = changes.filter(({ marketplace, change }) => {
    if (change.kind === "created") return false;
    return change.kind === "invalidated" || !requests.has(book.find(marketplace, change.requestId));
  });
  const changed = await changedOrders(tx, new Book(settledBlock), others);
  await updateOrders(tx, changed);
  await keepBefore(tx, [...made, ...changed]);
  const open = made.filter(({ status }) => status === "inactive" || status === "decimals_missing");
  if (tx.isRecent) {
    const ids = open.map(({ id }) => id);
    await watchOrders(tx, tx.chainId, ids);
    // What they hang on may be known already.
    await settleOrders(tx, tx.chainId, ids);
  }
  return open.some(({ status }) => status === "decimals_missing");
}

/** Requests that came into being, each as all of the changes leave it, so that its order is written once. */
function newOrders(book: Book, changes: readonly PlacedChange[]): readonly NewOrder[] {
  const orders: NewOrder[] = [];
  for (const placed of changes) {
    if (placed.change.kind !== "created") book.apply(placed);
    else {
      const request = book.create(placed, placed.change);
      if (request !== undefined) orders.push({ placed, created: placed.change, request });
    }
  }
  return orders;
}

/** Orders that were there before and are not any more what they were. */
async function changedOrders(
  tx: ChainTransaction,
  book: Book,
  changes: readonly PlacedChange[],
): Promise<readonly ChangedOrder[]> {
  const names: RequestName[] = [];
  const makers: MakerName[] = [];
  for (const { marketplace, change } of changes) {
    if (change.kind === "invalidated") makers.push({ marketplace, maker: change.maker });
    else names.push({ marketplace, collection: change.collection, requestId: change.requestId });
  }
  const kept = await readOrders(tx, names, makers);
  const orders = kept.map(({ id, name, maker, state }) => ({ id, request: book.enter(name, maker, state) }));
  for (const placed of changes) book.apply(placed);
  return orders.filter(({ request }) => request.isChanged);
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

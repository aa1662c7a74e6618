import type {
  BlockRef,
  ChainTransaction,
  Deriver,
  LogFilter,
} from "../../../chain/follower/derive/deriver.ts";
import { nothing } from "../../../chain/follower/derive/filters.ts";
import { type SequenceKind, type SequenceMarket, sequenceMarkets } from "../../../chain/networks/markets.ts";
import type { Network } from "../../../chain/networks/network.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { settleOrders } from "../availability/settle.ts";
import { takeTurn } from "../availability/turn.ts";
import { watchOrders } from "../availability/watch.ts";
import { Book, type RequestName } from "./book.ts";
import { changeTopics, type PlacedChange } from "./change.ts";
import { makeOrders } from "./make-orders.ts";
import { oneAhead } from "./one-ahead.ts";
import { type ChangedOrder, type MakerName, readOrders, updateOrders } from "./orders.ts";
import { type ToldPart, toldParts } from "./told-parts.ts";
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
      const isTold = blocks.some(({ logs }) => logs.some(({ address }) => chain?.kinds.has(address)));
      if (chain === undefined || !isTold) return undefined;
      await takeTurn(tx, tx.chainId);
      const settledBlock = (blocks.at(-1)?.number ?? 0) - (tx.isRecent ? chain.window : 0);
      let isWaiting = false;
      await byIndex(tx, () =>
        oneAhead(toldParts(chain.kinds, blocks, settledBlock), async (part) => {
          isWaiting = (await addPart(tx, part, settledBlock)) || isWaiting;
        }),
      );
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

/** Answers whether an order waits for what its currency says of itself. */
async function addPart(
  tx: ChainTransaction,
  { book, changes, created }: ToldPart,
  settledBlock: number,
): Promise<boolean> {
  const made = await makeOrders(tx, created);
  const others = changes.filter(({ marketplace, change }) => {
    if (change.kind === "created") return false;
    const request = change.kind === "invalidated" ? undefined : book.find(marketplace, change.requestId);
    return request === undefined || !made.requests.has(request);
  });
  const changed = await changedOrders(tx, new Book(settledBlock), others);
  await updateOrders(tx, changed);
  if (tx.isRecent) {
    await keepBefore(tx, [...made.orders, ...changed]);
    const ids = made.orders.filter(({ status }) => isOpen(status)).map(({ id }) => id);
    await watchOrders(tx, tx.chainId, ids);
    // What they hang on may be known already.
    await settleOrders(tx, tx.chainId, ids);
  }
  return made.isWaiting;
}

function isOpen(status: string): boolean {
  return status === "inactive" || status === "decimals_missing";
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
  const [before] = await tx.query<Readonly<Record<string, string>>>(plansSql);
  await tx.query(setPlansSql, [plans.map(() => "off")]);
  await work();
  await tx.query(setPlansSql, [plans.map((name) => before?.[name])]);
}

const plans = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"] as const;

const plansSql = {
  name: "market-plans",
  text: `select ${plans.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`,
};

/** Until the end of the transaction. */
const setPlansSql = {
  name: "market-plans-set",
  text: `select set_config(name, value, true) from unnest(array[${plans.map((name) => `'${name}'`).join(", ")}], $1::text[]) as plan (name, value)`,
};

import { setTimeout as sleep } from "node:timers/promises";
import type { ContractTypeOf, Deriver } from "../../chain/follower/derive/deriver.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { MeteredNodes } from "../../chain/rpc/nodes/metered-nodes.ts";
import {
  type CollectionKey,
  followCollection,
  unfollowedCollectionsOfOrders,
} from "./followed-collections.ts";
import { HistoryReader } from "./history.ts";
import { readingLimits } from "./limits.ts";
import { type QueueLoad, queueLoad } from "./queue.ts";
import { TokenReader, type TokenReaderDependencies } from "./reader.ts";
import { createTokenDeriver } from "./token-deriver.ts";

export interface OpenTokensOptions extends Omit<TokenReaderDependencies, "limits"> {
  readonly collections: readonly (CollectionKey & { readonly fromBlock: number | undefined })[];
  /** Networks that some process follows. */
  readonly followed: readonly Network[];
  readonly contractTypeOf: ContractTypeOf;
  readonly budgets: MeteredNodes;
}

export interface OpenTokens extends AsyncDisposable {
  readonly deriver: Deriver;
  readonly load: TokenReader["load"];
  readonly queue: () => Promise<QueueLoad>;
}

/** Interval of the search for collections of new orders, in milliseconds. */
const pollMs = 10_000;

export async function openTokens(options: OpenTokensOptions): Promise<OpenTokens> {
  const { database, events, contractTypeOf, followed, budgets } = options;
  const chainIds = followed.map(({ chainId }) => chainId);
  for (const key of options.collections)
    await database.transaction((tx) => followIfNew(tx, { ...key, followedBy: "setting" }));
  const reader = new TokenReader({ ...options, limits: readingLimits });
  const wake = (): void => reader.wake();
  const history = new HistoryReader({
    database,
    networks: followed,
    budgets,
    contractTypeOf,
    wake,
    onFailure: events.failed,
  });
  const closing = new AbortController();
  const polling = pollOrders();

  async function pollOrders(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        for (const key of await unfollowedCollectionsOfOrders(database, chainIds))
          await database.transaction((tx) => followIfNew(tx, { ...key, followedBy: "order" }));
      } catch (err) {
        events.failed(err);
      }
      await sleep(pollMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    deriver: createTokenDeriver({ database, contractTypeOf, wake }),
    load: () => reader.load(),
    queue: () => queueLoad(database),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await polling;
      await history[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
    },
  };
}

/** Skips collections that are or were followed, so that a restart does not read the same history again. */
const followIfNew: typeof followCollection = async (tx, options) => {
  const known = await tx.query(
    `select from followed_collection join collection on collection.id = collection_id where chain_id = $1 and address = $2`,
    [options.chainId, options.address],
  );
  return known.length === 0 && followCollection(tx, options);
};

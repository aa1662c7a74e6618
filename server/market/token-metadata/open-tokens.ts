import { inBackground, repeatUntil } from "../../base/repeat.ts";
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
  readonly meteredNodes: MeteredNodes;
  /** Whether this process reads the histories and metadata of tokens. Otherwise they wait in the queue. */
  readonly reads: boolean;
}

export interface OpenTokens extends AsyncDisposable {
  readonly deriver: Deriver;
  readonly load: TokenReader["load"];
  readonly queue: () => Promise<QueueLoad>;
}

/** Interval of the search for collections of new orders, in milliseconds. */
const pollMs = 10_000;

export async function openTokens(options: OpenTokensOptions): Promise<OpenTokens> {
  const { database, events, contractTypeOf, followed, meteredNodes } = options;
  const chainIds = followed.map(({ chainId }) => chainId);
  for (const key of options.collections)
    await database.transaction((tx) => followIfNew(tx, { ...key, followedBy: "setting" }));
  const reader = options.reads ? new TokenReader({ ...options, limits: readingLimits }) : undefined;
  const wake = (): void => reader?.wake();
  const history = options.reads
    ? new HistoryReader({
        database,
        networks: followed,
        meteredNodes,
        contractTypeOf,
        wake,
        onFailure: events.failed,
      })
    : undefined;
  const polling = inBackground((signal) =>
    repeatUntil(signal, pollMs, followCollectionsOfOrders, events.failed),
  );

  async function followCollectionsOfOrders(): Promise<void> {
    for (const key of await unfollowedCollectionsOfOrders(database, chainIds))
      await database.transaction((tx) => followIfNew(tx, { ...key, followedBy: "order" }));
  }

  return {
    deriver: createTokenDeriver({ database, contractTypeOf, wake }),
    load: () => reader?.load() ?? { tokens: 0, documents: 0 },
    queue: () => queueLoad(database),
    async [Symbol.asyncDispose]() {
      await polling[Symbol.asyncDispose]();
      await history?.[Symbol.asyncDispose]();
      await reader?.[Symbol.asyncDispose]();
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

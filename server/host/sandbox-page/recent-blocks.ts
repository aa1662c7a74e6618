import { loadKeccak } from "../../base/keccak.ts";
import type { BlockId, ChainBlock } from "../../chain/follower/derive/blocks.ts";
import type { Deriver } from "../../chain/follower/derive/deriver.ts";
import { emptyFilter } from "../../chain/follower/derive/log-filter.ts";
import type { Network } from "../../chain/networks/network.ts";
import type { LiveBlock, LiveLog } from "./snapshot.ts";

const storedMax = 40;

/** Most logs of a block that are shown. */
const logsMax = 50;

interface StoredLog {
  readonly address: string;
  readonly topic: string | undefined;
}

interface StoredBlock extends Omit<LiveBlock, "logs"> {
  readonly logs: readonly StoredLog[];
}

/** Stores the newest blocks of the follower in memory. Writes nothing to the database. */
export class RecentBlocks {
  #newest: readonly StoredBlock[] = [];
  readonly #local: ReadonlySet<number>;
  /** Filter for all logs of recent blocks. */
  readonly #allRecentLogs = { recentOnly: true };

  constructor(networks: readonly Network[]) {
    this.#local = new Set(networks.filter(isLocal).map(({ chainId }) => chainId));
  }

  /** Computes event names only when a page is open, because that loads the hash function. */
  async snapshot(): Promise<readonly LiveBlock[]> {
    const names = await eventNames();
    return this.#newest.map(({ logs, ...block }) => ({
      ...block,
      logs: logs.map((log) => shownLog(log, names)),
    }));
  }

  deriver(): Deriver {
    return {
      name: "live",
      logFilter: (chainId) => (this.#local.has(chainId) ? this.#allRecentLogs : emptyFilter),
      added: async ({ chainId, isRecent }, blocks) => {
        if (!isRecent) return undefined;
        return () => this.#add(chainId, blocks);
      },
      removed:
        async ({ chainId }, blocks) =>
        () =>
          this.#remove(chainId, blocks),
      rewound: async () => {},
    };
  }

  #add(chainId: number, blocks: readonly ChainBlock[]): void {
    const shown = blocks.map(({ number, hash, timestamp, logs }) => ({
      chainId,
      number,
      hash,
      timestamp,
      isGone: false,
      logs: logs.slice(0, logsMax).map(({ address, topics: [first] }) => ({ address, topic: first })),
    }));
    const others = this.#newest.filter(({ hash }) => !shown.some((block) => block.hash === hash));
    this.#newest = [...shown.reverse(), ...others].slice(0, storedMax);
  }

  #remove(chainId: number, blocks: readonly BlockId[]): void {
    const removed = new Set<string>(blocks.map(({ hash }) => hash));
    this.#newest = this.#newest.map((block) =>
      block.chainId === chainId && removed.has(block.hash) ? { ...block, isGone: true } : block,
    );
  }
}

/** Only local chains: a public chain has too many logs to request all of them. */
function isLocal({ nodes }: Network): boolean {
  return (
    nodes.length > 0 && nodes.every(({ url }) => /^https?:\/\/(?:127[.]|localhost[:/]|\[::1\])/.test(url))
  );
}

function shownLog({ address, topic }: StoredLog, names: ReadonlyMap<string, string>): LiveLog {
  if (topic === undefined) return { address, event: "anonymous" };
  return { address, event: names.get(topic) ?? `${topic.slice(0, 10)}…` };
}

let loading: Promise<ReadonlyMap<string, string>> | undefined;

function eventNames(): Promise<ReadonlyMap<string, string>> {
  loading ??= loadKeccak().then(
    (keccak) =>
      new Map(
        eventTexts.map((text) => [
          `0x${Buffer.from(keccak(text)).toString("hex")}`,
          text.slice(0, text.indexOf("(")),
        ]),
      ),
  );
  return loading;
}

/** The most frequent events of a sandbox's contracts: tokens, both kinds of markets, and pools. */
const eventTexts: readonly string[] = [
  "Transfer(address,address,uint256)",
  "Approval(address,address,uint256)",
  "ApprovalForAll(address,address,bool)",
  "TransferSingle(address,address,address,uint256,uint256)",
  "TransferBatch(address,address,address,uint256[],uint256[])",
  "URI(string,uint256)",
  "MetadataUpdate(uint256)",
  "BatchMetadataUpdate(uint256,uint256)",
  "RequestCreated(uint256,address,address,uint256,bool,uint256,address,uint256,uint256)",
  "RequestAccepted(uint256,address,address,address,uint256,uint256)",
  "RequestCancelled(uint256,address)",
  "RequestsInvalidated(address,uint256)",
  "RequestsInvalidated(address,address,uint256)",
  "CustomRoyaltyChanged(address,address,uint96)",
  "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])",
  "OrderCancelled(bytes32,address,address)",
  "CounterIncremented(uint256,address)",
  "Swap(address,uint256,uint256,uint256,uint256,address)",
  "Swap(address,address,int256,int256,uint160,uint128,int24)",
  "Sync(uint112,uint112)",
  "Mint(address,uint256,uint256)",
  "Mint(address,address,int24,int24,uint128,uint256,uint256)",
  "PairCreated(address,address,address,uint256)",
  "PoolCreated(address,address,uint24,int24,address)",
  "Deposit(address,uint256)",
  "Withdrawal(address,uint256)",
];

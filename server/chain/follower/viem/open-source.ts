import { toHex } from "viem";
import { loadKeccak } from "../../../base/keccak.ts";
import type { Network } from "../../networks/network.ts";
import { type BlockLimits, nodeLimits } from "../../rpc/node-limits.ts";
import { MeteredNodes } from "../../rpc/nodes/metered-nodes.ts";
import type { Share } from "../../rpc/nodes/node-budget.ts";
import { BloomFilters, isFilled } from "../bloom.ts";
import type { ChainLog } from "../derive/blocks.ts";
import type { LogFilter } from "../derive/log-filter.ts";
import {
  BlockNotFound,
  type Header,
  InvalidResponse,
  type RangeLog,
  type RangeLogs,
  type Source,
} from "../source.ts";
import { BlockHeaders } from "./block-headers.ts";
import { BlockNodes } from "./block-nodes.ts";
import { readHeader, readLogs, withIndexInTransaction } from "./responses.ts";

export interface OpenSource extends Source {
  /** For each node, whether it is healthy, that is, not demoted. */
  readonly healthy: () => readonly boolean[];
  readonly bloomFilters: BloomFilters;
}

export interface SourceDependencies {
  readonly limits: BlockLimits;
  readonly meteredNodes: MeteredNodes;
  readonly share: Share;
  /** Ends waiting for the budget and further attempts. */
  readonly signal: AbortSignal;
  /** A node was demoted. `node` is its index in the configuration. */
  readonly onDemoted: (node: number, reason: string) => void;
}

export async function openSource(
  network: Network,
  {
    limits = nodeLimits.blocks,
    meteredNodes = new MeteredNodes(),
    share = "follower",
    signal,
    onDemoted,
  }: Partial<SourceDependencies> = {},
): Promise<OpenSource> {
  const nodes = new BlockNodes({
    network,
    metered: meteredNodes.of(network),
    share,
    client: limits,
    signal,
    onChainChanged: (node, reason) => meteredNodes.events.nodeChainChanged(network.name, node, reason),
    ...(onDemoted === undefined ? {} : { onDemoted }),
  });
  const bloomFilters = new BloomFilters(await loadKeccak());
  const headers = new BlockHeaders(nodes);
  const checksBloom = network.follow?.checkBloom !== false;
  const blockLogs = new BlockLogs({ nodes, bloomFilters, checksBloom });
  return {
    latest: () => headers.latest(),
    latestOfEach: () => headers.latestOfEach(),
    taggedBlock: (tag) => headers.byTag(tag),
    headerByHash: (hash) => headers.byHash(hash),
    headersByNumber: (numbers) => Promise.all(numbers.map((number) => headers.byNumber(number))),
    vote: (block) => headers.vote(block),
    logsOfBlock: (header) => blockLogs.read(header),
    withIndexes: (header, logs) => blockLogs.withIndexes(header, logs),
    logsOfRange: (from, to, filter) => readRangeLogs(nodes, from, to, filter),
    bloomFilters,
    healthy: () => nodes.healthy,
    get preferredNode() {
      return nodes.preferred;
    },
    demoteLast: (reason) => nodes.demoteLast(reason),
    demoteLagging: (node, reason) => nodes.demoteLagging(node, reason),
  };
}

export interface BlockLogsDependencies {
  readonly nodes: BlockNodes;
  readonly bloomFilters: BloomFilters;
  readonly checksBloom: boolean;
}

/** Reads all logs of a block. Checks with its bloom filter that none is missing. */
class BlockLogs {
  readonly #dependencies: BlockLogsDependencies;

  constructor(dependencies: BlockLogsDependencies) {
    this.#dependencies = dependencies;
  }

  read(header: Header): Promise<readonly ChainLog[]> {
    const { nodes } = this.#dependencies;
    const read = (response: unknown): readonly ChainLog[] => this.#logsOf(header, response);
    return nodes.request({
      method: "eth_getLogs",
      params: [{ blockHash: header.hash }],
      isBatchable: true,
      read,
      readPlainly: async ({ callInBatch }) => {
        const number = toHex(header.number);
        const logs = read(await callInBatch("eth_getLogs", [{ fromBlock: number, toBlock: number }]));
        // No log may reveal that another block has this number by now.
        const { hash } = readHeader(await callInBatch("eth_getBlockByNumber", [number, false]));
        if (hash !== header.hash) throw new BlockNotFound("another block has this number");
        return logs;
      },
    });
  }

  /** See `Source.withIndexes`. */
  withIndexes(header: Header, logs: readonly RangeLog[]): readonly ChainLog[] | undefined {
    return this.#isChecked(header) && this.#areAllOf(header, logs) ? withIndexInTransaction(logs) : undefined;
  }

  #logsOf(header: Header, response: unknown): readonly ChainLog[] {
    const logs = withIndexInTransaction(logsOfOneBlock(readLogs(response), header));
    // At the head, nodes may respond before they have indexed the block.
    if (this.#isChecked(header) && !this.#areAllOf(header, logs))
      throw new BlockNotFound(
        "the logs do not match the block's bloom filter; if this lasts because the chain's filters are wrong, set checkBloom to false in follow",
      );
    return logs;
  }

  #isChecked({ logsBloom }: Header): boolean {
    return this.#dependencies.checksBloom && isFilled(logsBloom);
  }

  #areAllOf({ logsBloom }: Header, logs: readonly ChainLog[]): boolean {
    return areConsecutive(logs) && this.#dependencies.bloomFilters.isExactly(logs, logsBloom);
  }
}

/**
 * Equal logs set the same bits, so the bloom filter cannot reveal that one of them is missing. A gap in the log indexes reveals
 * that, unless the missing log is the last one.
 */
function areConsecutive(logs: readonly ChainLog[]): boolean {
  return logs.every(({ logIndex }, index) => logIndex === index);
}

function logsOfOneBlock(logs: readonly RangeLog[], { hash, number }: Header): readonly RangeLog[] {
  if (logs.some(({ blockHash, blockNumber }) => blockHash !== hash || blockNumber !== number))
    throw new InvalidResponse("it returned logs of a different block than requested");
  return logs;
}

/** Most contracts or topics in one request. Only some nodes accept more, so longer filters are omitted. */
const maxItems = 100;

/** Reads the logs of the blocks `from` to `to`. Throws TooManyLogs. */
function readRangeLogs(nodes: BlockNodes, from: number, to: number, filter: LogFilter): Promise<RangeLogs> {
  return nodes.request({
    method: "eth_getLogs",
    params: [{ fromBlock: toHex(from), toBlock: toHex(to), ...filterParams(filter) }],
    isBatchable: false,
    read: (response, node) => {
      const logs = readLogs(response);
      if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
        throw new InvalidResponse("it returned logs of blocks that were not requested");
      return { logs, node };
    },
  });
}

function filterParams({ addresses, topics }: LogFilter): object {
  return {
    ...(addresses === undefined || addresses.size > maxItems ? {} : { address: [...addresses] }),
    ...(topics === undefined || topics.size > maxItems ? {} : { topics: [[...topics]] }),
  };
}

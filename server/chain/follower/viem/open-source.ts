import { toHex } from "viem";
import { type Keccak, loadKeccak } from "../../../base/keccak.ts";
import type { Network } from "../../networks/network.ts";
import type { Hex } from "../../rpc/chain.ts";
import { type BlockLimits, nodeLimits } from "../../rpc/node-limits.ts";
import { FalseResponse } from "../../rpc/nodes/faults.ts";
import { MeteredNodes } from "../../rpc/nodes/metered-nodes.ts";
import type { Share } from "../../rpc/nodes/node-budget.ts";
import { BloomFilters, isFilled } from "../bloom.ts";
import type { ChainLog, LogFilter } from "../derive/deriver.ts";
import {
  BlockNotFound,
  CheckUnsupported,
  FilterRequired,
  type Header,
  InvalidResponse,
  type RangeLog,
  type RangeLogs,
  type Source,
} from "../source.ts";
import { BlockHeaders, readCheckedHeader } from "./block-headers.ts";
import { BlockNodes, isRejected, type NodeRequest } from "./block-nodes.ts";
import { logsOfReceipts } from "./receipts.ts";
import { readHeader, readLogs, readTransactions, withIndexInTransaction } from "./responses.ts";

export interface OpenSource extends Source {
  /** For each node, whether it is healthy, that is, not demoted. */
  readonly healthy: () => readonly boolean[];
  readonly bloomFilters: BloomFilters;
  /** Throws CheckUnsupported if the checks of the network are impossible with its nodes. */
  readonly ensureChecks: () => Promise<void>;
}

export interface SourceDependencies {
  readonly limits: BlockLimits;
  readonly budgets: MeteredNodes;
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
    budgets = new MeteredNodes(),
    share = "follower",
    signal,
    onDemoted,
  }: Partial<SourceDependencies> = {},
): Promise<OpenSource> {
  const nodes = new BlockNodes({
    network,
    metered: budgets.of(network),
    share,
    client: limits,
    signal,
    onChainChanged: (node, reason) => budgets.events.nodeChainChanged(network.name, node, reason),
    ...(onDemoted === undefined ? {} : { onDemoted }),
  });
  const keccak = await loadKeccak();
  const bloomFilters = new BloomFilters(keccak);
  const checksReceipts = network.follow?.checkReceipts === true;
  const headers = new BlockHeaders(
    nodes,
    checksReceipts ? (response) => readCheckedHeader(response, keccak) : readHeader,
  );
  const checksBloom = network.follow?.checkBloom !== false;
  const blockLogs = new BlockLogs({ nodes, bloomFilters, checksBloom, keccak });
  return {
    latest: () => headers.latest(),
    taggedBlock: (tag) => headers.byTag(tag),
    headerByHash: (hash) => headers.byHash(hash),
    headersByNumber: (numbers) => Promise.all(numbers.map((number) => headers.byNumber(number))),
    vote: (block) => headers.vote(block),
    logsOfBlock: (header) => blockLogs.read(header),
    withIndexes: (header, logs, areAll) => blockLogs.withIndexes(header, logs, areAll),
    logsOfRange: (from, to, filter) => readRangeLogs(nodes, from, to, filter),
    bloomFilters,
    ensureChecks: async () => {
      if (checksReceipts) await ensureReceipts(nodes, keccak);
    },
    healthy: () => nodes.healthy,
    get preferredNode() {
      return nodes.preferred;
    },
    get overloads() {
      return nodes.overloads;
    },
    demoteLast: (reason) => nodes.demoteLast(reason),
  };
}

export interface BlockLogsDependencies {
  readonly nodes: BlockNodes;
  readonly bloomFilters: BloomFilters;
  readonly checksBloom: boolean;
  readonly keccak: Keccak;
}

/** Reads all logs of a block. Checks that none is missing, with the root of its receipts or its bloom filter. */
class BlockLogs {
  readonly #dependencies: BlockLogsDependencies;

  constructor(dependencies: BlockLogsDependencies) {
    this.#dependencies = dependencies;
  }

  read(header: Header): Promise<readonly ChainLog[]> {
    if (header.receiptsRoot !== undefined) return this.#readProven(header.hash, header.receiptsRoot);
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
  withIndexes(header: Header, logs: readonly RangeLog[], areAll: boolean): readonly ChainLog[] | undefined {
    const isComplete = this.#isChecked(header) ? this.#areAllOf(header, logs) : areAll;
    return isComplete ? withIndexInTransaction(logs) : undefined;
  }

  #readProven(hash: Hex, receiptsRoot: Hex): Promise<readonly ChainLog[]> {
    const { nodes, keccak } = this.#dependencies;
    const read = (response: unknown): readonly ChainLog[] => {
      if (response === null) throw new BlockNotFound("the node does not have the block");
      return logsOfReceipts(response, receiptsRoot, keccak);
    };
    return nodes.request({
      method: "eth_getBlockReceipts",
      params: [hash],
      isBatchable: true,
      read,
      readPlainly: async ({ callInBatch }) => {
        const transactions = readTransactions(await callInBatch("eth_getBlockByHash", [hash, false]));
        const receipts = transactions.map((each) => callInBatch("eth_getTransactionReceipt", [each]));
        return read(await Promise.all(receipts));
      },
    });
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

/** Reads the logs of the blocks `from` to `to`. Without a filter, all logs. Throws TooManyLogs and FilterRequired. */
async function readRangeLogs(
  nodes: BlockNodes,
  from: number,
  to: number,
  filter: LogFilter | undefined,
): Promise<RangeLogs> {
  try {
    return await nodes.request({
      method: "eth_getLogs",
      params: [{ fromBlock: toHex(from), toBlock: toHex(to), ...filterParams(filter ?? {}) }],
      isBatchable: false,
      read: (response, node) => {
        const logs = readLogs(response);
        if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
          throw new InvalidResponse("it returned logs of blocks that were not requested");
        return { logs, node };
      },
    });
  } catch (err) {
    if (filter !== undefined || !isRejected(err)) throw err;
    throw new FilterRequired("no node returns logs without a filter", { cause: err });
  }
}

function filterParams({ addresses, topics }: LogFilter): object {
  return {
    ...(addresses === undefined || addresses.size > maxItems ? {} : { address: [...addresses] }),
    ...(topics === undefined || topics.size > maxItems ? {} : { topics: [[...topics]] }),
  };
}

/** Throws CheckUnsupported if no node has headers that have their hash. */
async function ensureReceipts(nodes: BlockNodes, keccak: Keccak): Promise<void> {
  const header: NodeRequest<boolean> = {
    method: "eth_getBlockByNumber",
    params: ["latest", false],
    isBatchable: true,
    read: (response) => hasItsHash(response, keccak),
  };
  const areHashed = [await nodes.request(header), ...(await nodes.requestFromOthers(header))];
  if (!areHashed.includes(true))
    throw new CheckUnsupported(
      "the headers of this chain are not hashed like those of Ethereum, which checkReceipts needs; set it to false for this network",
    );
}

function hasItsHash(response: unknown, keccak: Keccak): boolean {
  try {
    readCheckedHeader(response, keccak);
    return true;
  } catch (err) {
    if (err instanceof FalseResponse) return false;
    throw err;
  }
}

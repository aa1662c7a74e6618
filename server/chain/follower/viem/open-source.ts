import { toHex } from "viem";
import { loadKeccak } from "../../../base/keccak.ts";
import type { Network } from "../../networks/network.ts";
import type { Hex } from "../../rpc/chain.ts";
import type { Share } from "../../rpc/nodes/node-budget.ts";
import { NodeBudgets } from "../../rpc/nodes/node-budgets.ts";
import { BloomFilters } from "../bloom.ts";
import type { ChainLog, LogFilter } from "../derive/deriver.ts";
import { BlockNotFound, FilterRequired, type Header, InvalidResponse, type Source } from "../source.ts";
import { BlockNodes, type BlockNodesLimits, blockNodesLimits } from "./block-nodes.ts";
import { readCheckedHeader } from "./receipts/checked-header.ts";
import { ensureReceipts } from "./receipts/ensure-receipts.ts";
import { logsOfReceipts } from "./receipts/receipts.ts";
import { readLogs, readHeader as readPlainHeader, withIndexInTransaction } from "./responses.ts";
import { isParameterRejected, isRejected } from "./too-many-logs.ts";

export interface OpenSource extends Source {
  /** For each node, whether it is healthy, that is, not demoted. */
  readonly healthy: () => readonly boolean[];
  readonly bloomFilters: BloomFilters;
  /** Throws CheckUnsupported if the checks of the network are impossible with its nodes. */
  readonly ensureChecks: () => Promise<void>;
}

/** Most contracts or topics in one request. Only some nodes accept more, so longer filters are omitted. */
const maxItems = 100;

export interface SourceParts {
  readonly limits: BlockNodesLimits;
  readonly budgets: NodeBudgets;
  readonly share: Share;
  /** Ends waiting for the budget and further attempts. */
  readonly signal: AbortSignal;
  /** A node was demoted. `node` is its index in the configuration. */
  readonly onDemoted: (node: number, reason: string) => void;
}

export async function openSource(
  network: Network,
  {
    limits = blockNodesLimits,
    budgets = new NodeBudgets(),
    share = "follower",
    signal,
    onDemoted,
  }: Partial<SourceParts> = {},
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
  const checksBloom = network.follow?.checkBloom !== false;
  const checksReceipts = network.follow?.checkReceipts === true;
  const readHeader = checksReceipts
    ? (response: unknown) => readCheckedHeader(response, keccak)
    : readPlainHeader;
  const headerBy = (method: string, key: string) =>
    nodes.request({ method, params: [key, false], isBatchable: true, read: readHeader });
  const areAllOf = ({ logsBloom }: Header, logs: readonly ChainLog[]): boolean =>
    areConsecutive(logs) && bloomFilters.isExactly(logs, logsBloom);
  /** Whether a node has rejected requests by block hash, which a few do not support. */
  let isReadByNumber = false;
  const logsOfBlock = async (header: Header): Promise<readonly ChainLog[]> => {
    if (header.receiptsRoot !== undefined) return provenLogs(header.hash, header.receiptsRoot);
    if (isReadByNumber) return logsByNumber(header);
    try {
      return await logsBy([{ blockHash: header.hash }], header);
    } catch (err) {
      if (!isParameterRejected(err)) throw err;
      const logs = await logsByNumber(header);
      isReadByNumber = true;
      return logs;
    }
  };
  const provenLogs = (hash: Hex, receiptsRoot: Hex): Promise<readonly ChainLog[]> =>
    nodes.request({
      method: "eth_getBlockReceipts",
      params: [hash],
      isBatchable: true,
      read: (response) => {
        if (response === null) throw new BlockNotFound("the node does not have the block");
        return logsOfReceipts(response, receiptsRoot, keccak);
      },
    });
  /** Checks the header afterwards: no log may reveal that another block has this number by now. */
  const logsByNumber = async (header: Header): Promise<readonly ChainLog[]> => {
    const number = toHex(header.number);
    const logs = await logsBy([{ fromBlock: number, toBlock: number }], header);
    const { hash } = await headerBy("eth_getBlockByNumber", number);
    if (hash !== header.hash) throw new BlockNotFound("another block has this number");
    return logs;
  };
  const logsBy = (params: readonly unknown[], header: Header): Promise<readonly ChainLog[]> =>
    nodes.request({
      method: "eth_getLogs",
      params,
      isBatchable: true,
      read: (response) => {
        const logs = withIndexInTransaction(logsOfOneBlock(readLogs(response), header));
        // At the head, nodes may respond before they have indexed the block.
        if (checksBloom && !areAllOf(header, logs))
          throw new BlockNotFound("the logs do not match the block's bloom filter");
        return logs;
      },
    });
  return {
    bloomFilters,
    healthy: () => nodes.healthy,
    latest: () => headerBy("eth_getBlockByNumber", "latest"),
    taggedBlock: (tag) =>
      nodes.requestOptional({
        method: "eth_getBlockByNumber",
        params: [tag, false],
        isBatchable: true,
        read: readHeader,
      }),
    headerByHash: async (hash) => {
      const read = (response: unknown): Header => {
        const header = readHeader(response);
        if (header.hash !== hash) throw new InvalidResponse("it returned a different block than requested");
        return header;
      };
      return nodes.request({ method: "eth_getBlockByHash", params: [hash, false], isBatchable: true, read });
    },
    headersByNumber: (numbers) =>
      Promise.all(numbers.map((number) => headerBy("eth_getBlockByNumber", toHex(number)))),
    ensureChecks: async () => {
      if (checksReceipts) await ensureReceipts(nodes, keccak);
    },
    get preferredNode() {
      return nodes.preferred;
    },
    get overloads() {
      return nodes.overloads;
    },
    logsOfBlock,
    withIndexes: (header, logs, areAll) =>
      (checksBloom ? areAllOf(header, logs) : areAll) ? withIndexInTransaction(logs) : undefined,
    logsOfRange: (from, to, filter) => {
      const logs = nodes.request({
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
      if (filter !== undefined) return logs;
      return logs.catch((err: unknown) => {
        throw isRejected(err)
          ? new FilterRequired("no node returns logs without a filter", { cause: err })
          : err;
      });
    },
    vote: async ({ number, hash }) => {
      const read = (response: unknown): boolean => readHeader(response).hash === hash;
      const params = [toHex(number), false];
      const votes = await nodes.requestFromOthers({
        method: "eth_getBlockByNumber",
        params,
        isBatchable: true,
        read,
      });
      const yes = votes.filter(Boolean).length;
      return { yes, no: votes.length - yes };
    },
    demoteLast: (reason) => nodes.demoteLast(reason),
  };
}

/**
 * Equal logs set the same bits, so the bloom filter cannot reveal that one of them is missing. A gap in the log indexes reveals
 * that, unless the missing log is the last one.
 */
function areConsecutive(logs: readonly ChainLog[]): boolean {
  return logs.every(({ logIndex }, index) => logIndex === index);
}

function logsOfOneBlock<Log extends { readonly blockHash: string; readonly blockNumber: number }>(
  logs: readonly Log[],
  { hash, number }: Header,
): readonly Log[] {
  if (logs.some(({ blockHash, blockNumber }) => blockHash !== hash || blockNumber !== number))
    throw new InvalidResponse("it returned logs of a different block than requested");
  return logs;
}

function filterParams({ addresses, topics }: LogFilter): object {
  return {
    ...(addresses === undefined || addresses.size > maxItems ? {} : { address: [...addresses] }),
    ...(topics === undefined || topics.size > maxItems ? {} : { topics: [[...topics]] }),
  };
}

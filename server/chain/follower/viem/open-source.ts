import { loadKeccak } from "../../../base/keccak.ts";
import type { Network } from "../../networks/network.ts";
import { MeteredNodes } from "../../rpc/nodes/metered-nodes.ts";
import type { Share } from "../../rpc/nodes/node-budget.ts";
import { BloomFilters } from "../bloom.ts";
import type { Source } from "../source.ts";
import { BlockHeaders } from "./block-headers.ts";
import { BlockLogs } from "./block-logs.ts";
import { BlockNodes, type BlockNodesLimits, blockNodesLimits } from "./block-nodes.ts";
import { readRangeLogs } from "./range-logs.ts";
import { readCheckedHeader } from "./receipts/checked-header.ts";
import { ensureReceipts } from "./receipts/ensure-receipts.ts";
import { readHeader } from "./responses.ts";

export interface OpenSource extends Source {
  /** For each node, whether it is healthy, that is, not demoted. */
  readonly healthy: () => readonly boolean[];
  readonly bloomFilters: BloomFilters;
  /** Throws CheckUnsupported if the checks of the network are impossible with its nodes. */
  readonly ensureChecks: () => Promise<void>;
}

export interface SourceDependencies {
  readonly limits: BlockNodesLimits;
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
    limits = blockNodesLimits,
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
  const blockLogs = new BlockLogs({ nodes, headers, bloomFilters, checksBloom, keccak });
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

/** Decides which JSON-RPC requests of this machine's wallets, scripts and pages reach the local chain, and how much each may cost. */
import { isRecord } from "../../base/is-record.ts";

/**
 * Most gas of a call, as in geth. Anvil itself accepts any amount: an endless loop with enough gas would occupy it for ever, also after its
 * caller has left. Transactions need no cap here: Anvil rejects those above the limit of a block.
 */
const maxCallGas = 50_000_000;

/** Largest message, in bytes: the largest contract that a chain accepts has 96 KiB of hex. */
export const maxMessageBytes = 1_048_576;

/** Most requests of a batch: each may take a quarter of a second. */
const maxBatch = 100;

/** Most blocks of one `anvil_mine`: as many take two or three seconds. */
const maxMinedBlocks = 1_000;

/** Most blocks that `anvil_reorg` replaces: the chain keeps the state of as many. */
const maxReplacedBlocks = 64;

/** What scripts and wallets use. Omits methods whose cost has no limit, such as traces, and those that replace the chain. */
const methods: ReadonlySet<string> = new Set([
  ...`accounts blobBaseFee blockNumber call chainId coinbase createAccessList estimateGas feeHistory fillTransaction gasPrice getAccount
    getAccountInfo getBalance getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash
    getBlockTransactionCountByNumber getCode getFilterChanges getFilterLogs getLogs getProof getStorageAt getTransactionByBlockHashAndIndex
    getTransactionByBlockNumberAndIndex getTransactionByHash getTransactionCount getTransactionReceipt getUncleByBlockHashAndIndex
    getUncleByBlockNumberAndIndex getUncleCountByBlockHash getUncleCountByBlockNumber maxPriorityFeePerGas newBlockFilter newFilter
    newPendingTransactionFilter protocolVersion sendRawTransaction sendTransaction sign signTransaction signTypedData signTypedData_v3
    signTypedData_v4 subscribe syncing uninstallFilter unsubscribe`
    .split(/\s+/)
    .map((name) => `eth_${name}`),
  ...[
    "net_listening",
    "net_peerCount",
    "net_version",
    "web3_clientVersion",
    "web3_sha3",
    "personal_sign",
    "txpool_status",
  ],
  ...`dropTransaction impersonateAccount mine reorg setBalance setCode setNonce setStorageAt stopImpersonatingAccount`
    .split(" ")
    .flatMap((name) => [`anvil_${name}`, `hardhat_${name}`]),
  ...`increaseTime mine revert setAutomine setNextBlockTimestamp snapshot`
    .split(" ")
    .map((name) => `evm_${name}`),
]);

const calls: ReadonlySet<string> = new Set(["eth_call", "eth_createAccessList", "eth_estimateGas"]);

/** Returns the message for the chain, or the error for the caller. */
export function readMessage(text: string): { readonly forwarded: string } | { readonly rejection: string } {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { rejection: failure("the message is not JSON", null, -32_700) };
  }
  const requests = Array.isArray(message) ? message : [message];
  if (requests.length > maxBatch)
    return {
      rejection: failure(`the batch has ${requests.length} requests, at most ${maxBatch} are allowed`),
    };
  for (const request of requests) {
    const fault = boundRequest(request);
    if (fault !== undefined)
      return { rejection: failure(fault, isRecord(request) ? (request["id"] ?? null) : null) };
  }
  return { forwarded: JSON.stringify(message) };
}

/** Limits the gas of a call in place. Returns why a request is rejected. */
function boundRequest(request: unknown): string | undefined {
  if (!isRecord(request) || typeof request["method"] !== "string") return "expected a request with a method";
  const { method, params = [] } = request;
  if (!Array.isArray(params)) return `${method.slice(0, 64)}: expected a list of parameters`;
  if (!methods.has(method)) return `the sandbox's chain does not serve "${method.slice(0, 64)}"`;
  const [first] = params as readonly unknown[];
  if (calls.has(method)) {
    // Overrides of the block could raise its gas limit.
    if (params.length > 3) return `${method}: the sandbox's chain accepts no overrides of the block`;
    if (!isRecord(first)) return `${method}: expected a call`;
    Object.assign(first, { gas: boundedGas(first["gas"]) });
  }
  // Either a number of blocks, or for evm_mine a time, alone or with a number of blocks.
  const blocks = isRecord(first) ? first["blocks"] : method === "evm_mine" ? undefined : first;
  if (method.endsWith("_mine") && !(quantityOf(blocks ?? 1) <= maxMinedBlocks))
    return `${method}: at most ${maxMinedBlocks} blocks are mined at once`;
  if (method.endsWith("_reorg") && !(quantityOf(first) <= maxReplacedBlocks))
    return `${method}: at most ${maxReplacedBlocks} blocks are replaced`;
  return undefined;
}

/** Estimates and calls without gas get the largest amount, as from a node. */
function boundedGas(gas: unknown): string {
  const given = gas === undefined || gas === null ? maxCallGas : quantityOf(gas);
  return `0x${Math.min(Number.isNaN(given) ? maxCallGas : given, maxCallGas).toString(16)}`;
}

/** NaN if it is not one. */
function quantityOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^(?:0x[0-9a-f]+|[0-9]+)$/i.test(value) ? Number(value) : Number.NaN;
}

/** A JSON-RPC error: https://www.jsonrpc.org/specification#error_object. Default: an invalid request. */
export function failure(message: string, id: unknown = null, code = -32_600): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

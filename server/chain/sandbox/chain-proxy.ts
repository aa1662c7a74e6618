import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isObject } from "ridlkit-runtime/json";
import { WebSocket, WebSocketServer } from "ws";
import { handleCors, loopbackOnly, loopbackRejection } from "../../../generator/tools/dev/loopback.ts";

export interface ChainProxy extends AsyncDisposable {
  /** URL for wallets, scripts and pages on this machine, over HTTP and WebSocket. */
  readonly rpcUrl: string;
}

/**
 * Exposes a local chain to this machine only. Anvil accepts every Host and Origin, so any web page that knows its port could
 * control it. Anvil's port is therefore never printed. `readMessage` decides what reaches it.
 */
export async function openChainProxy(chainUrl: string): Promise<ChainProxy> {
  const { hostname, port } = new URL(chainUrl);
  const target: Target = { hostname, port: Number(port) };
  const server = createServer((req, res) => void forward(req, res, target).catch(() => res.destroy()));
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  server.on("upgrade", (req, socket, head) => {
    socket.on("error", () => socket.destroy());
    if (rejectUpgrade(req, socket)) return;
    webSockets.handleUpgrade(req, socket, head, (client) =>
      forwardMessages(client, chainUrl.replace("http", "ws")),
    );
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", done);
  });
  const sockets = socketsOf(server);
  return {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Target {
  readonly hostname: string;
  readonly port: number;
}

/** Longest time until the chain responds, in milliseconds: a batch of the most expensive calls takes less. */
const responseMaxMs = 60_000;

async function forward(req: IncomingMessage, res: ServerResponse, target: Target): Promise<void> {
  const rejection = rejectionOf(req);
  if (rejection !== undefined) return reply(res, 403, rejection);
  if (handleCors(req, res, "POST")) return;
  if (req.method !== "POST") return reply(res, 405, failure("only POST is supported"));
  const text = await readText(req);
  if (text === undefined)
    return reply(res, 413, failure(`the message is larger than ${maxMessageBytes} bytes`));
  const message = readMessage(text);
  if ("rejection" in message) return reply(res, 200, message.rejection);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(message.forwarded),
  };
  const signal = AbortSignal.timeout(responseMaxMs);
  const forwarded = request({ ...target, method: "POST", path: "/", headers, signal }, (response) => {
    const length = response.headers["content-length"];
    res.writeHead(response.statusCode ?? 502, {
      "Content-Type": "application/json",
      ...(length === undefined ? {} : { "Content-Length": length }),
    });
    pipeline(response, res).catch(() => res.destroy());
  });
  forwarded.once("error", () => {
    if (res.headersSent) res.destroy();
    else reply(res, 502, failure("the local chain does not respond"));
  });
  res.once("close", () => forwarded.destroy());
  forwarded.end(message.forwarded);
}

function reply(res: ServerResponse, status: number, text: string): void {
  res
    .writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) })
    .end(text);
}

/** Returns undefined for a body that is too large. */
async function readText(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Reads on: a caller that is still sending would not see the response.
    if (bytes <= maxMessageBytes) chunks.push(chunk);
    else if (bytes > maxMessageBytes * 4) return undefined;
  }
  return bytes > maxMessageBytes ? undefined : Buffer.concat(chunks).toString("utf8");
}

/** Returns true if it has responded. */
function rejectUpgrade(req: IncomingMessage, socket: Duplex): boolean {
  const rejection = rejectionOf(req);
  if (rejection === undefined) return false;
  const length = Buffer.byteLength(rejection);
  socket.end(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${rejection}`,
  );
  return true;
}

/** Most messages that wait for the connection to the chain. */
const maxWaiting = 100;

/** WebSocket: passes the messages of both sides on, until one of them closes. */
function forwardMessages(client: WebSocket, chainUrl: string): void {
  const chain = new WebSocket(chainUrl);
  const waiting: string[] = [];
  let isOpen = false;
  client.on("message", (data) => {
    const message = readMessage(data.toString("utf8"));
    if ("rejection" in message) client.send(message.rejection);
    else if (isOpen) chain.send(message.forwarded);
    else if (waiting.push(message.forwarded) > maxWaiting) client.terminate();
  });
  chain.on("open", () => {
    isOpen = true;
    for (const text of waiting.splice(0)) chain.send(text);
  });
  chain.on("message", (data) => client.send(data.toString("utf8")));
  for (const [side, other] of [
    [client, chain],
    [chain, client],
  ] as const) {
    side.on("error", () => side.terminate());
    side.on("close", () => other.terminate());
  }
}

/** Returns a JSON-RPC error, or undefined if the request is allowed. */
function rejectionOf({ headers }: IncomingMessage): string | undefined {
  const fault = loopbackRejection(headers, loopbackOnly);
  if (fault === undefined) return undefined;
  return failure(
    fault.header === "Host"
      ? `the header Host names "${fault.value}", not this machine: use http://localhost or http://127.0.0.1`
      : `pages of "${fault.value}" may not call the local chain: serve the page from http://localhost`,
  );
}

/** `server.close` does not close upgraded and idle sockets. */
function socketsOf(server: Server): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  server.on("connection", (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/* Decides which JSON-RPC requests of this machine's wallets, scripts and pages reach the local chain, and how much each may cost. */

/**
 * Most gas of a call, as in geth. Anvil itself accepts any amount: an endless loop with enough gas would occupy it for ever, also after its
 * caller has left. Transactions need no cap here: Anvil rejects those above the limit of a block.
 */
const maxCallGas = 50_000_000;

/** Largest message, in bytes: the largest contract that a chain accepts has 96 KiB of hex. */
const maxMessageBytes = 1_048_576;

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
      return { rejection: failure(fault, isObject(request) ? (request["id"] ?? null) : null) };
  }
  return { forwarded: JSON.stringify(message) };
}

/** Limits the gas of a call in place. Returns why a request is rejected. */
function boundRequest(request: unknown): string | undefined {
  if (!isObject(request) || typeof request["method"] !== "string") return "expected a request with a method";
  const { method, params = [] } = request;
  if (!Array.isArray(params)) return `${method.slice(0, 64)}: expected a list of parameters`;
  if (!methods.has(method)) return `the sandbox's chain does not serve "${method.slice(0, 64)}"`;
  const [first] = params as readonly unknown[];
  if (calls.has(method)) {
    // Overrides of the block could raise its gas limit.
    if (params.length > 3) return `${method}: the sandbox's chain accepts no overrides of the block`;
    if (!isObject(first)) return `${method}: expected a call`;
    Object.assign(first, { gas: boundedGas(first["gas"]) });
  }
  // Either a number of blocks, or for evm_mine a time, alone or with a number of blocks.
  const blocks = isObject(first) ? first["blocks"] : method === "evm_mine" ? undefined : first;
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
function failure(message: string, id: unknown = null, code = -32_600): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

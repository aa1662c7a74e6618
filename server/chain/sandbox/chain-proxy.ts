import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { WebSocket, WebSocketServer } from "ws";
import { handleCors, loopbackOnly, loopbackRejection } from "../../../generator/tools/dev/loopback.ts";
import { failure, maxMessageBytes, readMessage } from "./chain-requests.ts";

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

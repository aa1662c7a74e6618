import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { handleCors, loopbackOnly, loopbackRejection } from "../../../generator/tools/dev/loopback.ts";

export interface ChainProxy extends AsyncDisposable {
  /** URL for wallets, scripts and pages on this machine, over HTTP and WebSocket. */
  readonly rpcUrl: string;
}

/**
 * Exposes a local chain to this machine only. Anvil accepts every Host and Origin, so any web page that knows its port could
 * control it. Anvil's port is therefore never printed.
 */
export async function openChainProxy(chainUrl: string): Promise<ChainProxy> {
  const { hostname, port } = new URL(chainUrl);
  const target: Target = { hostname, port: Number(port) };
  const server = createServer((req, res) => forward(req, res, target));
  server.on("upgrade", (req, socket, head) => forwardSocket(req, socket, head, target));
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

function forward(req: IncomingMessage, res: ServerResponse, target: Target): void {
  const rejection = rejectionOf(req);
  if (rejection !== undefined) {
    const length = Buffer.byteLength(rejection);
    res.writeHead(403, { "Content-Type": "application/json", "Content-Length": length }).end(rejection);
    return;
  }
  if (handleCors(req, res, "POST")) return;
  const { method, url: path } = req;
  const headers = { ...req.headers, host: `${target.hostname}:${target.port}` };
  const forwarded = request({ ...target, method, path, headers }, (response) => {
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined && !/^(?:access-control-|vary$|connection$)/.test(name))
        res.setHeader(name, value);
    res.writeHead(response.statusCode ?? 502);
    pipeline(response, res).catch(() => res.destroy());
  });
  forwarded.once("error", () => {
    if (res.headersSent) res.destroy();
    else
      res
        .writeHead(502, { "Content-Type": "application/json" })
        .end(failure("the local chain does not respond"));
  });
  res.once("close", () => forwarded.destroy());
  pipeline(req, forwarded).catch(() => forwarded.destroy());
}

/** WebSocket: passes the handshake and everything after it through. */
function forwardSocket(req: IncomingMessage, socket: Duplex, head: Buffer, { hostname, port }: Target): void {
  socket.on("error", () => socket.destroy());
  const rejection = rejectionOf(req);
  if (rejection !== undefined) {
    const length = Buffer.byteLength(rejection);
    socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${rejection}`,
    );
    return;
  }
  const chain = connect(port, hostname, () => {
    const lines = [`GET ${req.url} HTTP/1.1`];
    for (let i = 0; i < req.rawHeaders.length; i += 2)
      lines.push(`${req.rawHeaders[i]}: ${req.rawHeaders[i + 1]}`);
    chain.write(`${lines.join("\r\n")}\r\n\r\n`);
    chain.write(head);
    chain.pipe(socket).pipe(chain);
  });
  chain.on("error", () => socket.destroy());
  chain.on("close", () => socket.destroy());
  socket.on("close", () => chain.destroy());
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

/** -32600 is the code of an invalid request: https://www.jsonrpc.org/specification#error_object. */
function failure(message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32600, message } });
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

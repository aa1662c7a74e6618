import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { clientErrorListener } from "../../generated/runtime/v1/node-http.ts";
import type { App } from "../app.ts";
import { StartFault } from "../start-fault.ts";

/** The socket that callers reach. */
export interface Door extends AsyncDisposable {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
}

/** Listens. Closing it answers the requests under way first. */
export async function openDoor(
  { koa, rpc }: App,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Door> {
  const http = createServer(httpOptions, koa.callback());
  http.on("clientError", clientErrorListener(rpc));
  http.listen(port, host);
  try {
    await once(http, "listening");
  } catch (err) {
    const { code = "", message } = err as NodeJS.ErrnoException;
    throw new StartFault(`cannot listen on ${host}:${port}: ${listenFaults[code] ?? message}`);
  }
  return { url: urlOf(http.address() as AddressInfo), [Symbol.asyncDispose]: () => close(http) };
}

/** Time-outs in milliseconds, sizes in bytes: schema/README.md, "Limits". A slow sender is cut off within a second of its time. */
const httpOptions = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
} as const;

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: "somebody else does; choose another with --port",
  EACCES: "not allowed; choose a port above 1023",
  EADDRNOTAVAIL: "this machine has no such address",
};

async function close(http: Server): Promise<void> {
  const closed = once(http, "close");
  http.close();
  http.closeIdleConnections();
  await closed;
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

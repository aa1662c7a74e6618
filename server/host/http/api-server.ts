import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StartFault } from "../../base/start-fault.ts";
import type { App } from "../app.ts";
import type { EarlyRejectionReason } from "../observability/events.ts";
import type { TrustedProxies } from "./caller-address.ts";
import { CallerConnections } from "./caller-connections.ts";
import { Capacity } from "./capacity.ts";
import { Connections } from "./connections.ts";
import { EarlyRejections } from "./early-rejections.ts";
import { maxConnections, maxHeaders, serverOptions, silenceMaxMs } from "./limits.ts";
import { createRequestListener } from "./request-listener.ts";

export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly load: () => { readonly calls: number; readonly connections: number };
}

export interface ApiServerOptions {
  readonly host: string;
  readonly port: number;
  readonly maxCalls: number;
  readonly connectionsPerAddress: number;
  readonly trustedProxies: TrustedProxies;
  /** Longest time that a call in a burst waits for the main thread, in milliseconds. */
  readonly maxLagMs: number;
  /** Time for calls in flight once the host stops, in milliseconds. */
  readonly drainMs: number;
  readonly onRejection: (reason: EarlyRejectionReason) => void;
  readonly onCutOff: (connections: number) => void;
}

/** Starts to listen. Closing rejects new connections, responds to the requests in flight, then closes idle connections. */
export async function openApiServer(
  { koa, rpc, bodies }: App,
  options: ApiServerOptions,
): Promise<ApiServer> {
  const connections = new Connections();
  const capacity = new Capacity(options);
  const rejections = new EarlyRejections(rpc, connections, options.onRejection);
  const callers = new CallerConnections({
    max: options.connectionsPerAddress,
    isTrusted: options.trustedProxies,
  });
  const http = createServer(
    serverOptions,
    createRequestListener({ handle: koa.callback(), callers, capacity, connections, rejections }),
  );
  http.maxHeadersCount = maxHeaders + 1;
  http.timeout = silenceMaxMs;
  http.prependListener("connection", (socket) => {
    if (connections.count >= maxConnections) rejections.connection(socket, "connections");
    else if (!callers.admitsSocket(socket)) rejections.connection(socket, "callerConnections");
    else connections.add(socket);
  });
  rejections.listen(http);
  await listen(http, options);
  const clock = setInterval(() => bodies.tick(), 1_000).unref();
  return {
    url: urlOf(http.address() as AddressInfo),
    load: () => ({ calls: capacity.calls, connections: connections.count }),
    async [Symbol.asyncDispose]() {
      // Ends streams, which could otherwise run forever. Not awaited: `connections.drain` waits for their connections too.
      rpc.drain().catch(() => {});
      const cutOff = await connections.drain(http, options.drainMs);
      clearInterval(clock);
      if (cutOff > 0) options.onCutOff(cutOff);
    },
  };
}

async function listen(http: Server, { host, port }: ApiServerOptions): Promise<void> {
  // Connections that may arrive while the thread is busy. On most machines the system's own limit is lower.
  http.listen({ port, host, backlog: 4_096 });
  try {
    await once(http, "listening");
  } catch (err) {
    const { code = "", message } = err as NodeJS.ErrnoException;
    throw new StartFault(`cannot listen on ${host}:${port}: ${listenFaults[code] ?? message}`);
  }
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; choose another with --port",
  EACCES: "permission denied; choose a port above 1023",
  EADDRNOTAVAIL: "this machine has no such address",
};

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

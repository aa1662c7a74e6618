import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StartFault } from "../../base/start-fault.ts";
import type { App } from "../app.ts";
import type { TrustedProxies } from "./caller-address.ts";
import { CallerConnections } from "./caller-connections.ts";
import { Capacity } from "./capacity.ts";
import { Connections } from "./connections.ts";
import { maxConnections, maxHeaders, serverOptions, silenceMaxMs } from "./limits.ts";
import { createListener } from "./listener.ts";
import { type RefusalReason, Refusals } from "./refusals.ts";

/** The socket that callers reach. */
export interface Door extends AsyncDisposable {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
  /** Calls whose handlers are at work, and open connections. */
  readonly load: () => { readonly calls: number; readonly connections: number };
}

export interface DoorOptions {
  readonly host: string;
  readonly port: number;
  readonly maxCalls: number;
  /** Most open connections of one caller address. */
  readonly connectionsPerAddress: number;
  readonly trustedProxies: TrustedProxies;
  /** Longest wait of a burst for the thread, in milliseconds. */
  readonly maxLagMs: number;
  /** Time that calls under way have once the host stops, in milliseconds. */
  readonly drainMs: number;
  readonly onRefusal: (reason: RefusalReason) => void;
  /** Told at the end of a stop that cut off calls. */
  readonly onCutOff: (connections: number) => void;
}

/** Listens. Closing it takes no new connection, answers the requests under way, and then ends what is quiet. */
export async function openDoor({ koa, rpc, bodies }: App, options: DoorOptions): Promise<Door> {
  const connections = new Connections();
  const capacity = new Capacity(options);
  const refusals = new Refusals(rpc, connections, options.onRefusal);
  const callers = new CallerConnections({
    max: options.connectionsPerAddress,
    isTrusted: options.trustedProxies,
  });
  const http = createServer(
    serverOptions,
    createListener({ answer: koa.callback(), callers, capacity, connections, refusals }),
  );
  http.maxHeadersCount = maxHeaders + 1;
  http.timeout = silenceMaxMs;
  http.prependListener("connection", (socket) => {
    if (connections.count >= maxConnections) refusals.connection(socket, "connections");
    else if (!callers.admitsSocket(socket)) refusals.connection(socket, "callerConnections");
    else connections.opened(socket);
  });
  refusals.listen(http);
  await listen(http, options);
  const clock = setInterval(() => bodies.tick(), 1_000).unref();
  return {
    url: urlOf(http.address() as AddressInfo),
    load: () => ({ calls: capacity.calls, connections: connections.count }),
    async [Symbol.asyncDispose]() {
      // Streams would never end by themselves. Their connections are waited for with all others, and cut off with them.
      rpc.drain().catch(() => {});
      const cutOff = await connections.drain(http, options.drainMs);
      clearInterval(clock);
      if (cutOff > 0) options.onCutOff(cutOff);
    },
  };
}

async function listen(http: Server, { host, port }: DoorOptions): Promise<void> {
  // As many as arrive while the thread is busy; the system's own bound is lower on most machines.
  http.listen({ port, host, backlog: 4_096 });
  try {
    await once(http, "listening");
  } catch (err) {
    const { code = "", message } = err as NodeJS.ErrnoException;
    throw new StartFault(`cannot listen on ${host}:${port}: ${listenFaults[code] ?? message}`);
  }
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: "somebody else does; choose another with --port",
  EACCES: "not allowed; choose a port above 1023",
  EADDRNOTAVAIL: "this machine has no such address",
};

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

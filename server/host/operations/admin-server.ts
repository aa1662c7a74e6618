import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StartFault } from "../../base/start-fault.ts";
import { isAdminHost } from "./admin-host.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

/** The socket that operators and their machines reach. No other address than this machine's own unless they say so. */
export interface AdminServer extends AsyncDisposable {
  readonly url: string;
}

export interface AdminServerOptions {
  readonly host: string;
  readonly port: number;
  /** Names of this host by which figures are asked for, besides addresses and names without a dot. */
  readonly names: readonly string[];
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** `/healthz`: the process lives. `/readyz`: calls should be sent here. `/metrics`: for Prometheus. */
export async function openAdminServer({
  host,
  port,
  names,
  metrics,
  readiness,
}: AdminServerOptions): Promise<AdminServer> {
  const pages: Readonly<Record<string, () => Promise<Answer>>> = {
    "/healthz": async () => json(200, { status: "ok" }),
    "/readyz": async () => {
      const report = await readiness.report();
      return json(report.ready ? 200 : 503, report);
    },
    "/metrics": async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }),
  };
  const http = createServer({ requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }, (req, res) => {
    const path = (req.url ?? "/").split("?")[0] ?? "/";
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) send(res, json(404, { error: `no such page; ${Object.keys(pages).join(", ")}` }));
    else if (path === "/metrics" && !isAdminHost(req.headers.host, names))
      send(res, json(403, { error: "no such host; name it with --admin-names" }));
    else if (req.method !== "GET" && req.method !== "HEAD") send(res, json(405, { error: "GET only" }));
    else
      page().then(
        (answer) => send(res, answer),
        () => send(res, json(500, { error: "failed" })),
      );
  });
  http.listen(port, host);
  try {
    await once(http, "listening");
  } catch (err) {
    const { code = "", message } = err as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "somebody else does; choose another with --admin-port" : message;
    throw new StartFault(`cannot listen for operators on ${host}:${port}: ${reason}`);
  }
  const { address, family, port: taken } = http.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`,
    async [Symbol.asyncDispose]() {
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

function json(status: number, value: unknown): Answer {
  return { status, type: "application/json", body: `${JSON.stringify(value)}\n` };
}

function send(res: ServerResponse, { status, type, body }: Answer): void {
  res.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  res.end(body);
}

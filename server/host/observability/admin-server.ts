import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { StartFault } from "../../base/start-fault.ts";
import { DatabaseFault, databaseFaultText } from "../../base/storage/fault.ts";
import type { Metrics } from "./metrics.ts";

/** The HTTP server for operators and their tools. Listens on loopback unless configured otherwise. */
interface AdminServer extends AsyncDisposable {
  readonly url: string;
}

interface AdminServerOptions {
  readonly host: string;
  readonly port: number;
  /** Host names under which `/metrics` may be requested, in addition to addresses and names without a dot. */
  readonly names: readonly string[];
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

interface PageResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** `/healthz`: the process is alive. `/readyz`: calls may be sent here. `/metrics`: for Prometheus. */
export async function openAdminServer({
  host,
  port,
  names,
  metrics,
  readiness,
}: AdminServerOptions): Promise<AdminServer> {
  const pages: Readonly<Record<string, () => Promise<PageResponse>>> = {
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
    if (page === undefined)
      send(res, json(404, { error: `unknown path; expected one of ${Object.keys(pages).join(", ")}` }));
    else if (path === "/metrics" && !isAdminHost(req.headers.host, names))
      send(res, json(403, { error: "unknown Host header; allow it with --admin-names" }));
    else if (req.method !== "GET" && req.method !== "HEAD")
      send(res, json(405, { error: "method not allowed; use GET" }));
    else
      page().then(
        (response) => send(res, response),
        () => send(res, json(500, { error: "failed" })),
      );
  });
  http.listen(port, host);
  try {
    await once(http, "listening");
  } catch (err) {
    const { code = "", message } = err as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "the port is in use; choose another with --admin-port" : message;
    throw new StartFault(`the admin server cannot listen on ${host}:${port}: ${reason}`);
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

function json(status: number, value: unknown): PageResponse {
  return { status, type: "application/json", body: `${JSON.stringify(value)}\n` };
}

function send(res: ServerResponse, { status, type, body }: PageResponse): void {
  res.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  res.end(body);
}

/**
 * Whether the Host header of a request to the admin server is safe from DNS rebinding. Accepts addresses, names without a dot
 * (`localhost`, services of Compose and Kubernetes), and `names`. Any other name may have been pointed here by a web page.
 */
export function isAdminHost(host: string | undefined, names: readonly string[]): boolean {
  const [, address, name = ""] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::[0-9]{1,5})?$/i.exec(host ?? "") ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const plain = name.toLowerCase();
  return plain !== "" && (isIP(plain) === 4 || !plain.includes(".") || names.includes(plain));
}

/** Checks one part of the host. Returns undefined if the part is ready, else the problem, for the operator. May throw. */
type Check = (signal: AbortSignal) => Promise<string | undefined>;

interface Report {
  readonly ready: boolean;
  /** By the name of the part: `"ok"`, or the problem. */
  readonly checks: Readonly<Record<string, string>>;
  /** Problems with which most calls are still served; undefined if there are none. */
  readonly warnings?: readonly string[];
}

/** Longest time for a check, in milliseconds; a slower part is not ready. Load balancers poll every few seconds. */
const checkMaxMs = 2_000;

/** Decides whether calls should be sent to this host: it has started, it is not stopping, and every part is ready. */
export class Readiness {
  readonly #checks = new Map<string, Check>();
  #warnings: () => readonly string[] = () => [];
  #host = "starting";

  register(part: string, check: Check): void {
    this.#checks.set(part, check);
  }

  /** `read` returns problems that leave the host ready. */
  warn(read: () => readonly string[]): void {
    this.#warnings = read;
  }

  get hasStarted(): boolean {
    return this.#host !== "starting";
  }

  started(): void {
    this.#host = "ok";
  }

  stopping(): void {
    this.#host = "stopping";
  }

  async report(): Promise<Report> {
    const results = [...this.#checks].map(async ([part, check]) => [part, await run(check)] as const);
    const checks = Object.fromEntries([["host", this.#host], ...(await Promise.all(results))]);
    const ready = Object.values(checks).every((result) => result === "ok");
    const warnings = this.#warnings();
    return warnings.length === 0 ? { ready, checks } : { ready, checks, warnings };
  }
}

async function run(check: Check): Promise<string> {
  const signal = AbortSignal.timeout(checkMaxMs);
  const timedOut = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve(`no response within ${checkMaxMs} ms`), { once: true });
  });
  try {
    return await Promise.race([check(signal).then((fault) => fault ?? "ok"), timedOut]);
  } catch (err) {
    if (err instanceof DatabaseFault) return databaseFaultText(err);
    const { code } = err as NodeJS.ErrnoException;
    return `failed: ${code ?? (err instanceof Error ? err.constructor.name : typeof err)}`;
  }
}

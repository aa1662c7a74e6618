import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { clientErrorListener } from "../generated/runtime/v1/node-http.ts";
import { createApp } from "./app.ts";
import { type Config, readConfig, usage } from "./config.ts";

/** Set when the program is bundled. */
declare const RIDLKIT_VERSION: string;

const result = readConfig(process.argv.slice(2), process.env, RIDLKIT_VERSION);
if ("config" in result) start(result.config);
else if ("help" in result) process.stdout.write(result.help);
else {
  process.stderr.write(`${result.faults.map((fault) => `platform: ${fault}`).join("\n")}\n\n${usage}`);
  process.exitCode = 2;
}

function start(config: Config): void {
  const { koa, rpc } = createApp(config);
  const http = createServer(httpOptions, koa.callback());
  http.on("clientError", clientErrorListener(rpc));
  http.on("error", (err: NodeJS.ErrnoException) => {
    process.stderr.write(
      `platform: cannot listen on ${config.host}:${config.port}: ${listenFaults[err.code ?? ""] ?? err.message}\n`,
    );
    process.exitCode = 2;
  });
  http.listen(config.port, config.host, () => {
    process.stdout.write(
      config.json ? readyJson(http.address() as AddressInfo) : readyText(http.address() as AddressInfo),
    );
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop(http));
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

/** Requests under way are answered; then the process ends by itself. */
function stop(http: ReturnType<typeof createServer>): void {
  http.close();
  http.closeIdleConnections();
}

function readyJson(address: AddressInfo): string {
  return `${JSON.stringify({ url: urlOf(address) })}\n`;
}

function readyText(address: AddressInfo): string {
  const url = urlOf(address);
  return `The platform API listens on ${url}. Try:\n\n  curl -s ${url}/rpc/API/Ping -H 'content-type: application/json' -d '{}'\n\n`;
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

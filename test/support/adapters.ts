import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import Koa from "koa";
import { type FetchHandler, fetchHandler } from "../../generator/runtime/src/fetch.ts";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { clientErrorListener, nodeListener } from "../../generator/runtime/src/node.ts";
import type { RpcServer } from "../../generator/runtime/src/server.ts";

export const adapterNames = ["koa", "node-http", "fetch"] as const;
export type AdapterName = (typeof adapterNames)[number];

export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** Those that are open. */
  connections(): Promise<number>;
}

/** Serves an API on a real socket of this machine. */
export function serveWith(name: AdapterName, server: RpcServer<unknown>): Promise<RunningServer> {
  return listen(createHttp[name](server));
}

const createHttp = {
  koa: (server) => {
    const app = new Koa();
    app.use(koaMiddleware(server));
    return createServer(app.callback()).on("clientError", clientErrorListener(server));
  },
  "node-http": (server) => createServer(nodeListener(server)).on("clientError", clientErrorListener(server)),
  fetch: (server) => createServer(bridge(fetchHandler(server))),
} satisfies Record<AdapterName, (server: RpcServer<unknown>) => Server>;

export async function listen(http: Server): Promise<RunningServer> {
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => promisify<number>((done) => http.getConnections(done))(),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

/** As much of a web runtime as a test needs: Node's requests turned into the web's, and back. */
export function bridge(handle: FetchHandler): (req: IncomingMessage, res: ServerResponse) => void {
  return async (req, res) => {
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const hasBody = req.method !== "GET" && req.method !== "HEAD";
    // As web runtimes do, headers of one name are joined.
    const headers = new Headers();
    for (let at = 0; at < req.rawHeaders.length; at += 2)
      headers.append(req.rawHeaders[at] ?? "", req.rawHeaders[at + 1] ?? "");
    const request = new Request(new URL(req.url ?? "/", `http://${req.headers.host}`), {
      method: req.method ?? "GET",
      headers,
      signal: gone.signal,
      ...(hasBody ? { body: ReadableStream.from(req), duplex: "half" as const } : {}),
    });
    const response = await handle(request);
    if (res.destroyed) {
      await response.body?.cancel();
      return;
    }
    if (
      response.headers.get("content-type") === "application/json" &&
      !response.headers.has("content-length")
    ) {
      const body = Buffer.from(await response.arrayBuffer());
      if (req.method !== "HEAD") response.headers.set("content-length", String(body.length));
      res.writeHead(response.status, [...response.headers].flat()).end(body);
    } else {
      res.writeHead(response.status, [...response.headers].flat());
      // An error is the end of the connection, which tells its reader that more was to come.
      if (response.body === null) res.end();
      else pipeline(Readable.fromWeb(response.body as never), res).catch(() => {});
    }
  };
}

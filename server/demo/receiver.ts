/** A receiver of webhooks on this machine that shows what has arrived: what a project's own program would be. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type VerifiedWebhook, verifyWebhook, WebhookRefusal } from "../../client/index.ts";
import { isLoopback } from "../config/config.ts";

export interface DemoReceiver extends AsyncDisposable {
  readonly port: number;
  /** Where listeners are to call. */
  readonly url: string;
  /** Shows what has arrived. */
  readonly pageUrl: string;
  /** The newest last; each once, however often it came. */
  readonly arrived: readonly VerifiedWebhook[];
}

/** So that days of calls do not fill the memory. */
const arrivedMax = 100;

/** Above the largest notification, in bytes. */
const bodyMaxBytes = 1_048_576;

/**
 * @param port A free one if it is taken.
 * @param secret The listener's; undefined: none is known yet, and nothing is believed.
 */
export async function startReceiver(port: number, secret: () => string | undefined): Promise<DemoReceiver> {
  const arrived: VerifiedWebhook[] = [];
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // A page of the network whose name leads here must not read it.
    const host = (req.headers.host ?? "").replace(/:[0-9]*$/, "").replace(/^\[(.*)\]$/, "$1");
    if (!isLoopback(host)) return end(res, 421, { error: "this receiver is for this machine only" });
    if (req.method === "GET") return end(res, 200, { arrived });
    const body = await bodyOf(req);
    if (body === undefined) return end(res, 413, { error: `more than ${bodyMaxBytes} bytes` });
    const key = secret();
    if (key === undefined) return end(res, 503, { error: "the listener's secret is not known yet" });
    try {
      const received = verifyWebhook({ headers: req.headers, body }, key);
      if (arrived.every(({ id }) => id !== received.id)) arrived.push(received);
      if (arrived.length > arrivedMax) arrived.shift();
      end(res, 200, { ok: true });
    } catch (err) {
      if (!(err instanceof WebhookRefusal)) throw err;
      end(res, 400, { error: err.message });
    }
  }

  const bound = await listen(server, port).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== "EADDRINUSE" && err.code !== "EACCES") throw err;
    return listen(server, 0);
  });
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}/hook`,
    pageUrl: `http://127.0.0.1:${bound}/`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      done((server.address() as AddressInfo).port);
    });
  });
}

/** Undefined: it is too large. */
async function bodyOf(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyMaxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function end(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  res.end(`${JSON.stringify(body, null, 2)}\n`);
}

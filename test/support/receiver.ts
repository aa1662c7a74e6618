import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that a receiver got. */
export interface Call {
  readonly at: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Most calls that were open at the same time. */
  readonly most: () => number;
}

type Answer = (res: ServerResponse, req: IncomingMessage, call: Call) => void;

/** A webhook receiver on a real socket at a loopback address: each 127.0.0.x counts as its own host. */
export async function startReceiver(
  answer: Answer = (res) => res.writeHead(204).end(),
  address = "127.0.0.1",
): Promise<Receiver> {
  const calls: Call[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((req, res) => {
    open++;
    most = Math.max(most, open);
    res.once("close", () => open--);
    let body = "";
    req.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    req.once("end", () => {
      const headers = req.headers as Record<string, string>;
      const call = { at: Date.now(), path: req.url ?? "/", headers, body };
      calls.push(call);
      answer(res, req, call);
    });
  });
  await new Promise<void>((done) => server.listen(0, address, done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/hook`,
    calls,
    most: () => most,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

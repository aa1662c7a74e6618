import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Random } from "./random.ts";

/** Where the connection to the caller breaks off. */
const losses = ["before", "during", "after", "middle"] as const;
export type Loss = (typeof losses)[number];

export interface LossyProxyOptions {
  /** Where calls go: the address of the host, which may change. */
  readonly target: () => string;
  /** Decides over each call. */
  readonly loss: (req: IncomingMessage) => Loss | undefined;
  /** Called when a response has arrived from the host, before the caller gets any of it. */
  readonly onResponse?: (req: IncomingMessage) => void;
}

export interface LossyProxy extends AsyncDisposable {
  readonly url: string;
  readonly lost: Readonly<Record<Loss, number>>;
}

/**
 * A proxy that loses calls on real sockets: before the host has received the request, while the host works, after it has responded,
 * and in the middle of the response.
 */
export async function startLossyProxy({ target, loss, onResponse }: LossyProxyOptions): Promise<LossyProxy> {
  const lost = { before: 0, during: 0, after: 0, middle: 0 };
  const agent = new Agent({ keepAlive: true });

  function serve(req: IncomingMessage, res: ServerResponse): void {
    const chosen = loss(req);
    if (chosen !== undefined) lost[chosen]++;
    if (chosen === "before") {
      req.socket.destroy();
      return;
    }
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => forward(req, res, Buffer.concat(parts), chosen));
  }

  function forward(req: IncomingMessage, res: ServerResponse, body: Buffer, chosen: Loss | undefined): void {
    const upstream = request(new URL(req.url ?? "/", target()), {
      agent,
      method: req.method,
      headers: req.headers,
    });
    upstream.on("error", () => req.socket.destroy());
    upstream.on("response", (response) => {
      const answer: Buffer[] = [];
      response.on("data", (part: Buffer) => answer.push(part));
      response.on("error", () => req.socket.destroy());
      response.on("end", () => {
        onResponse?.(req);
        const whole = Buffer.concat(answer);
        if (chosen === "after") {
          req.socket.destroy();
          return;
        }
        res.writeHead(response.statusCode ?? 502, response.headers);
        if (chosen === "middle") res.write(whole.subarray(0, whole.length >> 1), () => req.socket.destroy());
        else res.end(whole);
      });
    });
    upstream.end(body);
    // The host has the whole request, and its caller is gone.
    if (chosen === "during") upstream.on("finish", () => req.socket.destroy());
  }

  const server = createServer(serve);
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Loses calls in `percent` of 100 cases, and the calls with one key at most `maxPerKey` times. */
export function randomLoss(
  random: Random,
  percent: number,
  maxPerKey: number,
): (req: IncomingMessage) => Loss | undefined {
  const counts = new Map<string, number>();
  return ({ headers }) => {
    const key = `${headers["x-access-key"]} ${headers["idempotency-key"]}`;
    const count = counts.get(key) ?? 0;
    if (count >= maxPerKey || !random.chance(percent)) return undefined;
    counts.set(key, count + 1);
    return random.pick(losses);
  };
}

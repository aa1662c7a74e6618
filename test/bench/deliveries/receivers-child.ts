/** Receivers in a process of their own, one per given address. The path selects their behavior. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setInterval as every } from "node:timers/promises";
import type { Arrival, Behavior } from "./receivers.ts";

const arrivals: Arrival[] = [];

const behaviors: Readonly<Record<Behavior, (res: ServerResponse) => unknown>> = {
  good: (res) => res.writeHead(204).end(),
  "500": (res) => res.writeHead(500).end(),
  "429": (res) => res.writeHead(429, { "retry-after": "1" }).end(),
  "410": (res) => res.writeHead(410).end(),
  redirect: (res) => res.writeHead(302, { location: "/good" }).end(),
  endless: (res) => pour(res.writeHead(200)),
  "drip-headers": (res) => drip(res, "HTTP/1.1 200 OK\r\nx-drip: "),
  "drip-body": (res) => drip(res, "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"),
  hang: () => {},
};

/** Sends a gigabyte, as fast as it is read. */
async function pour(res: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(1_048_576, "x");
  for (let sent = 0; sent < 1_024 && !res.destroyed; sent++) {
    if (!res.write(chunk)) await new Promise((done) => res.once("drain", done).once("close", done));
  }
  res.end();
}

async function drip(res: ServerResponse, start: string): Promise<void> {
  const { socket } = res;
  socket?.write(start);
  for await (const _ of every(100)) {
    if (socket === null || socket.destroyed) return;
    socket.write("x");
  }
}

const urls = await Promise.all(
  process.argv.slice(2).map((address) => {
    const server = createServer((req, res) => {
      const at = performance.timeOrigin + performance.now();
      req.once("data", (chunk: Buffer) => {
        const [, sequence] = /^{"sequence":(\d+)/.exec(chunk.toString("latin1")) ?? [];
        arrivals.push([Number(sequence), at]);
      });
      req.once("end", () => behaviors[(req.url ?? "/").split("/")[1] as Behavior](res));
    });
    return new Promise<string>((done) => {
      server.listen(0, address, () => done(`http://${address}:${(server.address() as AddressInfo).port}`));
    });
  }),
);
process.on("message", () => process.send?.(arrivals.splice(0)));
process.send?.(urls);

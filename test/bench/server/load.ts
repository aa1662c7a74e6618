/** Load from a process of its own: keep-alive connections that each send their next request when the last is answered in full. */
import { connect } from "node:net";
import { cases } from "./cases.ts";

export interface LoadOrder {
  readonly port: number;
  readonly name: keyof typeof cases;
  readonly requests: number;
  readonly connections: number;
}

process.on("message", async (order: LoadOrder) => {
  process.send?.(await run(order));
});
process.send?.({ ready: true });

async function run({ port, name, requests, connections }: LoadOrder): Promise<{ readonly failures: number }> {
  const { path, body } = cases[name];
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  let isRunning = true;
  // Never asleep: waking a sleeper costs the sender 5 µs a write, and a slow server would pay it where a fast one does not.
  const spin = (): unknown => isRunning && setImmediate(spin);
  spin();
  let left = requests;
  let failures = 0;
  const worker = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      let wanted = 0;
      let received = 0;
      const next = (): void => {
        wanted = received = 0;
        if (left-- > 0) socket.write(request);
        else socket.end();
      };
      socket.on("connect", next);
      socket.on("error", () => failures++);
      socket.on("close", () => resolve());
      socket.on("data", (chunk: Buffer) => {
        if (wanted === 0) {
          wanted = lengthOf(chunk);
          if (chunk[9] !== 0x32) failures++;
        }
        received += chunk.length;
        if (received >= wanted) next();
      });
    });
  await Promise.all(Array.from({ length: connections }, worker));
  isRunning = false;
  return { failures };
}

/** Bytes of the whole answer, whose head is always in the first chunk. */
function lengthOf(first: Buffer): number {
  const headEnd = first.indexOf("\r\n\r\n") + 4;
  const match = /content-length: (\d+)/i.exec(first.toString("latin1", 0, headEnd));
  return headEnd + Number(match?.[1]);
}

/** Generates load in a process of its own: keep-alive connections that each send the next request after a complete response. */
import { connect } from "node:net";
import { cases } from "./cases.ts";

export interface LoadRequest {
  readonly port: number;
  readonly name: keyof typeof cases;
  readonly requests: number;
  readonly connections: number;
}

process.on("message", async (order: LoadRequest) => {
  process.send?.(await run(order));
});
process.send?.({ ready: true });

async function run({
  port,
  name,
  requests,
  connections,
}: LoadRequest): Promise<{ readonly failures: number }> {
  const { path, body } = cases[name];
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  let isRunning = true;
  // Never sleeps: waking a sleeping process costs the sender 5 µs per write, which slow servers would pay and fast ones would not.
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

/** Length of the complete response, whose head is always in the first chunk. */
function lengthOf(first: Buffer): number {
  const headEnd = first.indexOf("\r\n\r\n") + 4;
  const match = /content-length: (\d+)/i.exec(first.toString("latin1", 0, headEnd));
  return headEnd + Number(match?.[1]);
}

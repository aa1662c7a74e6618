import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type AttackedHost, startAttackedHost } from "../support/attacked-host.ts";
import { type LoadResult, openLoop, quantile } from "../support/open-loop.ts";
import { pingCall } from "./calls.ts";

export interface SlowSenders extends AsyncDisposable {
  /** Responses so far: the first line of each, or "" for a connection that closed without one. */
  readonly ended: readonly string[];
}

const head =
  "POST /rpc/API/Ping HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n";

/** Opens connections that send one byte a second: half of them an endless header, half a body. */
export async function sendSlowly(port: number, count: number): Promise<SlowSenders> {
  const ended: string[] = [];
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => ended.push(received.split("\r\n")[0] ?? ""));
    socket.write(index % 2 === 0 ? `${head}X-Slow: ` : `${head}\r\n{`);
    sockets.push(socket);
  }
  // A hundredth of the connections at a time: independent slow senders are not synchronized.
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % 100;
    for (let index = turn; index < sockets.length; index += 100)
      if (sockets[index]?.writable === true) sockets[index]?.write("a");
  }, 10);
  return {
    ended,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends valid calls next to slow ones. */
export function goodCalls({ port }: AttackedHost, durationMs: number): Promise<LoadResult> {
  const bytes = pingCall();
  return openLoop({ port, requestsPerSecond: 200, durationMs, connections: 20, request: () => bytes });
}

/** After the timeout of a whole request, plus the second until Node checks. */
const untilAllEndedMs = 34_000;

export async function reportSlow(): Promise<readonly string[]> {
  await using attacked = await startAttackedHost();
  await goodCalls(attacked, 2_000);
  const before = await goodCalls(attacked, 5_000);
  const memoryBefore = await attacked.memoryMib();
  await using slow = await sendSlowly(attacked.port, 1_000);
  const startedAt = performance.now();
  await sleep(1_000);
  const beside = await goodCalls(attacked, 15_000);
  const memoryBeside = await attacked.memoryMib();
  await sleep(Math.max(0, untilAllEndedMs - (performance.now() - startedAt)));
  const p99 = (result: LoadResult): number => quantile(result.latencies.get(200) ?? [], 0.99);
  const badRequests = slow.ended.filter((line) => line === "HTTP/1.1 400 Bad Request").length;
  // If all connections start at the same time, some may exceed the host's capacity. They are rejected immediately, not after the
  // timeout.
  const overloaded = slow.ended.filter((line) => line === "HTTP/1.1 503 Service Unavailable").length;
  const refused = badRequests + overloaded;
  console.log(`good calls alone: p99 ${p99(before).toFixed(1)} ms`);
  console.log(`beside 1,000 slow senders: p99 ${p99(beside).toFixed(1)} ms, ${beside.lost} lost`);
  console.log(
    `after ${untilAllEndedMs / 1_000} s: ${slow.ended.length} ended, ${badRequests} of them with WebrpcBadRequest, ${overloaded} with Overloaded, the others without an answer`,
  );
  console.log(`memory: ${memoryBefore.toFixed(0)} MiB before, ${memoryBeside.toFixed(0)} MiB beside them`);
  return [
    ...(p99(beside) <= 20 ? [] : [`p99 beside slow senders ${p99(beside).toFixed(1)} ms, bound 20 ms`]),
    ...(beside.lost === 0 ? [] : [`${beside.lost} good calls were lost`]),
    ...(refused === 1_000 ? [] : [`${1_000 - refused} slow senders ended without an answer`]),
  ];
}

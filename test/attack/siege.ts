/** Callers that send calls and do not read the responses, and what another caller of the same process notices. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { openLoop, quantile } from "../support/open-loop.ts";

interface Siege {
  readonly name: string;
  readonly process: ChildProcess;
  readonly port: number;
  /** The calls that each of the attackers sends at once, on a connection of its own. */
  readonly calls: readonly Buffer[];
  /** Bytes that each attacker reads in a second. Default 0. */
  readonly bytesPerSecond?: number;
  /** The call of another caller, at another address, and where it goes. */
  readonly other: { readonly port: number; readonly call: Buffer };
}

const attackers = 100;
const durationMs = 10_000;
const callsPerSecond = 20;
/** A single piece of work, such as printing 20 MB or parsing 1 MiB, keeps the thread for up to 100 ms, and the host may let calls wait for as long. */
const p99MaxMs = 200;
const memoryMaxMib = 500;

/** Prints figures, and returns the violated limits. */
export async function besiege(siege: Siege): Promise<readonly string[]> {
  const { name, process: besieged, other } = siege;
  const otherCalls = (ms: number) =>
    openLoop({
      port: other.port,
      requestsPerSecond: callsPerSecond,
      durationMs: ms,
      connections: 5,
      request: () => other.call,
    });
  await otherCalls(1_000);
  const alone = await otherCalls(3_000);
  let peakMib = peakMemoryMib(besieged.pid);
  const before = peakMib;
  const watch = setInterval(() => {
    peakMib = Math.max(peakMib, peakMemoryMib(besieged.pid));
  }, 100);
  // The attack begins while the other calls are under way.
  const besideEnded = otherCalls(durationMs);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await using attack = startAttack(siege);
  const beside = await besideEnded;
  clearInterval(watch);
  const isAlive = besieged.exitCode === null && besieged.signalCode === null;
  const latencies = beside.latencies.get(200) ?? [];
  const p99 = quantile(latencies, 0.99);
  const refused = beside.latencies.get(503)?.length ?? 0;
  const lost = beside.lost + beside.notSent;
  console.log(
    `${name}: ${isAlive ? "alive" : "dead"}, memory ${before.toFixed(0)} MiB before, ${peakMib.toFixed(0)} MiB at most; other calls: p99 ${quantile(alone.latencies.get(200) ?? [], 0.99).toFixed(1)} ms alone, ${p99.toFixed(1)} ms beside, longest ${Math.max(0, ...latencies).toFixed(0)} ms, ${refused} Overloaded, ${lost} lost; ${attack.describe()}`,
  );
  return [
    ...(isAlive ? [] : ["the process has ended"]),
    ...(peakMib <= memoryMaxMib ? [] : [`${peakMib.toFixed(0)} MiB of memory, bound ${memoryMaxMib} MiB`]),
    ...(p99 <= p99MaxMs ? [] : [`p99 of other calls ${p99.toFixed(1)} ms, bound ${p99MaxMs} ms`]),
    ...(lost === 0 ? [] : [`${lost} other calls were lost`]),
  ].map((sentence) => `${name}: ${sentence}`);
}

/** From an address of their own. */
function startAttack({ port, calls, bytesPerSecond = 0 }: Siege): AsyncDisposable & {
  /** The statuses of the responses that each attacker sees first, and how many connections were closed. */
  describe(): string;
} {
  const sockets = Array.from({ length: attackers }, () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
    socket.on("error", () => {});
    socket.write(Buffer.concat(calls));
    return socket;
  });
  const statuses = new Map<string, number>();
  let closed = 0;
  for (const socket of sockets) {
    socket.once("readable", () => {
      const status = String(socket.read(12) ?? "").slice(9);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    socket.on("close", () => closed++);
  }
  const reader = setInterval(() => {
    if (bytesPerSecond > 0) for (const socket of sockets) readSome(socket, bytesPerSecond);
  }, 1_000);
  return {
    describe: () =>
      `attackers: ${[...statuses].map(([status, count]) => `${count} ${status}`).join(", ")}, ${closed} closed`,
    async [Symbol.asyncDispose]() {
      clearInterval(reader);
      for (const socket of sockets) socket.destroy();
      // Calls that wait for the processor end before the next attack.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    },
  };
}

function readSome(socket: Socket, bytes: number): void {
  socket.read(Math.min(bytes, socket.readableLength));
}

/** The most that the process has used so far. */
function peakMemoryMib(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return 0;
  }
}

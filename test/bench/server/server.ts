/**
 * Benchmark `server`: CPU time per request. All candidates run idle at the same time. Each round loads each of them for a moment, in a
 * shuffled order, so that changes in machine speed affect all.
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { seededRandom } from "../../support/random.ts";
import type { BenchmarkOptions } from "../benchmark.ts";
import { type Built, buildCandidates, removeCandidates } from "./build.ts";
import type { cases } from "./cases.ts";
import type { LoadRequest } from "./load.ts";

const names = [
  "raw-node",
  "ours-node-http",
  "around-node-http",
  "ours-koa",
  "fastify",
  "bare-koa",
  "plain-koa",
  "ours-node-http+200",
  "ours-koa+200",
];
const plan: readonly { readonly name: keyof typeof cases; readonly requests: number }[] = [
  { name: "GetOrders", requests: 2_000 },
  { name: "IsValid", requests: 5_000 },
];
const connections = 32;

/** Limits of the ratio of medians to raw-node. Fastify's own figure is a limit as well. */
const bounds: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  GetOrders: { "ours-node-http": 1.1, "ours-koa": 1.28 },
  IsValid: { "ours-node-http": 1.13, "ours-koa": 1.6 },
};
/**
 * Pairs with a factor: the first must not take more than the second times the factor. Koa alone, without validation or routing, takes as
 * much as Fastify with all of its work; so the middleware is compared with bare Koa.
 */
const pairs: Readonly<Record<string, readonly (readonly [string, string, number])[]>> = {
  GetOrders: [
    ["ours-node-http", "fastify", 1],
    ["around-node-http", "ours-node-http", 1.03],
    ["ours-koa", "bare-koa", 1.08],
    ["ours-node-http+200", "ours-node-http", 1.05],
    ["ours-koa+200", "ours-koa", 1.05],
  ],
  IsValid: [
    ["ours-node-http", "fastify", 1],
    ["around-node-http", "ours-node-http", 1.03],
    ["ours-node-http+200", "ours-node-http", 1.05],
    ["ours-koa+200", "ours-koa", 1.05],
  ],
};

export async function benchServer({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const loader = await startLoader();
  const servers = await Promise.all((await buildCandidates(names)).map(startServer));
  const broken: string[] = [];
  try {
    for (const { name, requests } of plan) {
      const samples = new Map<string, number[]>(names.map((candidate) => [candidate, []]));
      for (let round = -2; round < rounds; round++) {
        for (const server of random.shuffle(servers)) {
          const micros = await measure(server, loader, { port: server.port, name, requests, connections });
          if (round >= 0) samples.get(server.name)?.push(micros / requests);
        }
      }
      printTable(name, samples);
      broken.push(...brokenBounds(name, samples));
    }
  } finally {
    for (const { child } of servers) child.kill();
    loader.kill();
    removeCandidates();
  }
  return broken;
}

interface RunningServer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
}

async function measure(server: RunningServer, loader: ChildProcess, order: LoadRequest): Promise<number> {
  const before = await request<{ cpuMicros: number }>(server.child, {});
  const { failures } = await request<{ failures: number }>(loader, order);
  const after = await request<{ cpuMicros: number }>(server.child, {});
  if (failures > 0) throw new Error(`${server.name}: ${failures} of ${order.requests} requests failed`);
  return after.cpuMicros - before.cpuMicros;
}

async function startServer({ name, path }: Built): Promise<RunningServer> {
  const child = pinned(fork(path, { stdio: ["ignore", "inherit", "inherit", "ipc"] }), 0);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { name, child, port };
}

async function startLoader(): Promise<ChildProcess> {
  const path = fileURLToPath(new URL(".build-load.mjs", import.meta.url));
  const entry = fileURLToPath(new URL("load.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile: path, bundle: true, platform: "node", format: "esm" });
  const child = pinned(fork(path), 1);
  await once(child, "message");
  return child;
}

/** Pins servers to one core and the load generator to the other, where the system supports that. */
function pinned(child: ChildProcess, core: number): ChildProcess {
  if (existsSync("/usr/bin/taskset"))
    spawnSync("taskset", ["-a", "-c", "-p", String(core), String(child.pid)]);
  return child;
}

async function request<Answer>(child: ChildProcess, message: object): Promise<Answer> {
  const answer = once(child, "message");
  child.send(message);
  const [response] = (await answer) as [Answer];
  return response;
}

function printTable(name: string, samples: ReadonlyMap<string, readonly number[]>): void {
  console.log(`${name.padEnd(20)} CPU µs a request: median    min | × raw-node: median    min`);
  const floor = samples.get("raw-node") ?? [];
  for (const [candidate, values] of samples) {
    const cells = [median(values), Math.min(...values)]
      .map((value) => value.toFixed(1).padStart(6))
      .join(" ");
    const ratios = [median(ratiosOf(values, floor)), Math.min(...values) / Math.min(...floor)];
    console.log(
      `${candidate.padEnd(37)} ${cells} | ${ratios.map((ratio) => ratio.toFixed(3).padStart(17)).join("")}`,
    );
  }
}

function brokenBounds(name: string, samples: ReadonlyMap<string, readonly number[]>): string[] {
  const ratio = (a: string, b: string): number =>
    median(ratiosOf(samples.get(a) ?? [], samples.get(b) ?? []));
  const toFloor = Object.entries(bounds[name] ?? {}).map(([a, bound]) => [a, "raw-node", bound] as const);
  return [...toFloor, ...(pairs[name] ?? [])].flatMap(([a, b, bound]) => {
    const found = ratio(a, b);
    return found <= bound ? [] : [`${name}: ${a} takes × ${found.toFixed(3)} of ${b}, limit × ${bound}`];
  });
}

/** Ratios by round: a disturbance of a round affects both. */
function ratiosOf(values: readonly number[], floor: readonly number[]): number[] {
  return values.map((value, round) => value / (floor[round] ?? Number.NaN));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { quantile } from "../support/open-loop.ts";
import type { BenchmarkOptions } from "./benchmark.ts";

const maxCurrent = 1.05;
const maxOldest = 1.25;

/** About 0.5 s of CPU, so that pauses for garbage do not matter. */
const callsOfTurn = 4_000;
const workers = 8;
const turnsOfRound = 2;
/** Until V8 has optimized all three. */
const warmUpTurns = 4;

const schema = (version: string, order: string): string => `webrpc = v1
name = shop
version = ${version}
basepath = /rpc

struct Order
  - id: uint64
${order}  - buyer: string
  - items: []Item
  - placed: timestamp

struct Item
  - name: string
  - count: uint32

service Shop
  - List(limit: uint32, after?: uint64) => (orders: []Order)
`;

const v1 = schema("v1.0.0", "  - amount: int32\n");
const v2 = schema(
  "v2.0.0",
  "  - total: int64\n    + renamedFrom = amount\n  - currency: string\n    + default = EUR\n",
);

const server = `import { createServer as listen } from "node:http";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./api/server.ts";
const orders = Array.from({ length: 20 }, (_, id) => ({
  id, total: id * 100, currency: "USD", buyer: "buyer " + id, placed: "2026-01-01T00:00:00Z",
  items: [{ name: "pen", count: 2 }, { name: "ink", count: 1 }],
}));
const api = createServer({ Shop: { List: (_ctx, { limit }) => ({ orders: orders.slice(0, limit) }) } });
const next = (_req, res) => res.end(JSON.stringify(process.cpuUsage()));
const http = listen(nodeListener(api, { next }));
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
`;

/** CPU time of a call to a server that speaks two versions, by a current and by an old client, over one without history. */
export async function benchVersions({ rounds }: BenchmarkOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  const started: ChildProcess[] = [];
  try {
    const [plain, versioned] = [
      await serve(join(folder, "plain"), [v2]),
      await serve(join(folder, "kept"), [v1, v2]),
    ];
    started.push(plain.process, versioned.process);
    const sides = [
      { name: "without history", server: plain, version: "v2.0.0" },
      { name: "current version", server: versioned, version: "v2.0.0" },
      { name: "oldest version", server: versioned, version: "v1.0.0" },
    ].map((side) => ({ ...side, costs: [] as number[] }));
    for (let turn = -warmUpTurns; turn < rounds * turnsOfRound; turn++)
      // Another side is first in each turn, so that no side always meets a warm machine.
      for (let index = 0; index < sides.length; index++) {
        const side = sides[(index + turn + warmUpTurns) % sides.length] as (typeof sides)[number];
        const cost = await costOf(side.server.url, side.version);
        if (turn >= 0) side.costs.push(cost);
      }
    console.log(`generated: ${plain.bytes} bytes, with one more version ${versioned.bytes}`);
    const [base] = sides;
    const ratios = sides.map(({ name, costs }) => {
      const all = costs.map((cost, turn) => cost / (base?.costs[turn] ?? Number.NaN));
      const ratio = quantile(all, 0.5);
      console.log(
        `${name}: ${quantile(costs, 0.5).toFixed(1)} µs CPU a call, ${ratio.toFixed(3)} times (${quantile(all, 0.25).toFixed(3)} to ${quantile(all, 0.75).toFixed(3)} in half of ${all.length} turns)`,
      );
      return ratio;
    });
    return [
      ...((ratios[1] ?? 0) > maxCurrent
        ? [`the current version takes ${ratios[1]?.toFixed(3)} times the CPU`]
        : []),
      ...((ratios[2] ?? 0) > maxOldest
        ? [`the oldest version takes ${ratios[2]?.toFixed(3)} times the CPU`]
        : []),
    ];
  } finally {
    for (const child of started) child.kill();
    rmSync(folder, { recursive: true });
  }
}

interface Served {
  readonly process: ChildProcess;
  readonly url: string;
  /** Size of the generated TypeScript. */
  readonly bytes: number;
}

/** Generates and starts the server of the last version, which speaks the ones before, too. */
async function serve(folder: string, versions: readonly string[]): Promise<Served> {
  mkdirSync(folder);
  const settings = {
    entry: "shop.ridl",
    out: "api",
    history: "history",
    adapters: ["node"],
    targets: ["server"],
  };
  writeFileSync(join(folder, "ridlkit.config.json"), JSON.stringify({ schemas: [settings] }));
  writeFileSync(join(folder, "server.ts"), server);
  const run = (...args: readonly string[]): unknown =>
    execFileSync(
      process.execPath,
      [fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url)), ...args],
      { cwd: folder },
    );
  for (const text of versions) {
    writeFileSync(join(folder, "shop.ridl"), text);
    run("history", "add");
  }
  run("generate");
  const outfile = join(folder, "server.mjs");
  await build({
    entryPoints: [join(folder, "server.ts")],
    outfile,
    bundle: true,
    nodePaths: [fileURLToPath(new URL("../../node_modules", import.meta.url))],
    platform: "node",
    format: "esm",
  });
  const child = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    process: child,
    url: `http://127.0.0.1:${String(line).trim()}`,
    bytes: sizeOf(join(folder, "api")),
  };
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Microseconds of the server's CPU for a call. */
async function costOf(url: string, version: string): Promise<number> {
  const before = await cpuOf(url);
  const headers = {
    "content-type": "application/json",
    webrpc: `webrpc@v0.44.0;gen-golang@v0.18.0;shop@${version}`,
  };
  const ask = async (): Promise<void> => {
    const response = await fetch(`${url}/rpc/Shop/List`, { method: "POST", headers, body: '{"limit":20}' });
    const text = await response.text();
    if (!text.includes(version === "v1.0.0" ? '"amount":100' : '"total":100')) throw new Error(text);
  };
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let call = 0; call < callsOfTurn / workers; call++) await ask();
    }),
  );
  return ((await cpuOf(url)) - before) / callsOfTurn;
}

async function cpuOf(url: string): Promise<number> {
  const response = await fetch(`${url}/cpu`);
  const { user, system } = (await response.json()) as NodeJS.CpuUsage;
  return user + system;
}

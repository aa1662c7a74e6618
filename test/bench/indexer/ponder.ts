/**
 * Stores the same logs with ponder, one row each, without its request limit. To install it: `npm ci --ignore-scripts --prefix
 * test/bench/ponder`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Database } from "../../../server/base/storage/database.ts";
import { emitterAddress } from "../../support/event-chain.ts";

const folder = fileURLToPath(new URL("../ponder/", import.meta.url));
const program = `${folder}node_modules/ponder/dist/esm/bin/ponder.js`;
const limiter = `${folder}node_modules/ponder/dist/esm/rpc/index.js`;

export const isPonderInstalled: boolean = existsSync(program);

/** Its limit of requests per second starts at 20 and grows to at most 500. */
function liftLimit(): void {
  const text = readFileSync(limiter, "utf8");
  const lifted = text
    .replace("INITIAL_MAX_RPS = 20;", "INITIAL_MAX_RPS = 1e9;")
    .replace("const MAX_RPS = 500;", "const MAX_RPS = 1e9;");
  if (!lifted.includes("INITIAL_MAX_RPS = 1e9;") || !lifted.includes("const MAX_RPS = 1e9;"))
    throw new Error(`the limits of ponder have moved: ${limiter}`);
  if (lifted !== text) writeFileSync(limiter, lifted);
}

/** Returns the milliseconds from the first block request until all rows exist. Its start-up of some seconds does not count. */
export async function runPonder(
  database: Database,
  {
    databaseUrl,
    rpcUrl,
    logs,
  }: { readonly databaseUrl: string; readonly rpcUrl: string; readonly logs: number },
): Promise<number> {
  liftLimit();
  for (const schema of ["ponder_bench", "ponder_sync"])
    await database.query(`drop schema if exists ${schema} cascade`);
  const child = spawn(
    process.execPath,
    [program, "start", "--root", "fixtures", "--schema", "ponder_bench", "-H", "127.0.0.1", "-p", "42069"],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        RPC_URL: rpcUrl,
        EMITTER: emitterAddress,
        PONDER_TELEMETRY_DISABLED: "true",
      },
    },
  );
  const exited = once(child, "exit");
  try {
    await until(child.stdout, "Started backfill indexing");
    child.stdout.resume();
    const start = performance.now();
    while ((await countRows(database)) < logs) {
      if (child.exitCode !== null) throw new Error("ponder ended before it was done");
      await sleep(50);
    }
    return performance.now() - start;
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

async function until(stream: NodeJS.ReadableStream, words: string): Promise<void> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(words)) resolve();
    });
    stream.once("end", () => reject(new Error(`ponder did not start: ${text}`)));
  });
}

async function countRows(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select count(*)::int as count from ponder_bench.bench_log",
  );
  return row?.count ?? 0;
}

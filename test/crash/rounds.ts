/**
 * Repeatedly kills the host, its Postgres, or both while rows are written, and counts acknowledged rows that are missing.
 * Recovery is automatic: the host restarts its Postgres, and this test restarts the host like a supervisor.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createAccessKey } from "../../server/base/credentials/records.ts";
import type { Database } from "../../server/base/storage/database.ts";
import { findRunning } from "../../server/base/storage/embedded/embedded.ts";
import { openPaths } from "../../server/base/storage/embedded/paths.ts";
import { runningPid } from "../../server/base/storage/embedded/postmaster.ts";
import { openDatabase } from "../../server/base/storage/open-database.ts";
import { type Data, type RunningHost, startHost } from "../support/host.ts";
import type { Random } from "../support/random.ts";

export interface CrashReport {
  readonly rounds: number;
  /** Acknowledged rows, and those of them that are missing at the end. */
  readonly written: number;
  readonly lost: number;
  /** Milliseconds from each kill until the API responded to a call that reads the database. */
  readonly healedAfterMs: readonly number[];
}

const victims = ["host", "postgres", "both"] as const;

/** Longest wait of a round for the API, in milliseconds. */
const healMaxMs = 60_000;

export async function crashRounds(data: Data, rounds: number, random: Random): Promise<CrashReport> {
  let host = await startHost({ data });
  const { projectId } = host;
  const written: string[] = [];
  const healedAfterMs: number[] = [];
  const writing = new AbortController();
  const writers = Array.from({ length: 4 }, () => write(data, projectId, written, writing.signal));
  for (let round = 0; round < rounds; round++) {
    await sleep(100 + random.below(400));
    const victim = victims[round % victims.length] ?? "both";
    const killedAt = performance.now();
    host = await kill(victim, host, data);
    await untilAnswered(host);
    healedAfterMs.push(Math.round(performance.now() - killedAt));
  }
  writing.abort();
  await Promise.all(writers);
  const lost = await countMissing(data, written);
  await host.stop();
  return { rounds, written: written.length, lost, healedAfterMs };
}

/** Writes access keys as fast as possible, and records each acknowledged one. */
async function write(data: Data, projectId: number, written: string[], stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const database = open(data);
    try {
      // No Postgres runs between a kill and the next start.
      if (database === undefined) await sleep(20);
      while (!stop.aborted && database !== undefined) {
        const made = await createAccessKey(database, projectId, { name: "crash", services: [], origins: [] });
        written.push(String(made.id));
      }
    } catch {
      // Not acknowledged, so it may be missing.
      await sleep(20);
    } finally {
      await database?.[Symbol.asyncDispose]();
    }
  }
}

function open(data: Data): Database | undefined {
  const address = findRunning(data.folder);
  return (
    address &&
    openDatabase({ ...address }, { connections: 2, statementTimeoutMs: 5_000, namedStatements: true })
  );
}

async function kill(victim: (typeof victims)[number], host: RunningHost, data: Data): Promise<RunningHost> {
  const { cluster } = openPaths(data.folder);
  const pid = runningPid(cluster);
  if (victim !== "postgres") host.process.kill("SIGKILL");
  if (victim !== "host" && pid !== undefined) process.kill(pid, "SIGKILL");
  if (victim === "postgres") {
    // A remaining process of the killed Postgres may still respond for a moment.
    await untilAnother(cluster, pid);
    return host;
  }
  await host.stop();
  return startHost({ data });
}

async function untilAnother(cluster: string, killed: number | undefined): Promise<void> {
  const end = performance.now() + healMaxMs;
  for (;;) {
    const pid = runningPid(cluster);
    if (pid !== undefined && pid !== killed) return;
    if (performance.now() > end) throw new Error(`no other Postgres ${healMaxMs} ms after a kill`);
    await sleep(5);
  }
}

async function untilAnswered(host: RunningHost): Promise<void> {
  const end = performance.now() + healMaxMs;
  for (;;) {
    const response = await fetch(`${host.url}/rpc/Metadata/TokenCollectionFilters`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-access-key": host.accessKey },
      body: JSON.stringify({ chainId: "1", contractAddress: `0x${"1".repeat(40)}` }),
    });
    // Any error except Overloaded means that the database was queried.
    const { error } = (await response.json()) as { readonly error?: string };
    if (error !== "Overloaded") return;
    if (performance.now() > end) throw new Error(`no answer ${healMaxMs} ms after a kill: ${host.err()}`);
    await sleep(20);
  }
}

async function countMissing(data: Data, ids: readonly string[]): Promise<number> {
  const database = open(data);
  if (database === undefined) throw new Error("Postgres does not run at the end");
  const [row] = await database.query<{ missing: number }>(
    `select count(*)::int as missing from unnest($1::bigint[]) as written (id)
     where not exists (select 1 from access_key where access_key.id = written.id)`,
    [ids],
  );
  await database[Symbol.asyncDispose]();
  return row?.missing ?? Number.NaN;
}

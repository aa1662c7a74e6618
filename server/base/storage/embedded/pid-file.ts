import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, isPostgres } from "./process.ts";

/** What Postgres writes to postmaster.pid in its cluster. */
interface PidFile {
  readonly pid: number;
  readonly isReady: boolean;
}

function read(cluster: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the Postgres process that runs on the cluster, even if another process started it. */
export function runningPid(cluster: string): number | undefined {
  const file = read(cluster);
  return file !== undefined && isPostgres(file.pid) ? file.pid : undefined;
}

export function isReady(cluster: string, pid: number): boolean {
  const file = read(cluster);
  return file?.pid === pid && file.isReady;
}

/**
 * Postgres does not start while the process of an old pid file seems to be alive: another process with the same id, or a zombie.
 * The file must stay, because it names the shared memory by which Postgres checks that its old processes are gone. Writing our
 * own pid into it is safe: Postgres knows that its parent is not a Postgres.
 */
export function replaceStalePid(cluster: string): void {
  const file = read(cluster);
  if (file === undefined || file.pid === process.pid || !isAlive(file.pid) || isPostgres(file.pid)) return;
  const path = join(cluster, "postmaster.pid");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^[0-9]+/, String(process.pid)));
}

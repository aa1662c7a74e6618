import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the process is a running Postgres: ids are reused, and a zombie may still be listed. */
export function isPostgres(pid: number): boolean {
  const { name, state } = describe(pid);
  return name.startsWith("postgres") && state !== "Z";
}

function describe(pid: number): { readonly name: string; readonly state: string } {
  try {
    // `1234 (postgres) S …`
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", state = ""] = /^[0-9]+ \((.*)\) (.)/s.exec(stat) ?? [];
    return { name, state };
  } catch {
    if (process.platform === "linux") return { name: "", state: "" };
  }
  try {
    const [state = "", path = ""] = execFileSync("ps", ["-o", "state=,comm=", "-p", String(pid)], {
      encoding: "utf8",
    })
      .trim()
      .split(/\s+/, 2);
    return { name: path.split("/").at(-1) ?? "", state: state.slice(0, 1) };
  } catch {
    return { name: "", state: "" };
  }
}

/**
 * Polls until `condition` returns true; returns false after the time-out. Polls every few milliseconds, because people wait for
 * Postgres to start.
 */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(5);
  }
  return true;
}

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

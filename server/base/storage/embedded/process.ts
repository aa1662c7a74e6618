import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
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

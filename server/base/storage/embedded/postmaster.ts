import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StartFault } from "../../start-fault.ts";
import { type Binaries, noBinaries } from "./binaries.ts";
import { type EmbeddedPaths, openSocketFolder } from "./paths.ts";

export interface Postmaster {
  readonly pid: number;
  readonly ended: Promise<void>;
}

/** Longest wait for crash recovery, in milliseconds: at most 256 MB of log are replayed. */
const readyMaxMs = 120_000;

/** How long the processes of a killed Postgres may live on, in milliseconds. No new Postgres can start before they end. */
const leftoverMaxMs = 15_000;

/** Starts Postgres on an idle cluster, and waits until it accepts connections. */
export async function startPostmaster(paths: EmbeddedPaths, binaries: Binaries): Promise<Postmaster> {
  const end = performance.now() + leftoverMaxMs;
  for (;;) {
    // Cleaners of temporary files may have removed the folder.
    openSocketFolder(paths.folder, paths.user);
    replaceStalePid(paths.cluster);
    const child = launch(paths, binaries);
    const ended = once(child, "exit").then(
      () => undefined,
      () => undefined,
    );
    const pid = child.pid;
    if (pid === undefined) throw noBinaries();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await waitUntil(() => isOver || isReady(paths.cluster, pid), readyMaxMs);
    if (!isOver) return { pid, ended };
    const reason = lastFatal(paths);
    if (!/lock file|shared memory block/.test(reason) || performance.now() > end)
      throw new StartFault(`Postgres does not start: ${reason} (see ${logPath(paths)})`);
  }
}

/** Stops Postgres. Aborts queries in flight; keeps what was committed. */
export async function stopPostmaster(pid: number): Promise<void> {
  // Fast, then immediate, then forced. After the latter two, the next start replays the log.
  for (const [signal, patienceMs] of [
    ["SIGINT", 10_000],
    ["SIGQUIT", 3_000],
    ["SIGKILL", 3_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "ESRCH") return;
      throw new StartFault(
        `Postgres (process ${pid}) runs as another user and cannot be stopped; stop it as that user, or use another --data-dir`,
      );
    }
    if (await waitUntil(() => !isPostgres(pid), patienceMs)) return;
  }
}

function launch(paths: EmbeddedPaths, { postgres }: Binaries): ChildProcess {
  const log = openSync(logPath(paths), isLarge(logPath(paths)) ? "w" : "a", 0o600);
  try {
    return spawn(postgres, ["-D", paths.cluster, ...options(paths)], {
      ...paths.user,
      cwd: "/",
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
      // A separate process group: Ctrl-C must only reach this process, which still responds to calls before it stops Postgres.
      detached: true,
      stdio: ["ignore", log, log],
    }).on("error", () => {});
  } finally {
    closeSync(log);
  }
}

/** Sized for one machine. Larger installations use an external server. */
function options({ socketFolder }: EmbeddedPaths): readonly string[] {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    max_connections: "60",
    shared_buffers: `${sharedBuffersMegabytes()}MB`,
    max_wal_size: "256MB",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    // Failed statements are reported to their clients, not to this log.
    log_min_messages: "log",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * A sixteenth of the memory, between 128 and 1,024 MB. Unused buffers take no memory. A million orders with indexes need 700 MB.
 */
function sharedBuffersMegabytes(): number {
  // 0 if the process has no memory limit of its own.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(Math.max(bytes / 16 / 2 ** 20, 128), 1_024));
}

function logPath({ folder }: EmbeddedPaths): string {
  return join(folder, "postgres.log");
}

/** Size after which the log is truncated at the next start, in bytes. */
const logMaxBytes = 10_000_000;

function isLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logMaxBytes;
}

function lastFatal(paths: EmbeddedPaths): string {
  const lines = readFileSync(logPath(paths), "utf8").trimEnd().split("\n");
  const line = lines.findLast((each) => /FATAL|PANIC|error/.test(each)) ?? lines.at(-1) ?? "";
  return line.replace(/^.*?(FATAL|PANIC): +/, "");
}

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
function isPostgres(pid: number): boolean {
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
 * Polls until `condition` returns true; returns false after the timeout. Polls every few milliseconds, because people wait for
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
function replaceStalePid(cluster: string): void {
  const file = read(cluster);
  if (file === undefined || file.pid === process.pid || !isAlive(file.pid) || isPostgres(file.pid)) return;
  const path = join(cluster, "postmaster.pid");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^[0-9]+/, String(process.pid)));
}

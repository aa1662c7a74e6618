import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { StartFault } from "../../start-fault.ts";
import { type Binaries, noBinaries } from "./binaries.ts";
import { type EmbeddedPaths, openSocketFolder } from "./paths.ts";
import { isPostgres, isReady, replaceStalePid, waitUntil } from "./process.ts";

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

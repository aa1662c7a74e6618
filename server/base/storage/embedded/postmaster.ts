import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { StartFault } from "../../start-fault.ts";
import { type Binaries, noBinaries } from "./binaries.ts";
import { type EmbeddedPaths, openSocketFolder } from "./paths.ts";
import { isReady, replaceStalePid } from "./pid-file.ts";
import { isPostgres, waitUntil } from "./process.ts";

/** A running Postgres that we started. */
export interface Postmaster {
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
}

/** Longest wait for recovery after a crash, in milliseconds: the log that is replayed is at most 256 MB. */
const readyMaxMs = 120_000;

/** How long processes of a killed Postgres may take to notice, in milliseconds; waitUntil then a new one cannot start. */
const leftoverMaxMs = 15_000;

/** Starts Postgres on a cluster on which none runs, and waits waitUntil it takes connections. */
export async function startPostmaster(paths: EmbeddedPaths, binaries: Binaries): Promise<Postmaster> {
  const end = performance.now() + leftoverMaxMs;
  for (;;) {
    // Cleaners of temporary files may have taken it.
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

/** Ends Postgres; calls under way are broken off, what was committed stays. */
export async function stopPostmaster(pid: number): Promise<void> {
  // Fast, then immediate, then by force: the next start replays its log in the latter two cases.
  for (const [signal, patienceMs] of [
    ["SIGINT", 10_000],
    ["SIGQUIT", 3_000],
    ["SIGKILL", 3_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "ESRCH") return;
      throw new StartFault(`Postgres (process ${pid}) runs as another user and cannot be stopped`);
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
      // A group of its own: Ctrl-C is for us, who still have calls to answer before Postgres may go.
      detached: true,
      stdio: ["ignore", log, log],
    }).on("error", () => {});
  } finally {
    closeSync(log);
  }
}

/** Sized for one machine; who needs more has a server of their own. */
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
    // What statements fail with is told to those who sent them.
    log_min_messages: "log",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** A sixteenth of the memory, from 128 to 1,024 MB: what is not used of it is not taken. A million orders with their indexes are 700 MB. */
function sharedBuffersMegabytes(): number {
  // 0 where nothing but the machine itself bounds the process.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(Math.max(bytes / 16 / 2 ** 20, 128), 1_024));
}

function logPath({ folder }: EmbeddedPaths): string {
  return join(folder, "postgres.log");
}

/** Starts a log anew past this size, in bytes. */
const logMaxBytes = 10_000_000;

function isLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logMaxBytes;
}

function lastFatal(paths: EmbeddedPaths): string {
  const lines = readFileSync(logPath(paths), "utf8").trimEnd().split("\n");
  const line = lines.findLast((each) => /FATAL|PANIC|error/.test(each)) ?? lines.at(-1) ?? "";
  return line.replace(/^.*?(FATAL|PANIC): +/, "");
}

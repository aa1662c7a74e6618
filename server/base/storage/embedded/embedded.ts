import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StartFault } from "../../start-fault.ts";
import { type Binaries, findBinaries, noBinaries } from "./binaries.ts";
import { createPrivateFolder, type EmbeddedPaths, openPaths } from "./paths.ts";
import { isAlive, type Postmaster, runningPid, startPostmaster, stopPostmaster } from "./postmaster.ts";

export interface StorageLog {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly error: (line: string) => void;
}

export interface Embedded extends AsyncDisposable {
  readonly address: SocketAddress;
}

/**
 * Runs Postgres on the data folder, and restarts it if it dies. Only one host uses the folder at a time. First stops a Postgres
 * that a killed host has left running. Closing stops Postgres.
 */
export async function openEmbedded(dataDir: string, log: StorageLog, stop?: AbortSignal): Promise<Embedded> {
  const paths = openPaths(dataDir);
  if (paths.isLinked)
    log.warn(
      `the database is stored in ${paths.folder}: Postgres does not run as root, and its user cannot access ${resolve(dataDir)}`,
    );
  const binaries = findBinaries(paths.folder, paths.user);
  await ensureCluster(paths, binaries, stop);
  await stopOrphan(paths);
  stop?.throwIfAborted();
  let postmaster = await startPostmaster(paths, binaries);
  let lock = await takeFolderLock(paths);
  if (lock === undefined) throw folderInUse(paths);

  let isClosing = false;
  // The last action of an exiting process: Postgres then stops by itself.
  const onExit = (): void => {
    try {
      process.kill(postmaster.pid, "SIGINT");
    } catch {
      // Already ended.
    }
  };
  process.on("exit", onExit);
  const supervision = supervise();

  async function supervise(): Promise<void> {
    for (;;) {
      await postmaster.ended;
      if (isClosing) return;
      log.warn("Postgres ended unexpectedly; restarting it");
      await lock?.end().catch(() => {});
      const again = await restart();
      if (again === undefined) return;
      ({ postmaster, lock } = again);
    }
  }

  /** Retries until it succeeds: a full disk may be cleared later. */
  async function restart(): Promise<{ postmaster: Postmaster; lock: pg.Client | undefined } | undefined> {
    while (!isClosing) {
      try {
        const started = await startPostmaster(paths, binaries);
        return { postmaster: started, lock: await takeFolderLock(paths) };
      } catch (err) {
        log.error(err instanceof Error ? err.message : String(err));
        await sleep(restartPauseMs);
      }
    }
    return undefined;
  }

  return {
    address: addressOf(paths),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      // A halted Postgres does not close the connection.
      await Promise.race([lock?.end().catch(() => {}), sleep(closeMaxMs, undefined, { ref: false })]);
      await stopPostmaster(postmaster.pid);
      await supervision;
      process.off("exit", onExit);
    },
  };
}

/** Whether a server has ever run on the data folder. Throws if the folder is not accessible. */
export function hasDatabase(dataDir: string): boolean {
  return statSync(join(dataDir, "postgres", "cluster"), { throwIfNoEntry: false }) !== undefined;
}

/** Returns the address of the Postgres that a host is running on the data folder, for admin commands. */
export function findRunning(dataDir: string): SocketAddress | undefined {
  const paths = openPaths(dataDir);
  return runningPid(paths.cluster) === undefined ? undefined : addressOf(paths);
}

/** Longest wait to close the connection that holds the lock, in milliseconds. */
const closeMaxMs = 1_000;

/** Wait before the next start of a Postgres that failed to start, in milliseconds. */
const restartPauseMs = 1000;

async function stopOrphan(paths: EmbeddedPaths): Promise<void> {
  const end = performance.now() + orphanMaxMs;
  for (let pid = runningPid(paths.cluster); pid !== undefined; pid = runningPid(paths.cluster)) {
    try {
      const lock = await takeFolderLock(paths);
      if (lock === undefined) throw folderInUse(paths);
      await stopPostmaster(pid);
      await lock.end().catch(() => {});
    } catch (err) {
      if (err instanceof StartFault) throw err;
      // Postgres is just starting or stopping.
      if (performance.now() > end) await stopPostmaster(pid);
      else await sleep(20);
    }
  }
}

/** How long an orphaned Postgres may take to recover before it is stopped anyway, in milliseconds. */
const orphanMaxMs = 30_000;

/** An arbitrary number, unique in the database. */
const folderLock = 7_116_001;

/** Takes a lock on the data folder that is held until this process ends. Returns undefined if another host uses the folder. */
async function takeFolderLock(paths: EmbeddedPaths): Promise<pg.Client | undefined> {
  const client = new pg.Client({ ...addressOf(paths), application_name: "platform: folder lock" });
  // The connection ends with Postgres, whose end `supervise` handles.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    folderLock,
  ]);
  if (rows[0]?.taken === true) return client;
  await client.end();
  return undefined;
}

function folderInUse({ folder }: EmbeddedPaths): StartFault {
  return new StartFault(
    `another server is using ${folder}; stop it, or choose another folder with --data-dir`,
  );
}

/** The only database user. Access to the socket is what authenticates the operator. */
export const superuser = "platform";

/** Creates the cluster if it is missing. An interrupted run never leaves a partial cluster. */
export async function ensureCluster(
  { folder, cluster, user }: EmbeddedPaths,
  { initdb, major }: Binaries,
  stop?: AbortSignal,
): Promise<void> {
  if (existsSync(join(cluster, "PG_VERSION"))) return checkVersion(cluster, major);
  dropUnfinished(folder);
  const unfinished = `${cluster}.new-${process.pid}`;
  createPrivateFolder(unfinished, user);
  try {
    await run(
      initdb,
      ["--pgdata", unfinished, "--username", superuser, "--auth=trust", ...initdbOptions],
      user,
    );
    renameSync(unfinished, cluster);
  } catch (err) {
    rmSync(unfinished, { recursive: true, force: true });
    // Ctrl-C also reached initdb and ended it.
    stop?.throwIfAborted();
    // Another process was first.
    if (!existsSync(join(cluster, "PG_VERSION"))) throw err;
  }
}

/** The C locale compares bytes, so that sort orders are the same on every machine. */
const initdbOptions = ["--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"];

function checkVersion(cluster: string, major: string): void {
  const found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (found !== major)
    throw new StartFault(
      `${cluster} was created by Postgres ${found}, but this is Postgres ${major}; restore a dump into another --data-dir, or set DATABASE_URL`,
    );
}

function dropUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^cluster[.]new-([0-9]+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

async function run(program: string, args: readonly string[], user: EmbeddedPaths["user"]): Promise<void> {
  const child = spawn(program, args, {
    ...user,
    // The user may have no access to the current folder.
    cwd: "/",
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const [code] = (await once(child, "close").catch((err: NodeJS.ErrnoException) => {
    throw err.code === "ENOENT" ? noBinaries() : err;
  })) as [number | null];
  if (code === 0) return;
  const reason = stderr.split("\n").find((line) => /error|FATAL/.test(line)) ?? stderr.trim();
  throw new StartFault(
    `${basename(program)} could not create the database: ${reason.replace(/^.*?(error|FATAL): +/, "")}`,
  );
}

interface SocketAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** The socket of the Postgres on a data folder. */
function addressOf({ socketFolder }: EmbeddedPaths): SocketAddress {
  return { host: socketFolder, port: 5432, user: superuser, database: "postgres" };
}

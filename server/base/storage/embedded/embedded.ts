import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StartFault } from "../../start-fault.ts";
import type { StorageLog } from "../storage-log.ts";
import { findBinaries } from "./binaries.ts";
import { addressOf, ensureCluster, type SocketAddress } from "./cluster.ts";
import { type EmbeddedPaths, openPaths } from "./paths.ts";
import { type Postmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";
import { runningPid } from "./process.ts";

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

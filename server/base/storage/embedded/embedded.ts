import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StartFault } from "../../start-fault.ts";
import type { StorageLog } from "../storage-log.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster, superuser } from "./cluster.ts";
import { type EmbeddedPaths, openPaths } from "./paths.ts";
import { runningPid } from "./pid-file.ts";
import { type Postmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";

/** How to reach a Postgres through its socket. */
export interface SocketAddress {
  /** The socket's folder. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface Embedded extends AsyncDisposable {
  readonly address: SocketAddress;
}

/**
 * Runs a Postgres on the data folder, and starts it again should it die. One server has the folder at a time. A Postgres that
 * outlived its killed server is stopped first. Closing stops Postgres.
 */
export async function openEmbedded(dataDir: string, log: StorageLog, stop?: AbortSignal): Promise<Embedded> {
  const paths = openPaths(dataDir);
  if (paths.isLinked)
    log.warn(
      `the database lies in ${paths.folder}: Postgres does not run as root, and ${resolve(dataDir)} is closed to others`,
    );
  const binaries = findBinaries(paths.folder, paths.user);
  await ensureCluster(paths, binaries, stop);
  await stopOrphan(paths);
  stop?.throwIfAborted();
  let postmaster = await startPostmaster(paths, binaries);
  let lock = await takeLock(paths);
  if (lock === undefined) throw isTaken(paths);

  let isClosing = false;
  // The last thing that a dying process can do: Postgres finishes by itself.
  const onExit = (): void => {
    try {
      process.kill(postmaster.pid, "SIGINT");
    } catch {
      // It has ended already.
    }
  };
  process.on("exit", onExit);
  const supervision = supervise();

  async function supervise(): Promise<void> {
    for (;;) {
      await postmaster.ended;
      if (isClosing) return;
      log.warn("Postgres ended unexpectedly and is started again");
      await lock?.end().catch(() => {});
      const again = await restart();
      if (again === undefined) return;
      ({ postmaster, lock } = again);
    }
  }

  /** Until it succeeds: the disk may be full, and be cleared later. */
  async function restart(): Promise<{ postmaster: Postmaster; lock: pg.Client | undefined } | undefined> {
    while (!isClosing) {
      try {
        const started = await startPostmaster(paths, binaries);
        return { postmaster: started, lock: await takeLock(paths) };
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
      // A Postgres that was halted says no good-bye.
      await Promise.race([lock?.end().catch(() => {}), sleep(goodbyeMaxMs, undefined, { ref: false })]);
      await stopPostmaster(postmaster.pid);
      await supervision;
      process.off("exit", onExit);
    },
  };
}

/** Whether a server has ever run on the data folder. Throws if nobody lets us look. */
export function hasDatabase(dataDir: string): boolean {
  return statSync(join(dataDir, "postgres", "cluster"), { throwIfNoEntry: false }) !== undefined;
}

/** The Postgres that a server runs on the data folder right now, for commands beside it. */
export function findRunning(dataDir: string): SocketAddress | undefined {
  const paths = openPaths(dataDir);
  return runningPid(paths.cluster) === undefined ? undefined : addressOf(paths);
}

/** Longest wait for the good-bye of the connection that holds the lock, in milliseconds. */
const goodbyeMaxMs = 1_000;

/** Between two tries to start a Postgres that does not, in milliseconds. */
const restartPauseMs = 1000;

function addressOf({ socketFolder }: EmbeddedPaths): SocketAddress {
  return { host: socketFolder, port: 5432, user: superuser, database: "postgres" };
}

/** Any number that nothing else in the database uses. */
const folderLock = 7_116_001;

/** Held as long as our process lives, whatever ends it. Undefined: another server has it. */
async function takeLock(paths: EmbeddedPaths): Promise<pg.Client | undefined> {
  const client = new pg.Client({ ...addressOf(paths), application_name: "platform: folder lock" });
  // The connection ends with Postgres, whose end is noticed elsewhere.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    folderLock,
  ]);
  if (rows[0]?.taken === true) return client;
  await client.end();
  return undefined;
}

async function stopOrphan(paths: EmbeddedPaths): Promise<void> {
  const end = performance.now() + orphanMaxMs;
  for (let pid = runningPid(paths.cluster); pid !== undefined; pid = runningPid(paths.cluster)) {
    try {
      const lock = await takeLock(paths);
      if (lock === undefined) throw isTaken(paths);
      await stopPostmaster(pid);
      await lock.end().catch(() => {});
    } catch (err) {
      if (err instanceof StartFault) throw err;
      // It is just starting or stopping.
      if (performance.now() > end) await stopPostmaster(pid);
      else await sleep(20);
    }
  }
}

/** How long a Postgres that was left behind may replay its log before it is stopped all the same, in milliseconds. */
const orphanMaxMs = 30_000;

function isTaken({ folder }: EmbeddedPaths): StartFault {
  return new StartFault(
    `another server runs on ${folder}; stop it, or choose another folder with --data-dir`,
  );
}

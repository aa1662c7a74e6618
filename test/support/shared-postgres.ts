import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "../../server/base/storage/embedded/binaries.ts";
import { ensureCluster, superuser } from "../../server/base/storage/embedded/embedded.ts";
import { type EmbeddedPaths, openPaths, openSocketFolder } from "../../server/base/storage/embedded/paths.ts";
import { isReady, stopPostmaster, waitUntil } from "../../server/base/storage/embedded/postmaster.ts";

/** One Postgres for all test files of a run; each test makes databases of its own on it. */
export interface SharedPostgres extends AsyncDisposable {
  readonly url: string;
  /** A copy of its cluster, made before it ran. */
  readonly preparedCluster: string;
}

export async function startSharedPostgres(): Promise<SharedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "platform-postgres-"));
  // Postgres does not run as root, and its own user must reach the folder.
  chmodSync(folder, 0o755);
  const paths = openPaths(folder);
  const binaries = findBinaries(paths.folder, paths.user);
  await ensureCluster(paths, binaries);
  const preparedCluster = join(folder, "prepared");
  execFileSync("cp", ["-a", paths.cluster, preparedCluster]);
  const postmaster = launch(paths, binaries.postgres);
  const ended = once(postmaster, "exit");
  const pid = postmaster.pid;
  if (pid === undefined || !(await waitUntil(() => isReady(paths.cluster, pid), startMaxMs)))
    throw new Error("the Postgres of the tests does not start");
  return {
    url: `postgres://${superuser}@${encodeURIComponent(paths.socketFolder)}/postgres`,
    preparedCluster,
    async [Symbol.asyncDispose]() {
      await stopPostmaster(pid);
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const startMaxMs = 60_000;

function launch({ cluster, folder, user, socketFolder }: EmbeddedPaths, postgres: string): ChildProcess {
  openSocketFolder(folder, user);
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    // Several hosts a worker, each with its pools.
    max_connections: "300",
    shared_buffers: "256MB",
    jit: "off",
    timezone: "UTC",
    // The data goes with the run: tests of crashes use a Postgres of their own.
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: "off",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawn(postgres, ["-D", cluster, ...options], {
    ...user,
    cwd: "/",
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    detached: true,
    stdio: "ignore",
  });
}

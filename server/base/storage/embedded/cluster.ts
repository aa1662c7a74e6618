import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { StartFault } from "../../start-fault.ts";
import { type Binaries, noBinaries } from "./binaries.ts";
import type { EmbeddedPaths } from "./paths.ts";
import { createPrivateFolder } from "./postgres-user.ts";
import { isAlive } from "./process.ts";

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

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** The socket of the Postgres on a data folder. */
export function addressOf({ socketFolder }: EmbeddedPaths): SocketAddress {
  return { host: socketFolder, port: 5432, user: superuser, database: "postgres" };
}

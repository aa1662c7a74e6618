import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { StartFault } from "../../start-fault.ts";

export interface EmbeddedPaths {
  /** The data folder only has a link to the actual folder. */
  readonly isLinked: boolean;
  /** Holds the cluster, the log, and copied binaries. */
  readonly folder: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly user: PostgresUser | undefined;
}

/**
 * Returns the paths for an existing data folder, and creates missing folders. When the host runs as root, Postgres runs as
 * another user, who may have no access to the data folder (a home folder has mode 0700). Then the folder is a link to one below
 * /var/lib.
 */
export function openPaths(dataDir: string): EmbeddedPaths {
  const user = findPostgresUser();
  const path = join(resolve(dataDir), "postgres");
  if (!existsSync(path)) createFolder(path, user);
  const folder = realpathSync(path);
  if (!isReachable(folder, user))
    throw new StartFault(
      `${folder} is not accessible to the user that runs Postgres; choose another folder with --data-dir, or set DATABASE_URL`,
    );
  const isLinked = folder !== join(realpathSync(dataDir), "postgres");
  return {
    isLinked,
    folder,
    cluster: join(folder, "cluster"),
    socketFolder: openSocketFolder(folder, user),
    user,
  };
}

function createFolder(path: string, user: PostgresUser | undefined): void {
  try {
    if (isReachable(join(path, ".."), user)) {
      mkdirSync(path);
      // `mkdir` applies the umask to the mode.
      chmodSync(path, 0o755);
      return;
    }
    const folder = mkdtempSync("/var/lib/ridlkit-");
    chmodSync(folder, 0o755);
    symlinkSync(folder, path);
  } catch (err) {
    // Another process created the folder at the same moment.
    if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
  }
}

/** Longest path of a Unix socket that every system accepts, in bytes: macOS allows 104 with the closing zero. */
const socketPathMaxBytes = 103;

/**
 * Returns the folder of the socket, and creates it if it is missing. Uses the temporary folder if the path in `postgresFolder`
 * would be too long for a socket.
 */
export function openSocketFolder(postgresFolder: string, user: PostgresUser | undefined): string {
  const inside = join(postgresFolder, "socket");
  const isShort = Buffer.byteLength(join(inside, ".s.PGSQL.5432.lock")) <= socketPathMaxBytes;
  const name = createHash("sha256").update(postgresFolder).digest("hex").slice(0, 16);
  const folder = isShort ? inside : join(tmpdir(), `ridlkit-${name}`);
  if (!existsSync(folder)) createPrivateFolder(folder, user);
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === (user?.uid ?? process.getuid?.());
  // Another owner could read the traffic.
  if (!isOwn || (mode & 0o077) !== 0)
    throw new StartFault(
      `${folder} belongs to another user; remove it, or choose another folder with --data-dir`,
    );
  return folder;
}

/** The user that runs Postgres, which refuses to run as root. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns an unprivileged user if this process runs as root; undefined if Postgres can run as the current user. */
function findPostgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = /^nobody:[^:]*:(-?[0-9]+):(-?[0-9]+):/m.exec(readPasswd());
  return { uid: Number(line?.[1] ?? 65_534) >>> 0, gid: Number(line?.[2] ?? 65_534) >>> 0 };
}

function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}

/** Whether the user can reach a path: every folder above it must grant access. */
export function isReachable(path: string, user: PostgresUser | undefined): boolean {
  if (user === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder);
    const mask = uid === user.uid ? 0o100 : 0o001;
    if ((mode & mask) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

export function createPrivateFolder(path: string, user: PostgresUser | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

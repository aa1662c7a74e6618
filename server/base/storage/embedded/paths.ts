import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StartFault } from "../../start-fault.ts";
import { createPrivateFolder, findPostgresUser, isReachable, type PostgresUser } from "./postgres-user.ts";

/** Where the embedded Postgres lives on disk. */
export interface EmbeddedPaths {
  /** The folder is elsewhere than in the data folder, which has a link to it. */
  readonly isLinked: boolean;
  /** Holds the cluster, the log, and copied binaries. */
  readonly folder: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly user: PostgresUser | undefined;
}

/**
 * The paths in a data folder that is there, made if it is not there. As root Postgres runs as another user, to whom a data folder below a home
 * of mode 0700 is closed: the paths is then a link to a folder below /var/lib.
 */
export function openPaths(dataDir: string): EmbeddedPaths {
  const user = findPostgresUser();
  const path = join(resolve(dataDir), "postgres");
  if (!existsSync(path)) makeRoom(path, user);
  const folder = realpathSync(path);
  if (!isReachable(folder, user))
    throw new StartFault(
      `${folder} is closed to the user that Postgres runs as; choose another folder with --data-dir, or set DATABASE_URL`,
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

function makeRoom(path: string, user: PostgresUser | undefined): void {
  try {
    if (isReachable(join(path, ".."), user)) {
      mkdirSync(path);
      // Whatever the umask is.
      chmodSync(path, 0o755);
      return;
    }
    const folder = mkdtempSync("/var/lib/ridlkit-");
    chmodSync(folder, 0o755);
    symlinkSync(folder, path);
  } catch (err) {
    // Another process that starts at the same time made it.
    if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
  }
}

/** Longest path of a Unix socket that every system takes, in bytes: macOS has 104 with its closing zero. */
const socketPathMaxBytes = 103;

/** In the folder, or in the folder for temporary files if its path is too long for a socket; made if it is not there. */
export function openSocketFolder(postgresFolder: string, user: PostgresUser | undefined): string {
  const inside = join(postgresFolder, "socket");
  const isShort = Buffer.byteLength(join(inside, ".s.PGSQL.5432.lock")) <= socketPathMaxBytes;
  const name = createHash("sha256").update(postgresFolder).digest("hex").slice(0, 16);
  const folder = isShort ? inside : join(tmpdir(), `ridlkit-${name}`);
  if (!existsSync(folder)) createPrivateFolder(folder, user);
  const { uid, mode } = lstatSync(folder);
  const isOurs = uid === (user?.uid ?? process.getuid?.());
  // Whoever else made it could read what goes through it.
  if (!isOurs || (mode & 0o077) !== 0)
    throw new StartFault(`${folder} was made by somebody else; remove it, or choose another --data-dir`);
  return folder;
}

import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StartFault } from "../../start-fault.ts";
import { findOwner, isReachable, makeOwnFolder, type Owner } from "./owner.ts";

/** Where the embedded Postgres lives on disk. */
export interface Place {
  /** The room is elsewhere than in the data folder, which has a link to it. */
  readonly isElsewhere: boolean;
  /** Holds the cluster, the log, and copied binaries. */
  readonly room: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly owner: Owner | undefined;
}

/**
 * The place in a data folder that is there, made if it is not there. As root Postgres runs as another user, to whom a data folder below a home
 * of mode 0700 is closed: the place is then a link to a folder below /var/lib.
 */
export function openPlace(dataDir: string): Place {
  const owner = findOwner();
  const path = join(resolve(dataDir), "postgres");
  if (!existsSync(path)) makeRoom(path, owner);
  const room = realpathSync(path);
  if (!isReachable(room, owner))
    throw new StartFault(
      `${room} is closed to the user that Postgres runs as; choose another folder with --data-dir, or set DATABASE_URL`,
    );
  const isElsewhere = room !== join(realpathSync(dataDir), "postgres");
  return {
    isElsewhere,
    room,
    cluster: join(room, "cluster"),
    socketFolder: openSocketFolder(room, owner),
    owner,
  };
}

function makeRoom(path: string, owner: Owner | undefined): void {
  try {
    if (isReachable(join(path, ".."), owner)) {
      mkdirSync(path);
      // Whatever the umask is.
      chmodSync(path, 0o755);
      return;
    }
    const room = mkdtempSync("/var/lib/ridlkit-");
    chmodSync(room, 0o755);
    symlinkSync(room, path);
  } catch (err) {
    // Another process that starts at the same time made it.
    if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
  }
}

/** Longest path of a Unix socket that every system takes, in bytes: macOS has 104 with its closing zero. */
const socketPathMaxBytes = 103;

/** In the room, or in the folder for temporary files if its path is too long for a socket; made if it is not there. */
export function openSocketFolder(room: string, owner: Owner | undefined): string {
  const inside = join(room, "socket");
  const isShort = Buffer.byteLength(join(inside, ".s.PGSQL.5432.lock")) <= socketPathMaxBytes;
  const name = createHash("sha256").update(room).digest("hex").slice(0, 16);
  const folder = isShort ? inside : join(tmpdir(), `ridlkit-${name}`);
  if (!existsSync(folder)) makeOwnFolder(folder, owner);
  const { uid, mode } = lstatSync(folder);
  const isOurs = uid === (owner?.uid ?? process.getuid?.());
  // Whoever else made it could read what goes through it.
  if (!isOurs || (mode & 0o077) !== 0)
    throw new StartFault(`${folder} was made by somebody else; remove it, or choose another --data-dir`);
  return folder;
}

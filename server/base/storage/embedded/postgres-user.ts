import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The user that runs Postgres, which refuses to run as root. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns an unprivileged user if this process runs as root; undefined if Postgres can run as the current user. */
export function findPostgresUser(): PostgresUser | undefined {
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

import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Whom Postgres runs as. It refuses to run as root. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The unprivileged user of this machine if we are root; undefined if Postgres can run as we do. */
export function findOwner(): Owner | undefined {
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

/** Whether a path can be walked to by the owner: every folder above it lets others through. */
export function isReachable(path: string, owner: Owner | undefined): boolean {
  if (owner === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder);
    const mask = uid === owner.uid ? 0o100 : 0o001;
    if ((mode & mask) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Makes a folder that the owner alone can look into. */
export function makeOwnFolder(path: string, owner: Owner | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
}

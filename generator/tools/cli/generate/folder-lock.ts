import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemReason } from "../files/reader.ts";
import type { WriteFault } from "./output-folder.ts";

/** Longest wait for another run. Writing takes milliseconds: whoever holds a folder this long hangs. */
const maxWaitMs = 10_000;

/** After this time a lock without a process in it was left by a run that died while it wrote the number. */
const emptyLockMaxMs = 1_000;

/**
 * Keeps two runs from writing one folder at a time: a file with the number of the process that writes. A lock whose process is gone
 * is taken over.
 */
export class FolderLock {
  readonly #path: string;
  /** The outermost folder that locking made. */
  readonly #createdRoot: string | undefined;
  readonly #root: string;

  private constructor(root: string, made: string | undefined) {
    this.#root = root;
    this.#path = lockPath(root);
    this.#createdRoot = made;
  }

  static async acquire(root: string): Promise<FolderLock | WriteFault> {
    const path = lockPath(root);
    try {
      const made = createFolder(root);
      for (const until = Date.now() + maxWaitMs; ; ) {
        if (tryCreateLock(path)) return new FolderLock(root, made);
        const holder = lockHolder(path);
        if (holder === "gone") removeStaleLock(path);
        else if (Date.now() > until) return { path: root, reason: lockedReason(holder) };
        else await new Promise((done) => setTimeout(done, 20));
      }
    } catch (err) {
      return { path: root, reason: systemReason(err) };
    }
  }

  /** Whether a run holds a folder, or died in it. */
  static isHeld(root: string): boolean {
    return existsSync(lockPath(root));
  }

  /** Folders that were made for the lock alone go with it. */
  release(): void {
    rmSync(this.#path, { force: true });
    if (this.#createdRoot === undefined) return;
    for (let folder = this.#root; folder.startsWith(this.#createdRoot); folder = dirname(folder)) {
      try {
        rmdirSync(folder);
      } catch {
        return;
      }
    }
  }
}

/** Answers the outermost folder that was made. Made at one go, a read-only disk would be told as a folder that is missing. */
function createFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  const above = dirname(path);
  const made = above === path ? undefined : createFolder(above);
  try {
    mkdirSync(path);
    return made ?? path;
  } catch (err) {
    // Another run may have made it since.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return made;
    throw err;
  }
}

function lockPath(root: string): string {
  return join(root, ".ridlkit.lock");
}

function lockedReason(holder: number): string {
  return `another run, process ${holder}, has been writing there for ${maxWaitMs / 1_000} seconds; if there is none, remove .ridlkit.lock`;
}

function tryCreateLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw err;
  }
}

/** The process that holds a lock; 0 if it has not written its number yet. */
function lockHolder(path: string): number | "gone" {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (!Number.isSafeInteger(pid) || pid <= 0)
      return Date.now() - statSync(path).mtimeMs > emptyLockMaxMs ? "gone" : 0;
    return pid !== process.pid && isAlive(pid) ? pid : "gone";
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Two runs may find the same dead lock: what is taken away is looked at again, and put back if it is another's new one. */
function removeStaleLock(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (lockHolder(aside) !== "gone") linkSync(aside, path);
  } catch {
    // Somebody else was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}

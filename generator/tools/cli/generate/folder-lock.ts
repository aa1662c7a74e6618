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

/** Maximum wait for another run. Writing takes milliseconds, so a run that holds the lock this long is stuck. */
const maxWaitMs = 10_000;

/** A lock file without a process id is stale after this time: its run died while writing the id. */
const emptyLockMaxMs = 1_000;

/**
 * Prevents two runs from writing one folder at the same time. The lock is a file with the process id of the writer. A lock whose
 * process has ended is taken over.
 */
export class FolderLock {
  readonly #path: string;
  /** The outermost folder that `acquire` created. */
  readonly #createdRoot: string | undefined;
  readonly #root: string;

  private constructor(root: string, created: string | undefined) {
    this.#root = root;
    this.#path = lockPath(root);
    this.#createdRoot = created;
  }

  static async acquire(root: string): Promise<FolderLock | WriteFault> {
    const path = lockPath(root);
    try {
      const created = createFolder(root);
      for (const until = Date.now() + maxWaitMs; ; ) {
        if (tryCreateLock(path)) return new FolderLock(root, created);
        const holder = lockHolder(path);
        if (holder === "gone") removeStaleLock(path);
        else if (Date.now() > until) return { path: root, reason: lockedReason(holder) };
        else await new Promise((done) => setTimeout(done, 20));
      }
    } catch (err) {
      return { path: root, reason: systemReason(err) };
    }
  }

  /** Whether a running or dead process has left a lock in the folder. */
  static isHeld(root: string): boolean {
    return existsSync(lockPath(root));
  }

  /** Also removes folders that were created for the lock and are still empty. */
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

/**
 * Returns the outermost created folder. A recursive `mkdir` would report a read-only disk as a missing folder, so each folder is created
 * separately.
 */
function createFolder(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
  const above = dirname(path);
  const created = above === path ? undefined : createFolder(above);
  try {
    mkdirSync(path);
    return created ?? path;
  } catch (err) {
    // Another run may have created the folder in the meantime.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return created;
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

/** Returns the id of the process that holds a lock; 0 if the id is not written yet. */
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

/** Two runs may find the same stale lock. The renamed file is checked again, and restored if it is another run's new lock. */
function removeStaleLock(path: string): void {
  const movedPath = `${path}.${process.pid}`;
  try {
    renameSync(path, movedPath);
    if (lockHolder(movedPath) !== "gone") linkSync(movedPath, path);
  } catch {
    // Another run removed the lock first.
  } finally {
    rmSync(movedPath, { force: true });
  }
}

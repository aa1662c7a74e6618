import {
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { makeFolder } from "./folders.ts";
import type { WriteFault } from "./output-folder.ts";

/** Longest wait for another run, in milliseconds. Writing is fast, so a run that holds the lock this long is stuck. */
const maxWaitMs = 10_000;

/** Age in milliseconds at which a lock file without a process ID is stale: its run died while creating it. */
const maxEmptyLockMs = 1_000;

/**
 * Prevents two runs from writing a folder at the same time. The lock is a file with the ID of the writing process. A lock of a dead
 * process is taken over.
 */
export class FolderLock {
  readonly #path: string;
  /** The outermost folder that was created for the lock. */
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
      const created = makeFolder(root);
      for (const until = Date.now() + maxWaitMs; ; ) {
        if (tryCreateLock(path)) return new FolderLock(root, created);
        const holder = lockHolder(path);
        if (holder === "gone") removeStaleLock(path);
        else if (Date.now() > until) return { path: root, reason: lockedReason(holder) };
        else await new Promise((done) => setTimeout(done, 20));
      }
    } catch (err) {
      return { path: root, reason: writeReason(err) };
    }
  }

  /** Whether a lock file exists, of a running or a dead process. */
  static isHeld(root: string): boolean {
    return existsSync(lockPath(root));
  }

  /** Removes the lock, and the folders that were created for it and are still empty. */
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

function lockPath(root: string): string {
  return join(root, ".ridlkit.lock");
}

function lockedReason(holder: number): string {
  return `process ${holder} has locked the folder for ${maxWaitMs / 1_000} seconds; if that process does not exist, remove .ridlkit.lock`;
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

/** The ID of the process that holds a lock; 0 if it has not written its ID yet; "gone" if the lock is stale. */
function lockHolder(path: string): number | "gone" {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (!Number.isSafeInteger(pid) || pid <= 0)
      return Date.now() - statSync(path).mtimeMs > maxEmptyLockMs ? "gone" : 0;
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

/** Removes a stale lock. Two runs may find the same one, so the removed file is checked again and put back if it is a new lock. */
function removeStaleLock(path: string): void {
  const movedPath = `${path}.${process.pid}`;
  try {
    renameSync(path, movedPath);
    if (lockHolder(movedPath) !== "gone") linkSync(movedPath, path);
  } catch {
    // Another run was faster.
  } finally {
    rmSync(movedPath, { force: true });
  }
}

/**
 * Folders for uploaded files, one per call. Their names contain the process id, so that folders of killed processes can
 * be removed.
 */
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const prefix = "ridlkit-upload-";

/**
 * Folders without a write for this long, in milliseconds, may be removed. A process in another container that shares
 * the parent folder looks dead, but writes more often.
 */
const staleAfterMs = 60 * 60 * 1000;

/** Parent folders that were already cleaned. */
const sweptParents = new Set<string>();

/**
 * Creates a folder for the files of a call. The first call per process also removes folders that killed processes left
 * behind.
 */
export function makeUploadFolder(parent: string): Promise<string> {
  if (!sweptParents.has(parent)) {
    sweptParents.add(parent);
    // Runs in the background. A folder that cannot be removed must not fail a call.
    removeStaleFolders(parent).catch(() => {});
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`));
}

async function removeStaleFolders(parent: string): Promise<void> {
  const startedAt = Date.now();
  for (const name of await readdir(parent)) {
    const pid = /^ridlkit-upload-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    if (startedAt - (await lastWrittenAt(folder)) > staleAfterMs)
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether a folder's process is running. Containers reuse ids, so a folder with our own id may belong to an earlier
 * process: its age decides.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process exists but belongs to another user.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Returns when a folder or one of its files was last written. A folder that cannot be read counts as new. */
async function lastWrittenAt(folder: string): Promise<number> {
  try {
    const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
    const times = await Promise.all(paths.map(async (path) => (await lstat(path)).mtimeMs));
    return Math.max(...times);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

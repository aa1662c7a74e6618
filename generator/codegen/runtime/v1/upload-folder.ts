/** Where the files of calls lie: a folder a call, named after its process, so that what a killed one left behind is known as such. */
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const prefix = "ridlkit-upload-";

/** A process that shares the folder from another container may look dead: what it writes is never as old as this, in milliseconds. */
const staleAfterMs = 60 * 60 * 1000;

/** Parents that were looked through. */
const sweptParents = new Set<string>();

/** The first one of a process also removes those of processes that have ended without doing so. */
export function makeUploadFolder(parent: string): Promise<string> {
  if (!sweptParents.has(parent)) {
    sweptParents.add(parent);
    // Nobody waits for it, and what cannot be removed fails nobody's call.
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

/** In a container every process may have the same number: what is older than ours is of one before it. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Somebody else's process may not be asked, and is there.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a folder, or a file in it, was last written. One that cannot be looked at counts as new. */
async function lastWrittenAt(folder: string): Promise<number> {
  try {
    const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
    const times = await Promise.all(paths.map(async (path) => (await lstat(path)).mtimeMs));
    return Math.max(...times);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

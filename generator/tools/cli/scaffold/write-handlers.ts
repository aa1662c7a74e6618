import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { makeFolder } from "../files/folders.ts";
import type { WriteFault } from "../files/output-folder.ts";

/** A file of handlers before and after a run. */
export interface HandlerWrite {
  readonly path: string;
  /** The text that was read; undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** The new path; equals `path` unless the file moves. */
  readonly to: string;
}

const temporarySuffix = ".ridlkit-tmp";

/**
 * Writes all files or none, as far as a file system allows: writes all texts to temporary files, and then renames these. Before the
 * first rename, checks that no file is read-only or has changed since it was read, so that no edit is lost.
 */
export function writeHandlers(writes: readonly HandlerWrite[], cwd: string): WriteFault | undefined {
  const staged = new Map<string, HandlerWrite>();
  let at = "";
  try {
    for (const write of writes) {
      at = write.to;
      const temporary = stage(write, cwd);
      staged.set(temporary, write);
    }
    for (const write of writes) {
      at = write.path;
      rejectIfChanged(write, cwd);
    }
    for (const [temporary, write] of staged) {
      at = write.to;
      move(temporary, write, cwd);
    }
    return undefined;
  } catch (err) {
    return { path: at, reason: err instanceof WriteRejected ? err.message : writeReason(err) };
  } finally {
    for (const temporary of staged.keys()) rmSync(temporary, { force: true });
  }
}

class WriteRejected extends Error {}

function stage({ path, before, after, to }: HandlerWrite, cwd: string): string {
  // Writes to the target of a symbolic link and keeps the link.
  const target = before !== undefined && to === path ? realpathSync(resolve(cwd, path)) : resolve(cwd, to);
  makeFolder(dirname(target));
  const temporary = `${target}.${process.pid}${temporarySuffix}`;
  writeFileSync(temporary, after);
  if (before === undefined) return temporary;
  const { mode } = statSync(resolve(cwd, path));
  // root can write read-only files, but the mode shows that the file should stay unchanged.
  if ((mode & 0o222) === 0) {
    rmSync(temporary, { force: true });
    throw new WriteRejected("it is read-only");
  }
  chmodSync(temporary, mode);
  return temporary;
}

function rejectIfChanged({ path, before, to }: HandlerWrite, cwd: string): void {
  const now = existsSync(resolve(cwd, path)) ? readFileSync(resolve(cwd, path), "utf8") : undefined;
  if (now !== before) throw new WriteRejected("it was changed in the meantime");
  if (to !== path && existsSync(resolve(cwd, to))) throw new WriteRejected("a file with the new name exists");
}

function move(temporary: string, { path, before, to }: HandlerWrite, cwd: string): void {
  if (before === undefined || to !== path) {
    // Unlike a rename, a link never overwrites an existing file.
    linkSync(temporary, resolve(cwd, to));
    if (before !== undefined) rmSync(resolve(cwd, path));
  } else renameSync(temporary, realpathSync(resolve(cwd, path)));
}

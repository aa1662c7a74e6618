import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { systemReason } from "../files/reader.ts";
import type { WriteFault } from "../generate/output-folder.ts";

export interface HandlerWrite {
  readonly path: string;
  /** Text that was read; undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** Target path; equal to `path` unless the file moves. */
  readonly to: string;
}

const temporarySuffix = ".ridlkit-tmp";

/**
 * Writes all files or none, as far as a file system allows: every text is in a temporary file before the first rename. Stops before the
 * renames if a file is read-only or has changed since it was read, so that no edits are lost.
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
    return { path: at, reason: err instanceof WriteRejected ? err.message : systemReason(err) };
  } finally {
    for (const temporary of staged.keys()) rmSync(temporary, { force: true });
  }
}

class WriteRejected extends Error {}

function stage({ path, before, after, to }: HandlerWrite, cwd: string): string {
  // Write to the target of a link, so that the link stays.
  const target = before !== undefined && to === path ? realpathSync(resolve(cwd, path)) : resolve(cwd, to);
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}${temporarySuffix}`;
  writeFileSync(temporary, after);
  if (before === undefined) return temporary;
  const { mode } = statSync(resolve(cwd, path));
  // Check the mode, because root can write to read-only files.
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
  if (to !== path && existsSync(resolve(cwd, to))) throw new WriteRejected("there is a file already");
}

function move(temporary: string, { path, before, to }: HandlerWrite, cwd: string): void {
  if (before === undefined || to !== path) {
    // Unlike a rename, linking never replaces an existing file.
    linkSync(temporary, resolve(cwd, to));
    if (before !== undefined) rmSync(resolve(cwd, path));
  } else renameSync(temporary, realpathSync(resolve(cwd, path)));
}

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

/** One file of handlers and what becomes of it. */
export interface HandlerWrite {
  readonly path: string;
  /** What was read; undefined: there was nothing. */
  readonly before: string | undefined;
  readonly after: string;
  /** Where it goes; its own path unless it moves. */
  readonly to: string;
}

const temporarySuffix = ".ridlkit-tmp";

/**
 * Writes all or nothing, as far as a file system can: every text is on disk beside its place before the first is moved there. A file
 * that somebody changed since it was read, or that may not be written, stops the run before that; so nothing of theirs is lost.
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
  // A link stays one: what it leads to is written.
  const target = before !== undefined && to === path ? realpathSync(resolve(cwd, path)) : resolve(cwd, to);
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}${temporarySuffix}`;
  writeFileSync(temporary, after);
  if (before === undefined) return temporary;
  const { mode } = statSync(resolve(cwd, path));
  // Whoever may do everything still asks, because the mode says that somebody meant it.
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
    // Unlike a rename, a link never takes another file's place.
    linkSync(temporary, resolve(cwd, to));
    if (before !== undefined) rmSync(resolve(cwd, path));
  } else renameSync(temporary, realpathSync(resolve(cwd, path)));
}

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { makeFolder } from "./folders.ts";
import type { WriteFault } from "./output-folder.ts";

/** A file before and after a run. */
export interface FileWrite {
  readonly path: string;
  /** The text that was read; undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** The new path; equals `path` unless the file moves. */
  readonly to: string;
}

/** Writes texts over whatever the files contain. Returns the reason if it fails. */
export function overwriteFiles(
  files: readonly { readonly path: string; readonly text: string }[],
  cwd: string,
): WriteFault | undefined {
  const writes: FileWrite[] = [];
  for (const { path, text } of files) {
    try {
      writes.push({ path, before: currentText(path, cwd), after: text, to: path });
    } catch (err) {
      return { path, reason: reasonOf(err) };
    }
  }
  return writeFiles(writes, cwd);
}

/** Writes a text over whatever a file contains. Returns the reason if it fails. */
export function overwriteFile(path: string, text: string, cwd: string): string | undefined {
  return overwriteFiles([{ path, text }], cwd)?.reason;
}

/**
 * Writes all files or none, as far as a file system allows: writes all texts to temporary files, and then renames these. Before the
 * first rename, checks that no file is read-only or has changed since it was read, so that no edit is lost. Keeps modes and
 * symbolic links.
 */
export function writeFiles(writes: readonly FileWrite[], cwd: string): WriteFault | undefined {
  const staged = new Map<string, FileWrite>();
  let at = "";
  try {
    for (const write of writes) {
      at = write.to;
      const target = targetOf(write, cwd);
      makeFolder(dirname(target));
      const temporary = `${target}.${process.pid}.ridlkit-tmp`;
      staged.set(temporary, write);
      writeFileSync(temporary, write.after);
      if (write.before !== undefined) chmodSync(temporary, statSync(resolve(cwd, write.path)).mode);
    }
    for (const write of writes) {
      at = write.path;
      rejectIfReadOnly(write, cwd);
      rejectIfChanged(write, cwd);
    }
    for (const [temporary, write] of staged) {
      at = write.to;
      renameSync(temporary, targetOf(write, cwd));
      if (write.to !== write.path) rmSync(resolve(cwd, write.path));
    }
    return undefined;
  } catch (err) {
    return { path: at, reason: reasonOf(err) };
  } finally {
    for (const temporary of staged.keys()) rmSync(temporary, { force: true });
  }
}

class WriteRejected extends Error {}

function reasonOf(err: unknown): string {
  return err instanceof WriteRejected ? err.message : writeReason(err);
}

/** The target of a symbolic link, which stays a link. */
function targetOf({ path, before, to }: FileWrite, cwd: string): string {
  return before !== undefined && to === path ? realpathSync(resolve(cwd, path)) : resolve(cwd, to);
}

function rejectIfReadOnly({ path, before }: FileWrite, cwd: string): void {
  if (before === undefined) return;
  // root can write read-only files, but the mode shows that the file should stay unchanged.
  if ((statSync(resolve(cwd, path)).mode & 0o222) === 0) throw new WriteRejected("it is read-only");
  accessSync(resolve(cwd, path), constants.W_OK);
}

function rejectIfChanged({ path, before, to }: FileWrite, cwd: string): void {
  if (currentText(path, cwd) !== before) throw new WriteRejected("it was changed in the meantime");
  if (to !== path && existsSync(resolve(cwd, to))) throw new WriteRejected("a file with the new name exists");
}

function currentText(path: string, cwd: string): string | undefined {
  const absolute = resolve(cwd, path);
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // Reading a pipe or a terminal would block.
  if (!stats.isFile() && !stats.isDirectory()) throw new WriteRejected("it is not a regular file");
  return readFileSync(absolute, "utf8");
}

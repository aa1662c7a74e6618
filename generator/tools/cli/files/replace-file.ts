import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { systemReason } from "./reader.ts";

/** A file that exists and the text that it gets. */
export interface Replacement {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes new texts beside existing files and moves them there, so that nobody ever sees half of one; nothing is moved before all
 * are on disk. Modes and links stay as they are; a file that may not be written is left alone. Answers what could not be done.
 */
export function replaceFiles(
  replacements: readonly Replacement[],
  cwd: string,
): { readonly path: string; readonly reason: string } | undefined {
  const temporaries = new Map<string, string>();
  let at = "";
  try {
    for (const { path, text } of replacements) {
      at = path;
      const target = realpathSync(resolve(cwd, path));
      accessSync(target, constants.W_OK);
      const { mode } = statSync(target);
      const temporary = `${target}.${process.pid}.ridlkit-tmp`;
      temporaries.set(temporary, target);
      writeFileSync(temporary, text);
      chmodSync(temporary, mode);
    }
    for (const [temporary, target] of temporaries) renameSync(temporary, target);
    return undefined;
  } catch (err) {
    for (const temporary of temporaries.keys()) rmSync(temporary, { force: true });
    return { path: at, reason: systemReason(err) };
  }
}

/** The same for one file by its absolute path; answers why it could not be done. */
export function replaceFile(path: string, text: string): string | undefined {
  return replaceFiles([{ path, text }], "/")?.reason;
}

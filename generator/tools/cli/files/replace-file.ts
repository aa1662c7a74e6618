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
import { systemReason } from "../../../language/diagnostics/system-reason.ts";

/** An existing file and its new text. */
export interface Replacement {
  readonly path: string;
  readonly text: string;
}

/**
 * Replaces existing files atomically: writes all contents to temporary files, then renames them. Keeps modes and symbolic links. Fails
 * before the first rename if a file is not writable. Returns the failure.
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

/** Replaces a file by its absolute path. Returns the reason if it fails. */
export function replaceFile(path: string, text: string): string | undefined {
  return replaceFiles([{ path, text }], "/")?.reason;
}

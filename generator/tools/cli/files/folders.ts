import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and those above it, one at a time: `mkdir` with `recursive` never returns for a folder below /proc. `mode`: the
 * permissions of the folder itself. Returns the outermost folder that was created. Throws the error of the system.
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path);
  const created = above === path ? undefined : makeFolder(above);
  try {
    mkdirSync(path, { mode });
    // `mkdir` applies the umask to the mode.
    if (mode !== undefined) chmodSync(path, mode);
    return created ?? path;
  } catch (err) {
    // Another process may have created the folder at the same moment.
    if (!isFolder(path)) throw err;
    return created;
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folder and its parents. */
export function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

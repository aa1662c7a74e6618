import { readdirSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";

export interface FoundFiles {
  /** Paths from the working directory. */
  readonly files: ReadonlySet<string>;
  /** Folders that could not be listed, with the reason. */
  readonly unreadableFolders: ReadonlyMap<string, string>;
}

/**
 * Expands folders to all `.ridl` files below them, sorted, without `node_modules` and names that start with a dot. Keeps paths that do
 * not exist: reading them reports the error.
 */
export function ridlFiles(paths: readonly string[], cwd: string): FoundFiles {
  const found = { files: new Set<string>(), unreadableFolders: new Map<string, string>() };
  for (const path of paths) {
    if (isFolder(resolve(cwd, path))) addFolder(path, cwd, found);
    else found.files.add(path);
  }
  return found;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Does not follow links to folders, which could form a cycle. */
function addFolder(
  folder: string,
  cwd: string,
  found: { readonly files: Set<string>; readonly unreadableFolders: Map<string, string> },
): void {
  try {
    const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
    const seen = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    for (const entry of seen.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) addFolder(path, cwd, found);
      else if (entry.name.endsWith(".ridl")) found.files.add(path);
    }
  } catch (err) {
    found.unreadableFolders.set(folder, systemReason(err));
  }
}

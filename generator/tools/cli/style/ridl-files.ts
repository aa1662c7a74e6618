import { readdirSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { systemReason } from "../files/reader.ts";

export interface FoundFiles {
  /** Each once, as paths from the working directory. */
  readonly files: ReadonlySet<string>;
  /** Folders that could not be listed, and why. */
  readonly unlisted: ReadonlyMap<string, string>;
}

/**
 * The files that paths stand for: a file itself, a folder all `.ridl` files below it, sorted, without `node_modules` and what starts
 * with a dot. A path that does not exist stays, for whoever reads it to say so.
 */
export function ridlFiles(paths: readonly string[], cwd: string): FoundFiles {
  const found = { files: new Set<string>(), unlisted: new Map<string, string>() };
  for (const path of paths) {
    if (isFolder(resolve(cwd, path))) addFolder(path, cwd, found);
    else found.files.add(path);
  }
  return found;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Links to folders are not followed, so that none leads in a circle. */
function addFolder(
  folder: string,
  cwd: string,
  found: { readonly files: Set<string>; readonly unlisted: Map<string, string> },
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
    found.unlisted.set(folder, systemReason(err));
  }
}

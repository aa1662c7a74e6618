import { readdirSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";

/**
 * The files that paths stand for: a file itself, a folder all `.ridl` files below it, sorted, without `node_modules` and what starts
 * with a dot. A path that does not exist stays, for whoever reads it to say so. Each file comes once.
 */
export function ridlFiles(paths: readonly string[], cwd: string): string[] {
  return [
    ...new Set(paths.flatMap((path) => (isFolder(resolve(cwd, path)) ? filesBelow(path, cwd) : [path]))),
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Links to folders are not followed, so that none leads in a circle. */
function filesBelow(folder: string, cwd: string): string[] {
  const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
  const seen = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
  return seen
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, cwd);
      return entry.name.endsWith(".ridl") ? [path] : [];
    });
}

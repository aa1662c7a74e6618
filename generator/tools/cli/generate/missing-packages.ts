import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersAbove } from "../files/folders-above.ts";

/**
 * Returns the packages that generated files in `root` import and that are not installed. Empty without a package.json, because other
 * package managers resolve imports differently.
 */
export function missingPackages(files: ReadonlyMap<string, string>, root: string): readonly string[] {
  const folders = foldersAbove(root);
  if (!folders.some((folder) => existsSync(join(folder, "package.json")))) return [];
  return importedPackages(files).filter(
    (name) => !folders.some((folder) => existsSync(join(folder, "node_modules", name))),
  );
}

/** Imports of types are omitted: a project without the package does not use the file. */
function importedPackages(files: ReadonlyMap<string, string>): readonly string[] {
  const names = [...files].flatMap(([path, text]) =>
    path.endsWith(".ts")
      ? Array.from(
          text.matchAll(/^import (?!type )[^;]* from "((?:@[\w.-]+\/)?[\w-][\w.-]*)"/gm),
          ([, name = ""]) => name,
        )
      : [],
  );
  return [...new Set(names)].sort();
}

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { importsIn } from "../../../codegen/emit/imports.ts";
import { packagesBehind } from "../../../codegen/runtime.ts";
import { runtimeName, runtimeToInstall } from "../../doctor/runtime-package.ts";
import { foldersAbove } from "../files/folders.ts";
import type { Output } from "./generation.ts";

/** The command that installs what generated files import and cannot find, or `""`. */
export function missingPackagesText(outputs: readonly Output[], version: string): string {
  const missing = outputs.flatMap(({ job, files }) => missingPackages(files, job.folder.root, version));
  if (missing.length === 0) return "";
  return `Generated code needs packages. Run: npm install ${[...new Set(missing)].join(" ")}\n`;
}

/**
 * Returns what to install for generated files in `root`: packages that they import and that are not installed, and
 * `ridlkit-runtime@1.2.3` also if another version than `version` is installed. Empty without a package.json, because other package
 * managers resolve imports differently.
 */
export function missingPackages(
  files: ReadonlyMap<string, string>,
  root: string,
  version: string,
): readonly string[] {
  const folders = foldersAbove(root);
  const isAbove = (name: string): boolean => folders.some((folder) => existsSync(join(folder, name)));
  const packageFolder = folders.find((folder) => existsSync(join(folder, "package.json")));
  if (packageFolder === undefined) return [];
  // Plug'n'Play is visible only to processes that Yarn starts.
  if (isAbove(".pnp.cjs") && process.versions["pnp"] === undefined) return [];
  return importedPackages(files).flatMap((name) => {
    if (name === runtimeName && installedVersion(name, root) === version) return [];
    if (name === runtimeName)
      return runtimeToInstall(version, readFileSync(join(packageFolder, "package.json"), "utf8"));
    return isAbove(`node_modules/${name}`) || isResolved(name, root) ? [] : name;
  });
}

/** The version of a package that code in a folder imports. Undefined if it is not installed. */
export function installedVersion(name: string, folder: string): string | undefined {
  try {
    const path = requireIn(folder).resolve(`${name}/package.json`);
    return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
  } catch {
    return undefined;
  }
}

/** Whether Node.js finds the package, such as in the archives of Plug'n'Play. */
function isResolved(name: string, folder: string): boolean {
  try {
    requireIn(folder).resolve(`${name}/package.json`);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}

function requireIn(folder: string): NodeJS.Require {
  return createRequire(join(resolve(folder), "index.js"));
}

/**
 * The packages that files import, directly or in modules of the runtime. Imports of types are omitted: a project without the package does
 * not use the file.
 */
export function importedPackages(files: ReadonlyMap<string, string>): readonly string[] {
  const texts = [...files].flatMap(([path, text]) => (path.endsWith(".ts") ? [text] : []));
  const names = texts.flatMap(importsIn).flatMap(({ from, isType }) => {
    const [, name = ""] = /^((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[\w-]+)?$/.exec(from) ?? [];
    if (isType) return name === runtimeName ? name : [];
    return [name, ...packagesBehind(from)];
  });
  return [...new Set(names)].filter((name) => name !== "").sort();
}

/** Where generated code finds its runtime: in a package, or in copies of the package's modules. */
import { posix } from "node:path";
import { runtimeTexts } from "ridlkit:runtime";
import { importsIn, withImports } from "./emit/imports.ts";
import type { EmittedFile } from "./options.ts";

/** Folder of the copied modules, in the output folder. */
export const runtimeFolder = "runtime";

const packageName = "ridlkit-runtime/";

/**
 * Makes generated files import copies, and adds the copies: the modules that the files or `entries` import, directly or not. A copy
 * is the whole module, so its text depends on the version of ridlkit only.
 */
export function withRuntimeCopy(
  files: readonly EmittedFile[],
  entries: readonly string[],
): readonly EmittedFile[] {
  const needed = new Set(entries);
  const linked = files.map((file) =>
    file.path.endsWith(".ts") ? importingCopies(file, runtimeFolder, (module) => needed.add(module)) : file,
  );
  const copies = [...withImported(needed, () => true)].sort().map((module) => ({
    path: `${runtimeFolder}/${module}.ts`,
    text: runtimeModule(module),
  }));
  return [...linked, ...copies];
}

/** Makes a file import the copies in a folder instead of the package, and calls `onImport` with the name of each module. */
export function importingCopies(
  { path, text }: EmittedFile,
  copies: string,
  onImport: (module: string) => void = () => {},
): EmittedFile {
  const toFolder = posix.relative(posix.dirname(path), copies);
  const folder = toFolder.startsWith(".") ? toFolder : `./${toFolder}`;
  const linked = withImports(text, (from) => {
    if (!from.startsWith(packageName)) return from;
    const module = from.slice(packageName.length);
    onImport(module);
    return `${folder}/${module}.ts`;
  });
  return { path, text: linked };
}

/**
 * The packages that run with an import, such as `ridlkit-runtime/uploads-on-disk`: those that its module and the modules below it import
 * as values. npm does not install them with the runtime. Empty for imports of anything else.
 */
export function packagesBehind(from: string): readonly string[] {
  const module = from.slice(packageName.length);
  if (!from.startsWith(packageName) || runtimeTexts[`${module}.ts`] === undefined) return [];
  const modules = [...withImported([module], ({ isType }) => !isType)];
  return modules.flatMap((each) =>
    importsIn(runtimeModule(each)).flatMap(({ from: imported, isType }) =>
      isType || /^([.]|node:)/.test(imported) ? [] : imported,
    ),
  );
}

/** Modules, and those that they import, directly or not. */
function withImported(
  modules: Iterable<string>,
  isFollowed: (imported: { readonly isType: boolean }) => boolean,
): ReadonlySet<string> {
  const found = new Set(modules);
  // Iterating a Set includes elements added during the loop.
  for (const module of found)
    for (const imported of importsIn(runtimeModule(module)))
      if (imported.from.startsWith("./") && isFollowed(imported))
        found.add(posix.basename(imported.from, ".ts"));
  return found;
}

/** The text of a module of the package. */
export function runtimeModule(module: string): string {
  const text = runtimeTexts[`${module}.ts`];
  if (text === undefined) throw new Error(`the runtime has no module "${module}"`);
  return text;
}

/** All modules of the package, by path in an output folder. */
export function runtimeModules(): ReadonlyMap<string, string> {
  return new Map(Object.entries(runtimeTexts).map(([name, text]) => [`${runtimeFolder}/${name}`, text]));
}

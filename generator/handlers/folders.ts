import { posix } from "node:path";
import { portableName } from "../codegen/plan/names.ts";
import type { HandlersContract } from "./contract.ts";
import type { ServiceByInterface } from "./index/handler-types.ts";
import type { SyncState } from "./sync-state.ts";

/** The folders of a project, all relative to the same folder. */
export interface HandlerFolders {
  /** Absolute path of that folder. Names the folders between paths outside of it and paths inside. */
  readonly cwd: string;
  /** Folder of the handlers: `server/services`. */
  readonly root: string;
  /** Folder of the generated code: `generated`. */
  readonly generated: string;
  /** Folders of generated code that belong to other schemas. Imports from there are ignored. Default: none. */
  readonly otherGenerated?: readonly string[];
  /** The type of `ctx.context` in new handlers. Default: unknown. */
  readonly context?: ContextType;
  /** How the package of the generated code exports files. Empty if the handlers belong to the same package, or to one that does not depend on it. */
  readonly packageExports?: readonly PackageExport[];
  /** Extension in imports, if no hand-written file has one. Default ".ts". */
  readonly importSuffix?: string;
}

/** An entry of the `exports` of a package: `@acme/contract/*` for `packages/contract/generated/*.ts`. */
export interface PackageExport {
  readonly specifier: string;
  /** Relative to the same folder as all paths. */
  readonly path: string;
}

/** A type that hand-written code exports. */
export interface ContextType {
  readonly name: string;
  /** The path of its module; undefined for a package. */
  readonly path?: string;
  /** Module specifier of the package: `@acme/auth`. */
  readonly specifier: string;
}

/** `server/services/Marketplace/GetOrders.ts`: named as on the wire, so that the handler of a method is easy to find. Names that Windows reserves get a suffix. */
export function handlerPath(root: string, service: string, method: string): string {
  return posix.join(root, portableName(service, "-service"), `${portableName(method, "-method")}.ts`);
}

/** The file that registers all handlers of a new project. */
export function registryPath(root: string): string {
  return posix.join(root, "handlers.ts");
}

/** Returns the path of the generated folder from the folder of the handlers, as the sync state stores it. */
export function generatedFromHandlers({ cwd, root, generated }: HandlerFolders): string {
  return posix.relative(posix.join(cwd, root), posix.join(cwd, generated)) || ".";
}

/** `"../../generated/server.ts"`, relative to a file. */
export function specifierTo({ cwd }: Pick<HandlerFolders, "cwd">, target: string, from: string): string {
  const path = posix.relative(posix.join(cwd, posix.dirname(from)), posix.join(cwd, target));
  return path.startsWith(".") ? path : `./${path}`;
}

/** The specifier of a generated module, such as `server`: by the name of its package if possible, otherwise relative to a file. */
export function generatedSpecifier(
  folders: HandlerFolders,
  module: string,
  { from, extension }: { readonly from: string; readonly extension: string },
): string {
  const target = posix.join(folders.generated, module);
  for (const { specifier, path } of folders.packageExports ?? []) {
    const named = mapped(`${target}.ts`, path, specifier);
    if (named !== undefined) return named;
  }
  return specifierTo(folders, target, from) + extension;
}

/** Maps a text from one pattern to another. A pattern has at most one `*`. Undefined if the text does not match. */
function mapped(text: string, from: string, to: string): string | undefined {
  const [before = "", after] = from.split("*");
  if (after === undefined) return text === from ? to : undefined;
  const isMatch =
    text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length;
  return isMatch ? to.replace("*", () => text.slice(before.length, text.length - after.length)) : undefined;
}

/** Recognizes imports of generated code: by the current folder, by the folder of the last run, or by a path alias. */
export function generatedImports(
  project: HandlerFolders,
  lastSync: SyncState | undefined,
): (path: string, specifier: string) => boolean {
  const folders = generatedFolders(project, lastSync);
  const isForeign = foreignImports(project, lastSync);
  return (path, specifier) =>
    moduleOf(path, specifier, folders, project) !== undefined && !isForeign(path, specifier);
}

/** Recognizes imports of code that belongs to another schema. A module belongs to the innermost folder that contains it. */
export function foreignImports(
  folders: HandlerFolders,
  lastSync: SyncState | undefined,
): (path: string, specifier: string) => boolean {
  const own = generatedFolders(folders, lastSync);
  const others = (folders.otherGenerated ?? []).filter((folder) => !own.includes(folder));
  const innermostFirst = [...own, ...others].sort((a, b) => b.length - a.length);
  return (path, specifier) => {
    if (others.length === 0) return false;
    const found = moduleOf(path, specifier, innermostFirst, folders);
    if (found === undefined) return false;
    // An alias such as "#api/server" does not name a folder. It is foreign if its name matches only folders of other schemas.
    return found.folder === ""
      ? moduleOf(path, specifier, own, folders) === undefined
      : others.includes(found.folder);
  };
}

export function generatedFolders(
  { cwd, root, generated }: HandlerFolders,
  lastSync: SyncState | undefined,
): readonly string[] {
  const before = lastSync === undefined ? generated : pathFrom(cwd, root, lastSync.generated);
  return before === generated ? [generated] : [generated, before];
}

/** The shortest form of a path: `../contract/generated` → `generated` in the folder `contract`. */
function pathFrom(cwd: string, ...parts: readonly string[]): string {
  return posix.relative(cwd, posix.join(cwd, ...parts));
}

/** Splits the specifier of a generated module into folder, module (`server`) and extension. A path alias has the folder "". */
export function moduleOf(
  path: string,
  specifier: string,
  folders: readonly string[],
  {
    cwd,
    packageExports = [],
    importSuffix = ".ts",
  }: Pick<HandlerFolders, "cwd" | "packageExports" | "importSuffix">,
): { readonly folder: string; readonly module: string; readonly extension: string } | undefined {
  const extension = /[.][cm]?[jt]s$/.exec(specifier)?.[0] ?? "";
  const bare = specifier.slice(0, specifier.length - extension.length);
  if (/^[.]{1,2}(\/|$)/.test(specifier)) {
    const target = pathFrom(cwd, posix.dirname(path), bare);
    const folder = folders.find((each) => target === each || target.startsWith(`${each}/`));
    return folder === undefined ? undefined : { folder, module: target.slice(folder.length + 1), extension };
  }
  for (const exported of packageExports) {
    const target = mapped(specifier, exported.specifier, exported.path)?.replace(/[.]ts$/, "");
    const folder = folders.find((each) => target?.startsWith(`${each}/`));
    if (target !== undefined && folder !== undefined)
      return { folder, module: target.slice(folder.length + 1), extension: importSuffix };
  }
  for (const folder of folders) {
    const name = posix.basename(folder);
    const at = `/${bare}/`.lastIndexOf(`/${name}/`);
    const module = bare.slice(at + name.length + 1);
    if (at !== -1 && /^(types|errors|server)$/.test(module)) return { folder: "", module, extension };
  }
  return undefined;
}

/** Maps the current and former names of handler interfaces to their services. */
export function serviceByInterface(
  contract: HandlersContract,
  lastSync: SyncState | undefined,
): ServiceByInterface {
  const contracts = lastSync === undefined ? [contract] : [lastSync.contract, contract];
  return new Map(
    contracts.flatMap(({ services }) =>
      Object.entries(services).map(([name, { handlers }]) => [handlers, name] as const),
    ),
  );
}

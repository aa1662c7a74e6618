import { posix } from "node:path";
import type { Layout } from "../codegen/plan/layout.ts";
import { pascalCase } from "../codegen/plan/names.ts";
import type { Contract } from "./contract.ts";
import type { ServiceByInterface } from "./index/handler-types.ts";
import type { SyncState } from "./sync-state.ts";

/** The folders of a project, all relative to the same folder. */
export interface HandlerFolders {
  /** Folder of the handlers: `server/services`. */
  readonly root: string;
  /** Folder of the generated code: `generated`. */
  readonly generated: string;
  /** Folders of generated code that belong to other schemas. Imports from there are ignored. Default: none. */
  readonly otherGenerated?: readonly string[];
  /** The type of `ctx.host` in new handlers. Default: unknown. */
  readonly context?: ContextType;
  /** Layout of the generated code. */
  readonly layout: Layout;
  /** Extension in imports, if no hand-written file has one. Default ".ts". */
  readonly importSuffix?: string;
}

/** A type that hand-written code exports. */
export interface ContextType {
  readonly name: string;
  /** The path of its module; undefined for a package. */
  readonly path?: string;
  /** Module specifier of the package: `@acme/auth`. */
  readonly specifier: string;
}

/** `server/services/Marketplace/GetOrders.ts`: named as on the wire, so that the handler of a method is easy to find. */
export function handlerPath(root: string, service: string, method: string): string {
  return posix.join(root, fileName(service), `${fileName(method)}.ts`);
}

/** The file that registers all handlers of a new project. */
export function registryPath(root: string): string {
  return posix.join(root, "handlers.ts");
}

function fileName(name: string): string {
  return /^[A-Za-z0-9_$-]+$/.test(name) ? name : pascalCase(name);
}

/** Returns the path of the generated folder from the folder of the handlers, as the sync state stores it. */
export function generatedFromHandlers({ root, generated }: HandlerFolders): string {
  return posix.relative(root, generated) || ".";
}

/** `"../../generated/server/marketplace.ts"`, relative to a file. */
export function specifierTo(target: string, from: string): string {
  const path = posix.relative(posix.dirname(from), target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Recognises imports of generated code: by the current folder, by the folder of the last run, or by a path alias. */
export function generatedImports(
  project: HandlerFolders,
  lastSync: SyncState | undefined,
): (path: string, specifier: string) => boolean {
  const folders = generatedFolders(project, lastSync);
  const isForeign = foreignImports(project, lastSync);
  return (path, specifier) => moduleOf(path, specifier, folders) !== undefined && !isForeign(path, specifier);
}

/** Recognises imports of code that belongs to another schema. A module belongs to the innermost folder that contains it. */
export function foreignImports(
  folders: HandlerFolders,
  lastSync: SyncState | undefined,
): (path: string, specifier: string) => boolean {
  const own = generatedFolders(folders, lastSync);
  const others = (folders.otherGenerated ?? []).filter((folder) => !own.includes(folder));
  const innermostFirst = [...own, ...others].sort((a, b) => b.length - a.length);
  return (path, specifier) => {
    if (others.length === 0) return false;
    const found = moduleOf(path, specifier, innermostFirst);
    if (found === undefined) return false;
    // An alias such as "#api/server" does not name a folder. It is foreign if its name matches only folders of other schemas.
    return found.folder === "" ? moduleOf(path, specifier, own) === undefined : others.includes(found.folder);
  };
}

export function generatedFolders(
  { root, generated }: HandlerFolders,
  lastSync: SyncState | undefined,
): readonly string[] {
  const before = lastSync === undefined ? generated : posix.join(root, lastSync.generated);
  return before === generated ? [generated] : [generated, before];
}

/** Splits the specifier of a generated module into folder, module (`server/marketplace`) and extension. A path alias has the folder "". */
export function moduleOf(
  path: string,
  specifier: string,
  folders: readonly string[],
): { readonly folder: string; readonly module: string; readonly extension: string } | undefined {
  const extension = /[.][cm]?[jt]s$/.exec(specifier)?.[0] ?? "";
  const bare = specifier.slice(0, specifier.length - extension.length);
  if (/^[.]{1,2}(\/|$)/.test(specifier)) {
    const target = posix.join(posix.dirname(path), bare);
    const folder = folders.find((each) => target === each || target.startsWith(`${each}/`));
    return folder === undefined ? undefined : { folder, module: target.slice(folder.length + 1), extension };
  }
  for (const folder of folders) {
    const name = posix.basename(folder);
    const at = `/${bare}/`.lastIndexOf(`/${name}/`);
    const module = bare.slice(at + name.length + 1);
    if (at !== -1 && /^(types|errors|server(\/[^/]+)?)$/.test(module))
      return { folder: "", module, extension };
  }
  return undefined;
}

/** Maps the current and former names of handler interfaces to their services. */
export function serviceByInterface(contract: Contract, lastSync: SyncState | undefined): ServiceByInterface {
  const contracts = lastSync === undefined ? [contract] : [lastSync.contract, contract];
  return new Map(
    contracts.flatMap(({ services }) =>
      Object.entries(services).map(([name, { handlers }]) => [handlers, name] as const),
    ),
  );
}

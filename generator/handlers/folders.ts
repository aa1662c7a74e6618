import { posix } from "node:path";
import type { Layout } from "../codegen/plan/layout.ts";
import { pascalCase } from "../codegen/plan/names.ts";
import type { Contract } from "./contract.ts";
import type { ServiceByInterface } from "./index/handler-types.ts";
import type { SyncState } from "./sync-state.ts";

/** Where things lie, by paths from one folder. */
export interface HandlerFolders {
  /** Of the handlers: `server/services`. */
  readonly root: string;
  /** Of the generated code: `generated`. */
  readonly generated: string;
  /** Folders of generated code that belong to other schemas. Imports from there are ignored. Default: none. */
  readonly otherGenerated?: readonly string[];
  /** The type of `ctx.host` in new handlers. Default: unknown. */
  readonly context?: ContextType;
  /** Of the generated code. */
  readonly layout: Layout;
  /** What imports end with where hand-written files do not decide it. Default ".ts". */
  readonly importEnding?: string;
}

/** A type that hand-written code exports. */
export interface ContextType {
  readonly name: string;
  /** The path of its module; undefined for a package. */
  readonly path?: string;
  /** What an import of the package says: `@acme/auth`. */
  readonly specifier: string;
}

/** `server/services/Marketplace/GetOrders.ts`: by the names on the wire, so that the contract leads to the code. */
export function handlerPath(root: string, service: string, method: string): string {
  return posix.join(root, fileName(service), `${fileName(method)}.ts`);
}

/** Of the file that holds all handlers, where nobody has one yet. */
export function registryPath(root: string): string {
  return posix.join(root, "handlers.ts");
}

function fileName(name: string): string {
  return /^[A-Za-z0-9_$-]+$/.test(name) ? name : pascalCase(name);
}

/** The generated folder as the record has it: from that of the handlers. */
export function fromRoot({ root, generated }: HandlerFolders): string {
  return posix.relative(root, generated) || ".";
}

/** `"../../generated/server/marketplace.ts"`, seen from a file. */
export function specifierTo(target: string, from: string): string {
  const path = posix.relative(posix.dirname(from), target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Tells imports of generated modules: those that lead into the folder, as it is called today or was at the last run, and by alias. */
export function generatedImports(
  project: HandlerFolders,
  record: SyncState | undefined,
): (path: string, specifier: string) => boolean {
  const folders = generatedFolders(project, record);
  const isForeign = foreignImports(project, record);
  return (path, specifier) => moduleOf(path, specifier, folders) !== undefined && !isForeign(path, specifier);
}

/** Recognises imports of the code that another schema generates. Of nested folders the innermost owns a module. */
export function foreignImports(
  folders: HandlerFolders,
  record: SyncState | undefined,
): (path: string, specifier: string) => boolean {
  const own = generatedFolders(folders, record);
  const others = (folders.otherGenerated ?? []).filter((folder) => !own.includes(folder));
  const innermostFirst = [...own, ...others].sort((a, b) => b.length - a.length);
  return (path, specifier) => {
    if (others.length === 0) return false;
    const found = moduleOf(path, specifier, innermostFirst);
    if (found === undefined) return false;
    // An alias such as "#api/server" names no folder: it is foreign where its name fits the folder of another schema alone.
    return found.folder === "" ? moduleOf(path, specifier, own) === undefined : others.includes(found.folder);
  };
}

export function generatedFolders(
  { root, generated }: HandlerFolders,
  record: SyncState | undefined,
): readonly string[] {
  const before = record === undefined ? generated : posix.join(root, record.generated);
  return before === generated ? [generated] : [generated, before];
}

/** The generated module that an import takes: `server/marketplace`, and what stands around it in the specifier. */
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

/** Services by the names that their interfaces have or had. */
export function serviceByInterface(contract: Contract, record: SyncState | undefined): ServiceByInterface {
  const contracts = record === undefined ? [contract] : [record.contract, contract];
  return new Map(
    contracts.flatMap(({ services }) =>
      Object.entries(services).map(([name, { handlers }]) => [handlers, name] as const),
    ),
  );
}

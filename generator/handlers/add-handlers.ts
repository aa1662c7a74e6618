import { posix } from "node:path";
import { propertyKey } from "../codegen/plan/names.ts";
import { type Diagnostic, diagnose } from "../language/diagnostics/diagnostic.ts";
import type { ContractMethod } from "./contract.ts";
import { methodKey } from "./find-renames.ts";
import { generatedSpecifier, handlerPath, registryPath, specifierTo } from "./folders.ts";
import {
  type HandlerContainer,
  isProductionCode,
  resolveImport,
  type TypeName,
} from "./index/handler-index.ts";
import { addImports, addMembers, type Edit, type Member } from "./insert.ts";
import type { UpdateTask } from "./task.ts";
import { type ImportedType, importHandler, importType, registryText, stubText } from "./written-code.ts";

export interface AddedHandlers {
  readonly edits: readonly Edit[];
  readonly files: ReadonlyMap<string, string>;
  readonly stubs: readonly string[];
  readonly findings: readonly Diagnostic[];
}

/** A method whose handler has to be registered. */
interface MissingHandler extends ContractMethod, ExistingHandler {
  readonly service: string;
  readonly method: string;
  /** Whether the handler is already written, and only has to be registered. */
  readonly exists: boolean;
}

/** Writes a stub for each method without a handler, and registers it next to the other handlers of its service. */
export function addHandlers(task: UpdateTask): AddedHandlers {
  const all = findMissing(task);
  const unwritten = all.filter(({ exists }) => !exists);
  const deleted = findDeletedFiles(task).filter(({ path }) => !unwritten.some((each) => each.path === path));
  const missing = [...unwritten, ...deleted];
  const { input } = task;
  const extension = importExtension(task);
  const files = new Map<string, string>();
  for (const { service, method, path, functionName, isStream = false } of missing) {
    const { handlers = "" } = input.contract.services[service] ?? {};
    const specifier = generatedSpecifier(input, "server", { from: path, extension });
    const context = contextFor(task, path, extension);
    files.set(path, stubText({ service, method, functionName, handlers, specifier, isStream, context }));
  }
  const registered = registerAll(task, all, extension);
  return {
    edits: registered.edits,
    files: new Map([...files, ...registered.files]),
    stubs: missing.map(({ service, method }) => methodKey(service, method)),
    findings: registered.findings,
  };
}

function findMissing(task: UpdateTask): MissingHandler[] {
  const { input, index } = task;
  const present = presentMethods(task);
  const containers = index.containers.filter(isProductionCode);
  return Object.entries(input.contract.services).flatMap(([service, { methods }]) => {
    const oldNames = oldServices(task, service);
    const own = containers.filter(
      (container) => container.service !== undefined && oldNames.includes(container.service),
    );
    return Object.entries(methods).flatMap(([method, details]): MissingHandler[] => {
      const path = handlerPath(input.root, service, method);
      if (
        own.some((container) => isRegistered(container, method, service, task)) ||
        !input.isChosen(service, method)
      )
        return [];
      const base = { ...details, service, method };
      if (!present.has(methodKey(service, method)) && !input.files.has(path))
        return [{ ...base, path, exportName: details.functionName, exists: false }];
      const written = findExistingHandler(task, { service, method, functionName: details.functionName });
      return written === undefined ? [] : [{ ...base, ...written, exists: true }];
    });
  });
}

/** Finds methods whose handler file was deleted but is still imported. */
function findDeletedFiles(task: UpdateTask): MissingHandler[] {
  const { input, index } = task;
  const imported = new Set<string>();
  for (const [from, { relativeImports }] of index.files)
    for (const { specifier } of relativeImports)
      imported.add(posix.join(posix.dirname(from), specifier).replace(/([.][cm]?[jt]s)?$/, ".ts"));
  return Object.entries(input.contract.services).flatMap(([service, { methods }]) =>
    Object.entries(methods).flatMap(([method, details]): MissingHandler[] => {
      const path = handlerPath(input.root, service, method);
      if (input.files.has(path) || !imported.has(path) || !input.isChosen(service, method)) return [];
      return [{ ...details, service, method, path, exportName: details.functionName, exists: false }];
    }),
  );
}

/** The methods that have a handler, under their new names if they were renamed. */
function presentMethods({ index, renames, input }: UpdateTask): ReadonlySet<string> {
  const present = new Set<string>();
  for (const { service, method, kind, isHandler } of index.references) {
    if (kind === "type" && !isHandler) continue;
    const to = renames.methods.get(methodKey(service, method)) ?? method;
    present.add(methodKey(renames.services.get(service) ?? service, to));
  }
  for (const [service, { methods }] of Object.entries(input.lastSync?.contract.services ?? {}))
    for (const method of Object.keys(methods)) {
      if (!input.files.has(handlerPath(input.root, service, method))) continue;
      const to = renames.methods.get(methodKey(service, method)) ?? method;
      present.add(methodKey(renames.services.get(service) ?? service, to));
    }
  return present;
}

/** Whether a container has the handler of a method. Assumes that a spread with unknown names contains the methods of the last run. */
function isRegistered(
  { names, hasUnknownNames }: HandlerContainer,
  method: string,
  service: string,
  { input }: UpdateTask,
): boolean {
  if (names.has(method)) return true;
  if (!hasUnknownNames) return false;
  return (
    input.lastSync === undefined || input.lastSync.contract.services[service]?.methods[method] !== undefined
  );
}

function oldServices({ renames }: UpdateTask, service: string): readonly string[] {
  return [service, ...[...renames.services].filter(([, to]) => to === service).map(([from]) => from)];
}

function registerAll(
  task: UpdateTask,
  missing: readonly MissingHandler[],
  extension: string,
): Omit<AddedHandlers, "stubs"> {
  const { index, input } = task;
  const containers = index.containers.filter(isProductionCode);
  const edits: Edit[] = [];
  const findings: Diagnostic[] = [];
  const byFile = new Map<string, FileRegistrations>();
  const unregistered: MissingHandler[] = [];
  const services = new Map<string, MissingHandler[]>();
  for (const each of missing) services.set(each.service, [...(services.get(each.service) ?? []), each]);
  const apiContainer = largest(containers.filter(({ service }) => service === undefined));
  const newServices: { readonly service: string; readonly methods: readonly MissingHandler[] }[] = [];
  for (const [service, methods] of services) {
    const oldNames = oldServices(task, service);
    const container = largest(
      containers.filter((each) => each.service !== undefined && oldNames.includes(each.service)),
    );
    if (container !== undefined)
      registrationsOf(byFile, container.path, task).add(container, methods, extension);
    else if (apiContainer !== undefined && !oldNames.some((name) => apiContainer.names.has(name)))
      newServices.push({ service, methods });
    else unregistered.push(...methods);
  }
  if (apiContainer !== undefined && newServices.length > 0)
    registrationsOf(byFile, apiContainer.path, task).addServices(apiContainer, newServices, extension);
  for (const path of contextPaths(task, extension)) registrationsOf(byFile, path, task).addContext(extension);
  for (const registrations of byFile.values()) edits.push(...registrations.edits());
  const registry = registryPath(input.root);
  const isFirst =
    containers.length === 0 && !input.files.has(registry) && unregistered.length === missing.length;
  if (isFirst && missing.length > 0)
    return { edits, findings, files: new Map([[registry, registryOf(task, unregistered, extension)]]) };
  for (const { service, method, path } of unregistered.filter(({ exists }) => !exists))
    findings.push(diagnose("unplaced-handler", { method: methodKey(service, method) }, { path }));
  return { edits, findings, files: new Map() };
}

function largest(containers: readonly HandlerContainer[]): HandlerContainer | undefined {
  return containers.toSorted((a, b) => b.names.size - a.names.size)[0];
}

function registrationsOf(
  byFile: Map<string, FileRegistrations>,
  path: string,
  task: UpdateTask,
): FileRegistrations {
  const registrations = byFile.get(path) ?? new FileRegistrations(path, task);
  byFile.set(path, registrations);
  return registrations;
}

/** The additions to one file: imports, and members of its containers. */
class FileRegistrations {
  readonly #path: string;
  readonly #text: string;
  readonly #task: UpdateTask;
  readonly #taken: Set<string>;
  readonly #imports: string[] = [];
  readonly #edits: Edit[] = [];

  constructor(path: string, task: UpdateTask) {
    this.#path = path;
    this.#task = task;
    this.#text = task.input.files.get(path) ?? "";
    this.#taken = new Set(task.index.files.get(path)?.identifiers);
  }

  add(container: HandlerContainer, methods: readonly MissingHandler[], extension: string): void {
    this.#edits.push(...addMembers(container, this.#members(container, methods, extension), this.#text));
  }

  addServices(
    container: HandlerContainer,
    services: readonly { readonly service: string; readonly methods: readonly MissingHandler[] }[],
    extension: string,
  ): void {
    const members = services.map(({ service, methods }) => {
      const inner = methods.map((each) => `${propertyKey(each.method)}: ${this.#import(each, extension)}`);
      return { name: service, value: `{ ${inner.join(", ")} }` };
    });
    this.#edits.push(...addMembers(container, members, this.#text));
  }

  /** Adds the missing type of `ctx.context`: `Handlers` → `Handlers<Caller>`. */
  addContext(extension: string): void {
    const context = contextFor(this.#task, this.#path, extension);
    const references = typesWithoutContext(this.#task, this.#path);
    if (context === undefined || references.length === 0) return;
    const local = this.#importContext(context);
    for (const { path, span } of references)
      this.#edits.push({ path, span: { start: span.end, end: span.end }, text: `<${local}>` });
  }

  #importContext(context: ImportedType): string {
    if (this.#taken.has(context.name) && hasContext(this.#task, this.#path)) return context.name;
    const { local, line } = importType(context, this.#taken);
    this.#imports.push(line);
    return local;
  }

  edits(): Edit[] {
    const facts = this.#task.index.files.get(this.#path);
    const imports = facts === undefined ? [] : addImports(this.#path, this.#imports, this.#text, facts);
    return [...imports, ...this.#edits];
  }

  #members({ kind }: HandlerContainer, methods: readonly MissingHandler[], extension: string): Member[] {
    return methods.map((each): Member => {
      const { method: name, exportName } = each;
      if (kind !== "module") return { name, value: this.#import(each, extension) };
      const specifier = JSON.stringify(this.#specifier(each, extension));
      return { name, value: `export { ${exportName} as ${name} } from ${specifier};` };
    });
  }

  /** Adds an import of the handler, and returns its local name. */
  #import(each: MissingHandler, extension: string): string {
    const handler = { ...each, specifier: this.#specifier(each, extension) };
    const { local, line } = importHandler(handler, this.#taken);
    this.#imports.push(line);
    return local;
  }

  #specifier({ path }: MissingHandler, extension: string): string {
    return specifierTo(this.#task.input, path, this.#path).replace(/[.]ts$/, extension);
  }
}

function registryOf(task: UpdateTask, missing: readonly MissingHandler[], extension: string): string {
  const { input } = task;
  const path = registryPath(input.root);
  return registryText({
    specifier: generatedSpecifier(input, "server", { from: path, extension }),
    context: contextFor(task, path, extension),
    handlers: missing.map(({ service, method, functionName, exportName, path: target }) => ({
      service,
      method,
      functionName,
      exportName,
      specifier: specifierTo(input, target, path).replace(/[.]ts$/, extension),
    })),
  });
}

/** The extension in most relative imports of hand-written files: `.ts`, `.js` or none. */
function importExtension({ index, input: { importSuffix = ".ts" } }: UpdateTask): string {
  const counts = new Map([[importSuffix, 0.5]]);
  for (const { relativeImports } of index.files.values())
    for (const { specifier } of relativeImports) {
      const extension = /[.][cm]?[jt]s$/.exec(specifier)?.[0] ?? "";
      counts.set(extension, (counts.get(extension) ?? 0) + 1);
    }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? importSuffix;
}

/** A handler that is already written. */
export interface ExistingHandler {
  readonly path: string;
  /** Its export name. */
  readonly exportName: string;
}

/**
 * Finds the handler of an unregistered method, by its declared type or its file. A handler that is already imported is skipped: it is
 * probably registered in a way that the index does not recognize.
 */
function findExistingHandler(
  { input, index }: UpdateTask,
  {
    service,
    method,
    functionName,
  }: { readonly service: string; readonly method: string; readonly functionName: string },
): ExistingHandler | undefined {
  const typed = index.references.find(
    (reference) =>
      reference.kind === "type" &&
      reference.isHandler &&
      reference.service === service &&
      reference.method === method,
  );
  const path = typed?.path ?? handlerPath(input.root, service, method);
  const { exports = new Set<string>() } = index.files.get(path) ?? {};
  const [only, ...others] = exports;
  const exportName =
    typed?.exportName ??
    [functionName, method].find((name) => exports.has(name)) ??
    (others.length === 0 ? only : undefined);
  return exportName === undefined || isImported(path, { input, index }) ? undefined : { path, exportName };
}

function isImported(path: string, { input, index }: Pick<UpdateTask, "input" | "index">): boolean {
  return [...index.files].some(([from, { relativeImports }]) =>
    relativeImports.some(
      ({ specifier }) => resolveImport(from, specifier, (each) => input.files.has(each)) === path,
    ),
  );
}

/** The type of `ctx.context`, with the module specifier for imports from a file. */
function contextFor({ input }: UpdateTask, from: string, extension: string): ImportedType | undefined {
  if (input.context === undefined) return undefined;
  const { name, path, specifier } = input.context;
  return {
    name,
    specifier: path === undefined ? specifier : specifierTo(input, path, from).replace(/[.]ts$/, extension),
  };
}

/** The files to which the type of `ctx.context` is added: those with handler containers, and unedited stubs. */
function contextPaths(task: UpdateTask, extension: string): ReadonlySet<string> {
  const { input, index } = task;
  if (input.context === undefined) return new Set();
  const containers = index.containers.filter(isProductionCode).map(({ path }) => path);
  const stubs = Object.entries(input.contract.services).flatMap(([service, { handlers, methods }]) =>
    Object.entries(methods).flatMap(([method, { functionName, isStream = false }]) => {
      const path = handlerPath(input.root, service, method);
      const specifier = generatedSpecifier(input, "server", { from: path, extension });
      const stub = { service, method, functionName, handlers, specifier, isStream, context: undefined };
      return input.files.get(path) === stubText(stub) ? [path] : [];
    }),
  );
  return new Set([...containers, ...stubs]);
}

/** The references of a file to handler types, such as `Handlers`, that have no type argument. */
function typesWithoutContext({ input, index }: UpdateTask, path: string): readonly TypeName[] {
  const text = input.files.get(path) ?? "";
  const handlerTypes = new Set([
    "Handlers",
    ...Object.values(input.contract.services).map((each) => each.handlers),
  ]);
  const imported = index.imports.filter((each) => each.path === path).flatMap(({ names }) => names);
  const names = new Set(imported.flatMap(({ name, isAliased }) => (isAliased ? [] : [name])));
  return index.typeNames.filter(
    (each) =>
      each.path === path &&
      each.isReference &&
      handlerTypes.has(each.name) &&
      names.has(each.name) &&
      !/^\s*</.test(text.slice(each.span.end)),
  );
}

/** Whether a file declares the type of `ctx.context`, or imports it. */
function hasContext({ input, index }: UpdateTask, path: string): boolean {
  const { context } = input;
  if (context === undefined) return false;
  if (context.path === undefined) {
    const text = input.files.get(path) ?? "";
    return [`"${context.specifier}"`, `'${context.specifier}'`].some((quoted) => text.includes(quoted));
  }
  const { relativeImports = [] } = index.files.get(path) ?? {};
  return (
    context.path === path ||
    relativeImports.some(
      ({ specifier }) => resolveImport(path, specifier, (each) => each === context.path) !== undefined,
    )
  );
}

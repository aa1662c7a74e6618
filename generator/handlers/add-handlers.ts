import { posix } from "node:path";
import { moduleIn } from "../codegen/plan/layout.ts";
import { propertyKey } from "../codegen/plan/names.ts";
import { type Diagnostic, diagnose } from "../language/diagnostics/diagnostic.ts";
import { contextFor, contextPaths, hasContext, typesWithoutContext } from "./context-type.ts";
import type { ContractMethod } from "./contract.ts";
import type { Edit } from "./edits.ts";
import { handlerPath, registryPath, specifierTo } from "./folders.ts";
import { addImports, addMembers, type Member } from "./insert.ts";
import { methodKey } from "./renames.ts";
import { type ImportedType, importHandler, importType, registryText, stubText } from "./stub.ts";
import { type Home, isForUse } from "./survey/survey.ts";
import type { Task } from "./task.ts";
import { findWritten, type WrittenHandler } from "./written.ts";

export interface Added {
  readonly edits: readonly Edit[];
  readonly files: ReadonlyMap<string, string>;
  readonly stubs: readonly string[];
  readonly findings: readonly Diagnostic[];
}

/** A method whose handler is to be put where the others are. */
interface Missing extends ContractMethod, WrittenHandler {
  readonly service: string;
  readonly method: string;
  /** Whether somebody has written it already. */
  readonly isWritten: boolean;
}

/** Writes a file for each method without a handler, and puts it where the others of its service are gathered. */
export function addHandlers(task: Task): Added {
  const all = findMissing(task);
  const fresh = all.filter(({ isWritten }) => !isWritten);
  const lost = findLost(task).filter(({ path }) => !fresh.some((each) => each.path === path));
  const missing = [...fresh, ...lost];
  const { input } = task;
  const extension = importExtension(task);
  const files = new Map<string, string>();
  for (const { service, method, path, functionName, isStream = false } of missing) {
    const { handlers = "", module = "" } = input.contract.services[service] ?? {};
    const specifier = specifierTo(posix.join(input.generated, module), path) + extension;
    const context = contextFor(task, path, extension);
    files.set(path, stubText({ service, method, functionName, handlers, specifier, isStream, context }));
  }
  const placed = placeAll(task, all, extension);
  return {
    edits: placed.edits,
    files: new Map([...files, ...placed.files]),
    stubs: missing.map(({ service, method }) => methodKey(service, method)),
    findings: placed.findings,
  };
}

function findMissing(task: Task): Missing[] {
  const { input, survey } = task;
  const present = presentMethods(task);
  const homes = survey.homes.filter(isForUse);
  return Object.entries(input.contract.services).flatMap(([service, { methods }]) => {
    const oldNames = oldServices(task, service);
    const own = homes.filter((home) => home.service !== undefined && oldNames.includes(home.service));
    return Object.entries(methods).flatMap(([method, about]): Missing[] => {
      const path = handlerPath(input.root, service, method);
      if (own.some((home) => isIn(home, method, service, task)) || !input.isChosen(service, method))
        return [];
      const base = { ...about, service, method };
      if (!present.has(methodKey(service, method)) && !input.files.has(path))
        return [{ ...base, path, exportName: about.functionName, isWritten: false }];
      const written = findWritten(task, { service, method, functionName: about.functionName });
      return written === undefined ? [] : [{ ...base, ...written, isWritten: true }];
    });
  });
}

/** Methods whose file is gone, and is still imported where the handlers of their service are gathered. */
function findLost(task: Task): Missing[] {
  const { input, survey } = task;
  const imported = new Set<string>();
  for (const [from, { relativeImports }] of survey.files)
    for (const { specifier } of relativeImports)
      imported.add(posix.join(posix.dirname(from), specifier).replace(/([.][cm]?[jt]s)?$/, ".ts"));
  return Object.entries(input.contract.services).flatMap(([service, { methods }]) =>
    Object.entries(methods).flatMap(([method, about]): Missing[] => {
      const path = handlerPath(input.root, service, method);
      if (input.files.has(path) || !imported.has(path) || !input.isChosen(service, method)) return [];
      return [{ ...about, service, method, path, exportName: about.functionName, isWritten: false }];
    }),
  );
}

/** Also under their old names, which are about to be changed. */
function presentMethods({ survey, renames, input }: Task): ReadonlySet<string> {
  const present = new Set<string>();
  for (const { service, method, kind, isHandler } of survey.sites) {
    if (kind === "type" && !isHandler) continue;
    const to = renames.methods.get(methodKey(service, method)) ?? method;
    present.add(methodKey(renames.services.get(service) ?? service, to));
  }
  for (const [service, { methods }] of Object.entries(input.record?.contract.services ?? {}))
    for (const method of Object.keys(methods)) {
      if (!input.files.has(handlerPath(input.root, service, method))) continue;
      const to = renames.methods.get(methodKey(service, method)) ?? method;
      present.add(methodKey(renames.services.get(service) ?? service, to));
    }
  return present;
}

/** Behind a spread that cannot be followed stands what was there at the last run; before the first, anything may. */
function isIn({ names, isOpen }: Home, method: string, service: string, { input }: Task): boolean {
  if (names.has(method)) return true;
  if (!isOpen) return false;
  return input.record === undefined || input.record.contract.services[service]?.methods[method] !== undefined;
}

function oldServices({ renames }: Task, service: string): readonly string[] {
  return [service, ...[...renames.services].filter(([, to]) => to === service).map(([from]) => from)];
}

function placeAll(task: Task, missing: readonly Missing[], extension: string): Omit<Added, "stubs"> {
  const { survey, input } = task;
  const homes = survey.homes.filter(isForUse);
  const edits: Edit[] = [];
  const findings: Diagnostic[] = [];
  const byFile = new Map<string, Wiring>();
  const unplaced: Missing[] = [];
  const services = new Map<string, Missing[]>();
  for (const each of missing) services.set(each.service, [...(services.get(each.service) ?? []), each]);
  const whole = best(homes.filter(({ service }) => service === undefined));
  const newServices: { readonly service: string; readonly methods: readonly Missing[] }[] = [];
  for (const [service, methods] of services) {
    const oldNames = oldServices(task, service);
    const home = best(homes.filter((each) => each.service !== undefined && oldNames.includes(each.service)));
    if (home !== undefined) wiringOf(byFile, home.path, task).add(home, methods, extension);
    else if (whole !== undefined && !oldNames.some((name) => whole.names.has(name)))
      newServices.push({ service, methods });
    else unplaced.push(...methods);
  }
  if (whole !== undefined && newServices.length > 0)
    wiringOf(byFile, whole.path, task).addServices(whole, newServices, extension);
  for (const path of contextPaths(task, extension)) wiringOf(byFile, path, task).addContext(extension);
  for (const wiring of byFile.values()) edits.push(...wiring.edits());
  const registry = registryPath(input.root);
  const isFirst = homes.length === 0 && !input.files.has(registry) && unplaced.length === missing.length;
  if (isFirst && missing.length > 0)
    return { edits, findings, files: new Map([[registry, registryOf(task, unplaced, extension)]]) };
  for (const { service, method, path } of unplaced.filter(({ isWritten }) => !isWritten))
    findings.push(diagnose("unplaced-handler", { method: methodKey(service, method) }, { path }));
  return { edits, findings, files: new Map() };
}

function best(homes: readonly Home[]): Home | undefined {
  return homes.toSorted((a, b) => b.names.size - a.names.size)[0];
}

function wiringOf(byFile: Map<string, Wiring>, path: string, task: Task): Wiring {
  const wiring = byFile.get(path) ?? new Wiring(path, task);
  byFile.set(path, wiring);
  return wiring;
}

/** What is added to one file: imports at its top, members in its objects. */
class Wiring {
  readonly #path: string;
  readonly #text: string;
  readonly #task: Task;
  readonly #taken: Set<string>;
  readonly #imports: string[] = [];
  readonly #edits: Edit[] = [];

  constructor(path: string, task: Task) {
    this.#path = path;
    this.#task = task;
    this.#text = task.input.files.get(path) ?? "";
    this.#taken = new Set(task.survey.files.get(path)?.identifiers);
  }

  add(home: Home, methods: readonly Missing[], extension: string): void {
    this.#edits.push(...addMembers(home, this.#members(home, methods, extension), this.#text));
  }

  addServices(
    home: Home,
    services: readonly { readonly service: string; readonly methods: readonly Missing[] }[],
    extension: string,
  ): void {
    const members = services.map(({ service, methods }) => {
      const inner = methods.map((each) => `${propertyKey(each.method)}: ${this.#import(each, extension)}`);
      return { name: service, value: `{ ${inner.join(", ")} }` };
    });
    this.#edits.push(...addMembers(home, members, this.#text));
  }

  /** Names the type of `ctx.host` where handlers have none: `Handlers` → `Handlers<Caller>`. */
  addContext(extension: string): void {
    const context = contextFor(this.#task, this.#path, extension);
    const open = typesWithoutContext(this.#task, this.#path);
    if (context === undefined || open.length === 0) return;
    const local = this.#importContext(context);
    for (const { path, span } of open)
      this.#edits.push({ path, span: { start: span.end, end: span.end }, text: `<${local}>` });
  }

  #importContext(context: ImportedType): string {
    if (this.#taken.has(context.name) && hasContext(this.#task, this.#path)) return context.name;
    const { local, line } = importType(context, this.#taken);
    this.#imports.push(line);
    return local;
  }

  edits(): Edit[] {
    const notes = this.#task.survey.files.get(this.#path);
    const imports = notes === undefined ? [] : addImports(this.#path, this.#imports, this.#text, notes);
    return [...imports, ...this.#edits];
  }

  #members({ kind }: Home, methods: readonly Missing[], extension: string): Member[] {
    return methods.map((each): Member => {
      const { method: name, exportName } = each;
      if (kind !== "module") return { name, value: this.#import(each, extension) };
      const specifier = JSON.stringify(this.#specifier(each, extension));
      return { name, value: `export { ${exportName} as ${name} } from ${specifier};` };
    });
  }

  /** Imports the handler, and answers what it is called here. */
  #import(each: Missing, extension: string): string {
    const handler = { ...each, specifier: this.#specifier(each, extension) };
    const { local, line } = importHandler(handler, this.#taken);
    this.#imports.push(line);
    return local;
  }

  #specifier({ path }: Missing, extension: string): string {
    return specifierTo(path, this.#path).replace(/[.]ts$/, extension);
  }
}

function registryOf(task: Task, missing: readonly Missing[], extension: string): string {
  const { input } = task;
  const path = registryPath(input.root);
  return registryText({
    specifier:
      specifierTo(posix.join(input.generated, moduleIn("server/index", input.layout)), path) + extension,
    context: contextFor(task, path, extension),
    handlers: missing.map(({ service, method, functionName, exportName, path: target }) => ({
      service,
      method,
      functionName,
      exportName,
      specifier: specifierTo(target, path).replace(/[.]ts$/, extension),
    })),
  });
}

/** `.ts`, `.js` or nothing, as hand-written files import their like. */
function importExtension({ survey, input: { importEnding = ".ts" } }: Task): string {
  const counts = new Map([[importEnding, 0.5]]);
  for (const { relativeImports } of survey.files.values())
    for (const { specifier } of relativeImports) {
      const extension = /[.][cm]?[jt]s$/.exec(specifier)?.[0] ?? "";
      counts.set(extension, (counts.get(extension) ?? 0) + 1);
    }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? importEnding;
}

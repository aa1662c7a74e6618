import { type Diagnostic, diagnose, type Location, type Note } from "../language/diagnostics/diagnostic.ts";
import { SourceFile } from "../language/source/source-file.ts";
import type { Span } from "../language/source/span.ts";
import { addHandlers } from "./add-handlers.ts";
import { applyRenames } from "./apply-renames.ts";
import type { ContractService, HandlersContract } from "./contract.ts";
import { findRenames, methodKey, type Renames } from "./find-renames.ts";
import {
  foreignImports,
  generatedFromHandlers,
  generatedImports,
  handlerPath,
  serviceByInterface,
} from "./folders.ts";
import { buildHandlerIndex } from "./index/build-index.ts";
import type { HandlerIndex, HandlerReference, TsMorph } from "./index/handler-index.ts";
import { parseFiles } from "./index/parse-files.ts";
import { applyEdits, distinctEdits, type Edit } from "./insert.ts";
import { writeSyncState } from "./sync-state.ts";
import type { UpdateInput } from "./task.ts";

export interface HandlersUpdate {
  /** New contents of the changed files, by their old path. */
  readonly changed: ReadonlyMap<string, string>;
  readonly added: ReadonlyMap<string, string>;
  /** Maps old paths to new paths. The contents of a moved file may change, too. */
  readonly moved: ReadonlyMap<string, string>;
  /** Text of the new sync state; undefined if nothing may be written. */
  readonly syncState: string | undefined;
  readonly findings: readonly Diagnostic[];
  /** Methods that got a new stub, such as `Marketplace.GetOrders`. */
  readonly stubs: readonly string[];
}

/**
 * Updates hand-written handlers to the current schema: follows renames, and adds a stub for each method without a handler. Nothing else in
 * a file changes, and nothing is ever removed.
 */
export function updateHandlers(input: UpdateInput, morph: TsMorph): HandlersUpdate {
  const { files, contract, lastSync, root } = input;
  const index = indexHandlers(input, morph);
  const errors = findSyntaxErrors(index, files);
  if (errors.length > 0) return { ...noChanges, findings: errors };
  const before = lastSync?.contract ?? withoutMethods(contract);
  const renames = findRenames(before, contract);
  const renamed = applyRenames({ input, index, renames });
  const added = addHandlers({ input, index, renames });
  const search = { index, renames, before, now: contract, files, root };
  const referenced = referencedMethods(search);
  return {
    changed: editedTexts(distinctEdits([...renamed.edits, ...added.edits]), files),
    added: added.files,
    moved: renamed.moved,
    syncState: writeSyncState({
      generated: generatedFromHandlers(input),
      contract: withOrphans(contract, { before, renames, referenced }),
    }),
    findings: [...findDuplicateHandlers(index, files), ...findOrphans(search), ...added.findings],
    stubs: added.stubs,
  };
}

/** Indexes the references of hand-written code to the schema. */
export function indexHandlers(input: Omit<UpdateInput, "isChosen">, morph: TsMorph): HandlerIndex {
  const { files, contract, lastSync } = input;
  const interfaces = serviceByInterface(contract, lastSync);
  const isGenerated = generatedImports(input, lastSync);
  const isForeign = foreignImports(input, lastSync);
  return buildHandlerIndex(parseFiles({ files, interfaces, isGenerated, isForeign }, morph), morph);
}

const noChanges: Omit<HandlersUpdate, "findings"> = {
  changed: new Map(),
  added: new Map(),
  moved: new Map(),
  syncState: undefined,
  stubs: [],
};

function editedTexts(edits: readonly Edit[], files: UpdateInput["files"]): ReadonlyMap<string, string> {
  const byPath = new Map<string, Edit[]>();
  for (const edit of edits) byPath.set(edit.path, [...(byPath.get(edit.path) ?? []), edit]);
  return new Map([...byPath].map(([path, list]) => [path, applyEdits(files.get(path) ?? "", list)]));
}

/** Stands for the previous contract on the first run. It has no methods, so that only @renamedFrom marks renames. */
function withoutMethods({ services, types }: HandlersContract): HandlersContract {
  const emptied = Object.entries(services).map(
    ([name, service]) => [name, { ...service, methods: {} }] as const,
  );
  return { services: Object.fromEntries(emptied), types };
}

/** Keeps removed methods that still have handlers in the sync state, so the next run reports them again and can detect a rename. */
function withOrphans(
  now: HandlersContract,
  {
    before,
    renames,
    referenced,
  }: { before: HandlersContract; renames: Renames; referenced: ReadonlySet<string> },
): HandlersContract {
  const services: Record<string, ContractService> = { ...now.services };
  for (const [name, old] of Object.entries(before.services)) {
    const current = now.services[renames.services.get(name) ?? name];
    const orphaned = Object.entries(old.methods).filter(([method]) => {
      const key = methodKey(name, method);
      return referenced.has(key) && !renames.methods.has(key) && current?.methods[method] === undefined;
    });
    if (orphaned.length === 0) continue;
    const base = services[name] ?? old;
    services[name] = { ...base, methods: { ...services[name]?.methods, ...Object.fromEntries(orphaned) } };
  }
  return { services, types: now.types };
}

type Files = ReadonlyMap<string, string>;

/** Reports the first syntax error of each file. */
function findSyntaxErrors({ syntaxErrors }: HandlerIndex, files: Files): Diagnostic[] {
  const first = new Map(syntaxErrors.toReversed().map((error) => [error.path, error]));
  return [...first.values()]
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, span, message }) => diagnose("handler-syntax", { reason: message }, at(path, span, files)));
}

/** Reports methods with handlers in two files. */
function findDuplicateHandlers({ references }: HandlerIndex, files: Files): Diagnostic[] {
  const first = new Map<string, HandlerReference>();
  return references.flatMap((reference): Diagnostic[] => {
    if (reference.kind !== "type" || !reference.isHandler) return [];
    const key = methodKey(reference.service, reference.method);
    const other = first.get(key);
    if (other === undefined) first.set(key, reference);
    if (other === undefined || other.path === reference.path) return [];
    const note: Note = { message: "The other handler is here.", at: at(other.path, other.span, files) };
    return [
      diagnose("two-handlers", { method: key }, at(reference.path, reference.span, files), { notes: [note] }),
    ];
  });
}

export interface OrphanSearch {
  readonly index: HandlerIndex;
  readonly renames: Renames;
  readonly before: HandlersContract;
  readonly now: HandlersContract;
  readonly files: Files;
  readonly root: string;
}

/** Reports handlers of removed methods and services. */
function findOrphans(search: OrphanSearch): Diagnostic[] {
  const { renames, before, now } = search;
  const locations = handlerLocations(search);
  const reported = new Set<string>();
  return [...locations].flatMap(([key, [first, ...others]]): Diagnostic[] => {
    if (first === undefined || renames.methods.has(key)) return [];
    const { service, method } = first;
    const current = now.services[renames.services.get(service) ?? service];
    if (current?.methods[method] !== undefined) return [];
    // Other members of a class, or exports of a module, are not handlers.
    if (first.kind !== "type" && before.services[service]?.methods[method] === undefined) return [];
    const notes = others.map(
      ({ location }): Note => ({ message: "The handler is also used here.", at: location }),
    );
    if (current !== undefined) return [orphan(first, notes)];
    if (reported.has(service)) return [];
    reported.add(service);
    return [diagnose("orphan-service", { service }, first.location)];
  });
}

function orphan({ service, method, location }: HandlerLocation, notes: readonly Note[]): Diagnostic {
  const advice = `Remove the handler, or, if another method replaced "${method}", add @renamedFrom:${method} to that method.`;
  return diagnose("orphan-handler", { method: methodKey(service, method) }, location, { notes, advice });
}

/** Keys of all methods that hand-written code refers to. */
function referencedMethods(search: OrphanSearch): ReadonlySet<string> {
  return new Set(handlerLocations(search).keys());
}

interface HandlerLocation {
  readonly service: string;
  readonly method: string;
  readonly kind: HandlerReference["kind"] | "file";
  readonly location: Location;
}

function handlerLocations({
  index,
  before,
  files,
  root,
}: OrphanSearch): ReadonlyMap<string, readonly HandlerLocation[]> {
  const locations = new Map<string, HandlerLocation[]>();
  const add = (found: HandlerLocation): void => {
    const key = methodKey(found.service, found.method);
    locations.set(key, [...(locations.get(key) ?? []), found]);
  };
  for (const { service, method, kind, path, span } of index.references)
    add({ service, method, kind, location: at(path, span, files) });
  for (const [service, { methods }] of Object.entries(before.services))
    for (const method of Object.keys(methods)) {
      const path = handlerPath(root, service, method);
      if (files.has(path) && !locations.has(methodKey(service, method)))
        add({ service, method, kind: "file", location: at(path, { start: 0, end: 0 }, files) });
    }
  return locations;
}

function at(path: string, span: Span, files: Files): Location {
  return { file: new SourceFile(path, files.get(path) ?? ""), span };
}

import type { Diagnostic } from "../language/diagnostics/diagnostic.ts";
import { addHandlers } from "./add-handlers.ts";
import { applyRenames } from "./apply-renames.ts";
import type { Contract, ContractService } from "./contract.ts";
import { findRenames, methodKey, type Renames } from "./find-renames.ts";
import { findDuplicateHandlers, findOrphans, findSyntaxErrors, referencedMethods } from "./findings.ts";
import { foreignImports, generatedFromHandlers, generatedImports, serviceByInterface } from "./folders.ts";
import { buildHandlerIndex } from "./index/build-index.ts";
import type { HandlerIndex, TsMorph } from "./index/handler-index.ts";
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
function withoutMethods({ services, types }: Contract): Contract {
  const emptied = Object.entries(services).map(
    ([name, service]) => [name, { ...service, methods: {} }] as const,
  );
  return { services: Object.fromEntries(emptied), types };
}

/** Keeps removed methods that still have handlers in the sync state, so the next run reports them again and can detect a rename. */
function withOrphans(
  now: Contract,
  { before, renames, referenced }: { before: Contract; renames: Renames; referenced: ReadonlySet<string> },
): Contract {
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

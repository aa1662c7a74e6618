import type { Diagnostic } from "../language/diagnostics/diagnostic.ts";
import { addHandlers } from "./add-handlers.ts";
import type { Contract, ContractService } from "./contract.ts";
import { applyEdits, distinctEdits, type Edit } from "./edits.ts";
import { findDuplicateHandlers, findOrphans, findSyntaxErrors, orphanKeys } from "./findings.ts";
import { foreignImports, fromRoot, generatedImports, serviceByInterface } from "./folders.ts";
import { followRenames } from "./follow-renames.ts";
import { buildHandlerIndex } from "./index/build-index.ts";
import type { HandlerIndex, TsMorph } from "./index/handler-index.ts";
import { parseFiles } from "./index/parse-files.ts";
import { findRenames, methodKey, type Renames } from "./renames.ts";
import { writeSyncState } from "./sync-state.ts";
import type { MergeInput } from "./task.ts";

export interface Merge {
  /** New texts of files that change, by their old path. */
  readonly changed: ReadonlyMap<string, string>;
  readonly added: ReadonlyMap<string, string>;
  /** Old path to new one; the text may change too. */
  readonly moved: ReadonlyMap<string, string>;
  /** Text of the record; undefined if nothing may be written. */
  readonly syncState: string | undefined;
  readonly findings: readonly Diagnostic[];
  /** Methods that got a new file, as `Marketplace.GetOrders`. */
  readonly stubs: readonly string[];
}

/**
 * Brings hand-written handlers in line with the schema: names of generated things are followed where they changed, and methods
 * without a handler get one. Nothing else of a file changes, and nothing is ever taken out of one.
 */
export function mergeHandlers(input: MergeInput, morph: TsMorph): Merge {
  const { files, contract, lastSync, root } = input;
  const index = indexHandlers(input, morph);
  const faults = findSyntaxErrors(index, files);
  if (faults.length > 0) return { ...nothing, findings: faults };
  const before = lastSync?.contract ?? withoutMethods(contract);
  const renames = findRenames(before, contract);
  const followed = followRenames({ input, index, renames });
  const added = addHandlers({ input, index, renames });
  const search = { index, renames, before, now: contract, files, root };
  const orphans = orphanKeys(search);
  return {
    changed: editedTexts(distinctEdits([...followed.edits, ...added.edits]), files),
    added: added.files,
    moved: followed.moved,
    syncState: writeSyncState({
      generated: fromRoot(input),
      contract: withOrphans(contract, { before, renames, orphans }),
    }),
    findings: [...findDuplicateHandlers(index, files), ...findOrphans(search), ...added.findings],
    stubs: added.stubs,
  };
}

/** Where hand-written code speaks of the schema. */
export function indexHandlers(input: Omit<MergeInput, "isChosen">, morph: TsMorph): HandlerIndex {
  const { files, contract, lastSync } = input;
  const vocabulary = serviceByInterface(contract, lastSync);
  const isGenerated = generatedImports(input, lastSync);
  const isForeign = foreignImports(input, lastSync);
  return buildHandlerIndex(parseFiles({ files, vocabulary, isGenerated, isForeign }, morph), morph);
}

const nothing: Omit<Merge, "findings"> = {
  changed: new Map(),
  added: new Map(),
  moved: new Map(),
  syncState: undefined,
  stubs: [],
};

function editedTexts(edits: readonly Edit[], files: MergeInput["files"]): ReadonlyMap<string, string> {
  const byPath = new Map<string, Edit[]>();
  for (const edit of edits) byPath.set(edit.path, [...(byPath.get(edit.path) ?? []), edit]);
  return new Map([...byPath].map(([path, list]) => [path, applyEdits(files.get(path) ?? "", list)]));
}

/** Of a project that was never brought in line: nothing in it can have had another name, save where the schema says so. */
function withoutMethods({ services, types }: Contract): Contract {
  const emptied = Object.entries(services).map(
    ([name, service]) => [name, { ...service, methods: {} }] as const,
  );
  return { services: Object.fromEntries(emptied), types };
}

/** What is gone from the schema and not from the code is remembered, so that it is told again and known again. */
function withOrphans(
  now: Contract,
  { before, renames, orphans }: { before: Contract; renames: Renames; orphans: ReadonlySet<string> },
): Contract {
  const services: Record<string, ContractService> = { ...now.services };
  for (const [name, old] of Object.entries(before.services)) {
    const today = now.services[renames.services.get(name) ?? name];
    const left = Object.entries(old.methods).filter(([method]) => {
      const key = methodKey(name, method);
      return orphans.has(key) && !renames.methods.has(key) && today?.methods[method] === undefined;
    });
    if (left.length === 0) continue;
    const base = services[name] ?? old;
    services[name] = { ...base, methods: { ...services[name]?.methods, ...Object.fromEntries(left) } };
  }
  return { services, types: now.types };
}

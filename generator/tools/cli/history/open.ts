import { filterModel } from "../../../codegen/plan/filter.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { type Diagnostic, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import {
  type CurrentContract,
  contractText,
  currentContract,
  type KeptVersion,
  readHistory,
} from "../../../language/history.ts";
import type { Model } from "../../../language/model/model.ts";
import { withoutIgnored } from "../../../verify/breaking/ignored.ts";
import {
  type ContractChanges,
  changesBetween,
  nextVersion,
  type Release,
  releaseOf,
} from "../../../verify/breaking/release.ts";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";

/** A schema and its kept versions. */
export interface OpenHistory {
  readonly schema: Schema;
  readonly folder: string;
  readonly current: CurrentContract;
  readonly compiled: CompiledSchema;
  readonly model: Model;
  /** Oldest first. */
  readonly versions: readonly KeptVersion[];
}

/** Compiles the schema and reads its history. Without `history`, there are errors. */
export function openHistory(
  schema: Schema,
  folder: string,
  { reader }: Pick<CommandCall, "reader">,
): { readonly history?: OpenHistory; readonly diagnostics: readonly Diagnostic[] } {
  const { path, strict, filter } = schema;
  // Warnings about the schema itself are reported by lint.
  const { result, diagnostics } = compile(path, reader, { ...schema, errorsOnly: !strict });
  if (result === undefined) return { diagnostics };
  const current = currentContract(path, result, filter);
  const read = readHistory(folder, reader, current);
  const all = [...diagnostics, ...(strict ? read.diagnostics.map(underStrict) : read.diagnostics)];
  if (all.some(({ severity }) => severity === "error")) return { diagnostics: all };
  const model = filterModel(result.model, { ...filter, methodTreeShake: false });
  return {
    history: { schema, folder, current, compiled: result, model, versions: read.versions },
    diagnostics: all,
  };
}

/** The changes of the schema that are not kept. */
export interface ChangesSince {
  readonly version: string;
  readonly changes: ContractChanges;
  readonly release: Release;
  /** The lowest version that semantic versioning allows. */
  readonly next: string;
}

/** Undefined if there are none, or no version to compare with. */
export function changesSinceLatest(history: OpenHistory): ChangesSince | undefined {
  const latest = history.versions.at(-1);
  if (latest === undefined || !isUnreleased(history)) return undefined;
  const changes = currentChanges(latest, history);
  const release = releaseOf(changes);
  return { version: latest.version, changes, release, next: nextVersion(latest.version, release) ?? "" };
}

/** Comments in the schema may ignore findings. */
export function currentChanges(
  { compiled: before }: KeptVersion,
  { compiled, model }: OpenHistory,
): ContractChanges {
  return changesBetween(before.model, model, (findings) => withoutIgnored(findings, compiled.scopes));
}

/** Whether the contract of the schema is not that of the latest version. */
export function isUnreleased({ versions, current }: OpenHistory): boolean {
  const latest = versions.at(-1);
  return latest === undefined || contractText(latest.compiled.ir) !== contractText(current.ir);
}

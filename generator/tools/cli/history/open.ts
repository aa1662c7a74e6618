import { posix } from "node:path";
import { filterModel } from "../../../codegen/plan/filter.ts";
import { type CompiledSchema, compile, errorsOf } from "../../../language/compile.ts";
import { type Diagnostic, diagnose, underStrict } from "../../../language/diagnostics/diagnostic.ts";
import {
  type CurrentContract,
  contractText,
  currentContract,
  type History,
  isLatest,
  type KeptVersion,
  readHistory,
} from "../../../language/history.ts";
import { keptSuffix, latestFile } from "../../../language/history-files.ts";
import { printDifference } from "../../../language/ir/difference.ts";
import { writeIr } from "../../../language/ir/write.ts";
import type { Model } from "../../../language/model/model.ts";
import { parseVersion } from "../../../language/semantic-version.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { withoutIgnored } from "../../../verify/breaking/findings.ts";
import {
  type ContractChanges,
  changesBetween,
  isHighEnough,
  nextVersion,
  type Release,
  releaseOf,
} from "../../../verify/breaking/release.ts";
import type { CommandCall } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import { overwriteFile } from "../files/write-files.ts";

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
  const compilation = compile(path, reader, schema);
  const { result } = compilation;
  const diagnostics = errorsOf(compilation);
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

export interface AddResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the version was rejected. */
  readonly state?: "added" | "unchanged";
  readonly path: string;
}

/**
 * Keeps the contract of the schema as the latest version. The one before moves to a file of its own, as its difference from
 * the new one.
 */
export async function addVersion(
  history: OpenHistory,
  since: ChangesSince | undefined,
  cwd: string,
): Promise<AddResult> {
  const { current, folder, versions, schema } = history;
  const { version } = current.ir;
  const path = posix.join(folder, latestFile);
  const kept = versions.find(({ isCurrent }) => isCurrent);
  if (kept !== undefined)
    return since === undefined
      ? { diagnostics: [], state: "unchanged", path: kept.path }
      : { diagnostics: [differing(since, history)], path: kept.path };
  if (parseVersion(version) === undefined)
    return { diagnostics: [diagnose("history-version", { version }, current.at)], path };
  const low = tooLow(since, history);
  const diagnostics = low === undefined ? [] : [schema.strict ? underStrict(low) : low];
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics, path };
  const text = writeIr(current.ir);
  for (const file of [...(await latestAsDifference(history, { version, text })), { path, text }]) {
    const reason = overwriteFile(file.path, file.text, cwd);
    if (reason !== undefined)
      return {
        diagnostics: [diagnose("cannot-write", { path: file.path, reason }, { path: file.path })],
        path,
      };
  }
  return { diagnostics, state: "added", path };
}

async function latestAsDifference(
  { versions, folder }: OpenHistory,
  next: { readonly version: string; readonly text: string },
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const latest = versions.find((one) => isLatest(one.path));
  if (latest === undefined) return [];
  const { diffArrays } = await import("diff");
  const { text: whole } = latest.compiled.scope.file.source;
  const text = printDifference(whole, next, diffArrays);
  const path = posix.join(folder, `${latest.version}${keptSuffix}`);
  return [{ path, text: text.length < whole.length ? text : whole }];
}

/** A warning elsewhere, because the schema may be between two versions. */
function differing({ version, next }: ChangesSince, { current }: OpenHistory): Diagnostic {
  const advice = `Set the version of the schema to ${next} or higher: clients with ${version} rely on its contract.`;
  return underStrict(diagnose("history-contract-differs", { version }, current.at, { advice }));
}

function tooLow(since: ChangesSince | undefined, { current }: OpenHistory): Diagnostic | undefined {
  const { version } = current.ir;
  if (since === undefined || isHighEnough(version, since.version, since.release)) return undefined;
  const { next, version: before, release } = since;
  const changes = release === "major" ? "breaking changes" : "additions";
  return diagnose("history-version-low", { version, before, changes, next }, current.at);
}

/** Reads the kept versions that servers of a schema speak in addition to its own, oldest first. */
export function keptVersions(
  { path, filter, generation }: Schema,
  compiled: CompiledSchema,
  reader: SourceReader,
): History {
  if (generation?.history === undefined) return { versions: [], diagnostics: [] };
  const { versions, diagnostics } = readHistory(
    generation.history,
    reader,
    currentContract(path, compiled, filter),
  );
  return { versions: versions.filter(({ isCurrent }) => !isCurrent), diagnostics };
}

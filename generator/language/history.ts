import { posix } from "node:path";
import { type CompiledSchema, compile, errorsOf } from "./compile.ts";
import {
  type Diagnostic,
  type DiagnosticLocation,
  diagnose,
  type Location,
} from "./diagnostics/diagnostic.ts";
import { historyFiles, keptSuffix, latestFile } from "./history-files.ts";
import { filterIr, type IrFilter } from "./ir/filter.ts";
import type { IrSchema } from "./ir/schema.ts";
import { writeIr } from "./ir/write.ts";
import { headerOf } from "./model/rules/files.ts";
import { compareVersions, parseVersion, type SemanticVersion } from "./semantic-version.ts";
import type { SourceReader } from "./source/reader.ts";

/** A kept version of a contract. The folder of the history has one file for each: `VERSION.webrpc.json`, or `latest.webrpc.json`. */
export interface KeptVersion {
  /** As in the contract: `v1.2.0`. */
  readonly version: string;
  readonly path: string;
  readonly compiled: CompiledSchema;
  /** Whether the schema still has this version. */
  readonly isCurrent: boolean;
}

export interface History {
  /** Sorted, oldest first. Empty if there is an error. */
  readonly versions: readonly KeptVersion[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The schema whose versions are kept: its path, and the IR that its generated server serves. */
export interface CurrentContract {
  readonly path: string;
  readonly ir: IrSchema;
  /** Where the schema names its version. */
  readonly at: DiagnosticLocation;
}

/** Types that no method uses are kept, because tree shaking drops aliases that other types need. */
export function currentContract(path: string, compiled: CompiledSchema, filter: IrFilter): CurrentContract {
  const { ir } = compiled;
  // The configuration or the environment may replace the version.
  const written = filter.schemaVersion === undefined ? headerLocation(compiled, "version") : undefined;
  return { path, ir: filterIr(ir, { ...filter, methodTreeShake: false }), at: written ?? { path } };
}

/** Reads and checks the kept versions of a contract. A folder that does not exist has none. */
export function readHistory(folder: string, reader: SourceReader, current: CurrentContract): History {
  const results = historyFiles(folder, reader).map((name) =>
    readFile(posix.join(folder, name), reader, current),
  );
  const files = results
    .flatMap(({ file }) => file ?? [])
    .toSorted((a, b) => compareVersions(a.order, b.order));
  const diagnostics = [...results.flatMap((one) => one.diagnostics), ...checkOrder(files, current)];
  const isRejected = diagnostics.some(({ severity }) => severity === "error");
  return { versions: isRejected ? [] : files.map(({ version }) => version), diagnostics };
}

/** The contract without its version and comments: equal texts mean equal contracts. */
export function contractText({ version: _, ...contract }: IrSchema): string {
  const whole: unknown = JSON.parse(writeIr({ ...contract, version: "" }));
  return JSON.stringify(whole, (key, value: unknown) =>
    key === "comments" && (Array.isArray(value) || value === null) ? undefined : value,
  );
}

interface KeptFile {
  readonly version: KeptVersion;
  readonly order: SemanticVersion;
  readonly at: DiagnosticLocation;
}

interface ReadResult {
  readonly file?: KeptFile;
  readonly diagnostics: readonly Diagnostic[];
}

function readFile(path: string, reader: SourceReader, current: CurrentContract): ReadResult {
  if (!path.endsWith(keptSuffix)) return { diagnostics: [diagnose("history-file", { path }, { path })] };
  const compilation = compile(path, reader);
  const { result } = compilation;
  if (result === undefined) return { diagnostics: errorsOf(compilation) };
  const { name, version } = result.model;
  const at = headerLocation(result, "version") ?? { path };
  const versionInName = isLatest(path) ? version : posix.basename(path).slice(0, -keptSuffix.length);
  if (name !== current.ir.name) {
    const names = { found: name, name: current.ir.name };
    return {
      diagnostics: [diagnose("history-other-schema", names, headerLocation(result, "name") ?? { path })],
    };
  }
  if (versionInName !== version)
    return {
      diagnostics: [diagnose("history-version-differs", { named: versionInName, version }, at)],
    };
  const order = parseVersion(version);
  if (order === undefined) return { diagnostics: [diagnose("history-version", { version }, at)] };
  const currentOrder = parseVersion(current.ir.version);
  const isCurrent = currentOrder !== undefined && compareVersions(order, currentOrder) === 0;
  const kept = { version, path, compiled: result, isCurrent };
  return { file: { version: kept, order, at }, diagnostics: [] };
}

/** Whether a kept version is in the file of the latest one. */
export function isLatest(path: string): boolean {
  return posix.basename(path) === latestFile;
}

function headerLocation({ scope }: CompiledSchema, key: "name" | "version"): Location | undefined {
  const header = headerOf(scope, key);
  return header && { file: scope.file.source, span: header.value.span };
}

/** Versions are kept once, and none is newer than the schema. */
function checkOrder(files: readonly KeptFile[], { ir, at: current }: CurrentContract): readonly Diagnostic[] {
  if (files.length === 0) return [];
  const currentOrder = parseVersion(ir.version);
  if (currentOrder === undefined) return [diagnose("history-version", { version: ir.version }, current)];
  return files.flatMap(({ version: { version, compiled, isCurrent }, order, at }, index) => {
    const before = files[index - 1];
    if (before !== undefined && compareVersions(before.order, order) === 0)
      return [diagnose("history-version-twice", { version, other: before.version.path }, at)];
    if (compareVersions(order, currentOrder) > 0)
      return [diagnose("history-newer", { kept: version, version: ir.version }, current)];
    if (isCurrent && contractText(compiled.ir) !== contractText(ir))
      return [diagnose("history-contract-differs", { version }, current)];
    return [];
  });
}

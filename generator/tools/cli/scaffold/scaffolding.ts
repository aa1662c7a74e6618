import { posix, resolve } from "node:path";
import type { HandlersContract } from "../../../handlers/contract.ts";
import type { HandlerFolders } from "../../../handlers/folders.ts";
import { loadTsMorph } from "../../../handlers/index/handler-index.ts";
import { readSyncState, syncStateFile } from "../../../handlers/sync-state.ts";
import type { UpdateInput } from "../../../handlers/task.ts";
import type { HandlersUpdate } from "../../../handlers/update-handlers.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { CommandCall } from "../command.ts";
import { didYouMean, type ExitCode, exitCode } from "../command-error.ts";
import type { Schema } from "../config/schemas.ts";
import { type FileWrite, writeFiles } from "../files/write-files.ts";
import { type Option, schemaOptions } from "../options.ts";
import { reportFindings } from "../output/report.ts";
import { ProgressLine, patchOf } from "../output/terminal.ts";
import { type HandlerFiles, handlerFolders, readHandlerFiles } from "./handler-files.ts";

type ScaffoldOptions = typeof schemaOptions & {
  readonly handlers: Option & { readonly kind: "text" };
  readonly dryRun: Option & { readonly kind: "flag" };
};

export const scaffoldOptions: ScaffoldOptions = {
  ...schemaOptions,
  handlers: { kind: "text", value: "DIR", description: "Folder of the handlers" },
  dryRun: { kind: "flag", description: "Write nothing; print the changes as a diff" },
};

export type ScaffoldCall = CommandCall<ScaffoldOptions>;

/** The result of a run. */
export interface ScaffoldResult {
  readonly code: ExitCode;
  /** Absolute paths of written files, and the old paths of moved files. */
  readonly written: readonly string[];
  readonly findings: readonly Diagnostic[];
}

/** Creates missing handlers, updates existing ones after renames, and prints a summary. */
export async function scaffoldHandlers(call: ScaffoldCall): Promise<ScaffoldResult> {
  const jobs: Job[] = [];
  for (const schema of withHandlers(call)) {
    const job = jobOf(schema, call);
    if (typeof job === "string") return rejectUsage(job, call);
    const other = jobs.find(({ folders }) => folders.root === job.folders.root);
    if (other !== undefined) return rejectUsage(sharedFolderError(other, job), call);
    jobs.push(job);
  }
  return run(jobs, call);
}

interface Job {
  readonly schema: Schema;
  readonly folders: HandlerFolders;
}

/** Selects the schemas with handlers, because others only share types. */
function withHandlers({ schemas, options: { handlers } }: ScaffoldCall): readonly Schema[] {
  const chosen = schemas.filter(({ generation }) => generation?.handlers !== undefined);
  return handlers !== undefined || chosen.length === 0 ? schemas : chosen;
}

function jobOf(schema: Schema, { options: { handlers }, cwd }: ScaffoldCall): Job | string {
  const folders = handlerFolders(schema, cwd, handlers);
  if (folders !== undefined) return { schema, folders };
  if (schema.generation?.out === undefined)
    return `"${schema.path}" has no "out" in the configuration, so handlers have nothing to import.`;
  return `"${schema.path}" has no folder for handlers: use --handlers, or set "handlers" in the configuration.`;
}

/** A folder holds a single record and a single handlers.ts, so two schemas cannot share it. */
function sharedFolderError(first: Job, second: Job): string {
  const paths = `"${first.schema.path}" and "${second.schema.path}"`;
  return `${paths} share the handler folder "${first.folders.root}". Give each its own folder, or choose one schema with --project.`;
}

function rejectUsage(message: string, { refuse }: ScaffoldCall): ScaffoldResult {
  return { code: refuse(message), written: [], findings: [] };
}

/** The planned changes for a schema's handlers. */
interface ScaffoldPlan {
  readonly job: Job;
  readonly writes: readonly FileWrite[];
  readonly update?: HandlersUpdate;
  readonly findings: readonly Diagnostic[];
}

async function run(jobs: readonly Job[], call: ScaffoldCall): Promise<ScaffoldResult> {
  const compiled = jobs.map(({ schema }) => compile(schema.path, call.reader, schema));
  const contracts = await Promise.all(
    compiled.map(({ result }, index) => contractFor(jobs[index] as Job, result)),
  );
  const unknown = unknownName(call.positionals, contracts);
  if (unknown !== undefined && contracts.every((contract) => contract !== undefined))
    return rejectUsage(unknown, call);
  const made: ScaffoldPlan[] = [];
  using progress = new ProgressLine(call.report);
  for (const [index, job] of jobs.entries()) {
    const contract = contracts[index];
    const { diagnostics } = compiled[index] as (typeof compiled)[number];
    if (contract === undefined) made.push({ job, writes: [], findings: diagnostics });
    else {
      progress.show(`Reading ${job.folders.root}`);
      made.push(await planScaffold(job, contract, call));
    }
  }
  progress.clear();
  const findings = made.flatMap((each) => each.findings);
  const isClean = tallyOf(findings).errors === 0;
  const writes = made.flatMap((each) => each.writes);
  if (isClean && !call.options.dryRun) {
    const fault = writeFiles(writes, call.cwd);
    if (fault !== undefined) {
      const all = [...findings, diagnose("cannot-write", { ...fault }, { path: fault.path })];
      reportFindings(call.report, all);
      return { code: exitCode.usage, written: [], findings: all };
    }
  }
  await printSummary(made, isClean, call);
  const files = isClean ? writes.map((write) => ({ path: write.to, state: stateOf(write) })) : [];
  reportFindings(call.report, findings, { files });
  if (!isClean) return { code: exitCode.findings, written: [], findings };
  const written = call.options.dryRun
    ? []
    : writes.flatMap(({ path, to }) => (path === to ? [path] : [path, to]));
  return { code: exitCode.ok, written: written.map((path) => resolve(call.cwd, path)), findings };
}

async function contractFor(
  { schema }: Job,
  result: CompiledSchema | undefined,
): Promise<HandlersContract | undefined> {
  if (result === undefined) return undefined;
  const [{ contractOfModel }, { filterModel }] = await Promise.all([
    import("../../../handlers/contract.ts"),
    import("../../../codegen/plan/filter.ts"),
  ]);
  return contractOfModel(filterModel(result.model, schema.filter));
}

function unknownName(
  words: readonly string[],
  contracts: readonly (HandlersContract | undefined)[],
): string | undefined {
  const known = contracts.flatMap((contract) =>
    Object.entries(contract?.services ?? {}).flatMap(([service, { methods }]) => [
      service,
      ...Object.keys(methods).map((method) => `${service}.${method}`),
    ]),
  );
  const word = words.find((each) => !known.includes(each));
  if (word === undefined) return undefined;
  return `Unknown service or method "${word}".${didYouMean(suggest(word, known))}`;
}

async function planScaffold(job: Job, contract: HandlersContract, call: ScaffoldCall): Promise<ScaffoldPlan> {
  const handlers = readHandlers(job, contract, call);
  if (handlers === undefined) {
    const path = recordPathOf(job);
    return { job, writes: [], findings: [diagnose("broken-record", { path }, { path })] };
  }
  const { updateHandlers } = await import("../../../handlers/update-handlers.ts");
  const { input, found, before } = handlers;
  const update = updateHandlers(input, loadTsMorph());
  const writes = writesOf(update, found, { recordPath: recordPathOf(job), before });
  return { job, writes, update, findings: [...unreadableDiagnostics(found), ...update.findings] };
}

interface HandlerState {
  readonly input: UpdateInput;
  readonly found: HandlerFiles;
  /** Text of the record; undefined if the record does not exist. */
  readonly before: string | undefined;
}

/** Reads the handlers and their record. Undefined if the record is invalid. */
function readHandlers(job: Job, contract: HandlersContract, call: ScaffoldCall): HandlerState | undefined {
  const recordFile = call.reader.read(recordPathOf(job));
  const before = recordFile.kind === "bytes" ? Buffer.from(recordFile.bytes).toString("utf8") : undefined;
  const lastSync = before === undefined ? undefined : readSyncState(before);
  if (before !== undefined && lastSync === undefined) return undefined;
  const { positionals } = call;
  const found = readHandlerFiles(call.cwd, job.folders);
  const isChosen = (service: string, method: string): boolean =>
    positionals.length === 0 || positionals.includes(service) || positionals.includes(`${service}.${method}`);
  const input = { ...job.folders, files: found.files, contract, lastSync, isChosen };
  return { input, found, before };
}

function recordPathOf({ folders }: Job): string {
  return posix.join(folders.root, syncStateFile);
}

function unreadableDiagnostics({ unreadable: faults }: HandlerFiles): Diagnostic[] {
  return [...faults].map(([path, reason]) => diagnose("unreadable-file", { path, reason }, { path }));
}

function writesOf(
  { changed, added, moved, syncState: after }: HandlersUpdate,
  { files }: HandlerFiles,
  { recordPath, before }: { readonly recordPath: string; readonly before: string | undefined },
): FileWrite[] {
  const paths = new Set([...changed.keys(), ...moved.keys()]);
  const existing = [...paths].map((path): FileWrite => {
    const text = files.get(path) ?? "";
    return { path, before: text, after: changed.get(path) ?? text, to: moved.get(path) ?? path };
  });
  const fresh = [...added].map(
    ([path, text]): FileWrite => ({ path, before: undefined, after: text, to: path }),
  );
  const record: FileWrite[] =
    after === undefined || after === before ? [] : [{ path: recordPath, before, after, to: recordPath }];
  return [...existing, ...fresh, ...record];
}

function stateOf({ path, to, before }: FileWrite): "added" | "changed" | "moved" {
  if (before === undefined) return "added";
  return path === to ? "changed" : "moved";
}

async function printSummary(
  made: readonly ScaffoldPlan[],
  isClean: boolean,
  call: ScaffoldCall,
): Promise<void> {
  const { report, terminal } = call;
  if (report.format !== "text" || !isClean) return;
  for (const { job, writes, update } of made) {
    const own = writes.filter(({ path }) => posix.basename(path) !== syncStateFile);
    if (call.options.dryRun) {
      for (const { to, before, after } of own) terminal.out(await patchOf({ path: to, before, after }));
      continue;
    }
    if (report.quiet) continue;
    terminal.out(summary(job, own, update));
  }
}

/** `server/services: 1 added, 2 changed`, followed by the names of new stubs. */
function summary({ folders }: Job, writes: readonly FileWrite[], update: HandlersUpdate | undefined): string {
  const parts = (["added", "changed", "moved"] as const).flatMap((state) => {
    const count = writes.filter((write) => stateOf(write) === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const lines = (update?.stubs ?? []).map((name) => `  to implement: ${visible(name)}\n`);
  return `${visible(folders.root)}: ${parts.join(", ") || "up to date"}\n${lines.join("")}`;
}

import { posix } from "node:path";
import { hasGeneratedMark } from "../../../codegen/check/orphans.ts";
import type { ChangedFile, StaleReason } from "../../../codegen/check/staleness.ts";
import { withoutCarriageReturns } from "../../../codegen/write/diff.ts";
import { manifestName } from "../../../codegen/write/manifest.ts";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { counted, tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { CommandCall } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { generationOptions, type Job } from "../generate/generation.ts";
import { generateFiles, loadJob } from "../generate/generation-run.ts";
import { commonOptions, kebab, type Option, schemaOptions } from "../options.ts";
import { type FileJson, type FolderJson, reportFindings } from "../output/report.ts";
import {
  type Change,
  type FileLink,
  fileLinks,
  ProgressLine,
  patchOf,
  shellQuote,
} from "../output/terminal.ts";

/** Lines of the diff that are shown without --diff: about two screens. */
const shownLines = 100;

/** Prints the state of each folder, its outdated files, their diff, and the command that updates them. */
export async function reportVerdicts(verdicts: readonly Verdict[], call: CheckCall): Promise<ExitCode> {
  const { report, terminal } = call;
  const command = `npx ridlkit ${commandLine("generate", call)}`;
  const diagnostics = verdicts.flatMap((verdict) => findingsOf(verdict, command));
  using progress = new ProgressLine(report);
  progress.show("Comparing generated files");
  const listed = await Promise.all(verdicts.map((verdict) => filesOf(verdict, call)));
  progress.clear();
  diagnostics.push(...listed.flatMap(({ faults }) => faults));
  const files = listed.flatMap((each) => each.files);
  const isClean = verdicts.every((verdict) => verdict.isClean);
  if (report.format === "text" && !report.quiet) {
    const linkFile = fileLinks(call, terminal.outIsTerminal);
    terminal.out(verdicts.map((verdict, at) => summary(verdict, listed[at] ?? noFiles, linkFile)).join(""));
    if (call.options.diff !== false) terminal.out(await diffText(files, call));
  }
  reportFindings(report, diagnostics, {
    ...(isClean ? {} : { command }),
    folders: verdicts.map(folderJson),
    files: await Promise.all(files.map((file) => fileJson(file, call))),
  });
  return isClean && tallyOf(diagnostics).errors === 0 ? exitCode.ok : exitCode.findings;
}

function findingsOf({ job, causes, damage, orphans }: Verdict, command: string): Diagnostic[] {
  const { out } = job;
  const run = { advice: adviceFor(job, causes, command) };
  const findings = causes.map((cause) => findingOf(cause, out, run));
  for (const { path, state } of damage) {
    const at = { path: posix.join(out, path) };
    if (state === "missing") findings.push(diagnose("missing-output", at, at, run));
    else {
      const advice = `Move your edits out of the folder, then run: ${command} --force`;
      findings.push(diagnose("edited-output", at, at, { advice }));
    }
  }
  for (const path of orphans) {
    const at = { path: posix.join(out, path) };
    findings.push(diagnose("orphaned-output", at, at, { advice: "Remove it." }));
  }
  return findings;
}

/** The command that updates the files, unless it could overwrite edits or the code of a newer version. */
function adviceFor(job: Job, causes: readonly StaleReason[], command: string): string {
  if (isUnwritten(causes) && !isNew(job, causes))
    return `The manifest is missing. Restore ${manifestName} from Git, or overwrite all files with: ${command} --force`;
  const tool = causes.find((cause) => cause.kind === "tool");
  const newer = tool !== undefined && isNewer(tool.before, tool.now) ? versionOf(tool.before) : undefined;
  return newer === undefined ? `Run: ${command}` : `Upgrade ridlkit: npm install --save-dev ridlkit@${newer}`;
}

function isUnwritten(causes: readonly StaleReason[]): boolean {
  return causes.some(({ kind }) => kind === "unwritten");
}

/** Whether the folder has no generated files. */
function isNew({ folder }: Job, causes: readonly StaleReason[]): boolean {
  return isUnwritten(causes) && !folder.list().some((path) => hasGeneratedMark(folder.read(path)));
}

function versionOf(build: string): string {
  return build.split(" ")[0] ?? build;
}

/** Compares the versions of two builds, such as `0.1.0 f296…`. */
function isNewer(before: string, now: string): boolean {
  const [first, second] = [before, now].map((build) => /^\d+[.]\d+[.]\d+/.exec(build)?.[0]);
  if (first === undefined || second === undefined) return false;
  return first.localeCompare(second, "en", { numeric: true }) > 0;
}

function findingOf(cause: StaleReason, out: string, run: { readonly advice: string }): Diagnostic {
  const place = { path: out };
  switch (cause.kind) {
    case "unwritten":
      return diagnose("unwritten-output", place, place, run);
    case "unfinished":
      return diagnose("unfinished-output", place, place, run);
    case "stale": {
      const inputs = cause.inputs.map((path) => posix.join(out, path)).join(", ");
      return diagnose("stale-output", { ...place, inputs }, place, run);
    }
    case "tool":
      return diagnose("tool-output", { ...place, ...shortBuilds(cause.before, cause.now) }, place, run);
    case "template":
      return diagnose("template-output", place, place, run);
    case "configuration":
      return diagnose("configuration-output", place, place, run);
  }
}

/** Omits the hashes of two builds if their versions differ. */
function shortBuilds(before: string, now: string): { readonly before: string; readonly now: string } {
  const versions = { before: versionOf(before), now: versionOf(now) };
  return versions.before === versions.now ? { before, now } : versions;
}

/** A file, its text on disk and its text after `generate`. */
interface CheckedFile extends Change {
  readonly state: string;
}

interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  /** Errors that prevent generation. */
  readonly faults: readonly Diagnostic[];
  /** Whether `files` lists every file that `generate` would change. */
  readonly isComplete: boolean;
}

const noFiles: CheckedFiles = { files: [], faults: [], isComplete: false };

/** Finds the files that `generate` would change, by generating in memory; from hashes alone with --no-diff. None for a new folder. */
async function filesOf(verdict: Verdict, call: CheckCall): Promise<CheckedFiles> {
  const { job, causes, damage, orphans } = verdict;
  const { folder, manifest, out } = job;
  const known = new Map(damage.map(({ path, state }) => [path, state]));
  const currentText = (path: string): string | undefined => folder.readText(path);
  const file = (path: string, state: string, after: string | undefined): CheckedFile => {
    const before = currentText(path);
    const text = before === undefined ? undefined : withoutCarriageReturns(before);
    return { path: posix.join(out, path), state, before: text, after };
  };
  const orphanedFiles = orphans.map((path) => file(path, "orphaned", undefined));
  if (call.options.diff === false || causes.length + damage.length === 0) {
    const damaged = damage.map(({ path, state }) => file(path, state, undefined));
    return { files: [...damaged, ...orphanedFiles], faults: [], isComplete: false };
  }
  const { output, diagnostics } = await generateFiles(await loadJob(job, call));
  const faults = diagnostics.filter(({ severity }) => severity === "error");
  if (faults.length > 0) {
    const damaged = damage.map(({ path, state }) => file(path, state, undefined));
    return { files: [...damaged, ...orphanedFiles], faults, isComplete: false };
  }
  if (isNew(job, causes)) return noFiles;
  const changed = [...output.files].flatMap(([path, text]) => {
    const changedFile = file(
      path,
      known.get(path) ?? (currentText(path) === undefined ? "missing" : stateBy(causes)),
      text,
    );
    return changedFile.before === text ? [] : [changedFile];
  });
  const removed = Object.keys(manifest.files)
    .filter((path) => !output.files.has(path) && currentText(path) !== undefined)
    .map((path) => file(path, known.get(path) ?? "orphaned", undefined));
  return { files: [...changed, ...removed, ...orphanedFiles], faults: [], isComplete: true };
}

/** A changed schema takes precedence over a changed tool, and that over changed options: schema edits are the usual cause. */
function stateBy(causes: readonly StaleReason[]): string {
  const kinds = new Set(causes.map(({ kind }) => kind));
  if (kinds.has("stale") || kinds.has("unfinished") || kinds.has("unwritten")) return "stale";
  return kinds.has("tool") || kinds.has("template") ? "template" : "options";
}

/** `generated: up to date, 66 files`, or the list of outdated files. */
function summary(
  { job, isClean, causes }: Verdict,
  { files, isComplete }: CheckedFiles,
  linkFile: FileLink,
): string {
  if (isClean) return upToDateText(job);
  const out = visible(job.out);
  if (isNew(job, causes)) return `${out}: not generated yet\n`;
  const words = new Set(causes.length === 0 ? files.map(({ state }) => state) : [stateBy(causes)]);
  const lines = files.map(({ state, path }) => `  ${state.padEnd(9)} ${linkFile(path, visible(path))}\n`);
  const none = isComplete && files.length === 0 ? "; only the manifest would change" : "";
  return `${out}: ${[...words].join(", ")}${none}\n${lines.join("")}`;
}

async function diffText(files: readonly CheckedFile[], { options: { diff } }: CheckCall): Promise<string> {
  const lines: string[] = [];
  for (const file of files) {
    if (file.before === undefined && file.after === undefined) continue;
    lines.push(...(await patchOf(file)).split("\n").slice(0, -1));
    if (diff !== true && lines.length > shownLines) {
      const rest = "… (use --diff to see all changes)";
      return `${[...lines.slice(0, shownLines), rest].map(visible).join("\n")}\n`;
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function folderJson({ job: { out, schema }, causes, isClean }: Verdict): FolderJson {
  return {
    path: out,
    schema: schema.path,
    ...(schema.project === undefined ? {} : { project: schema.project }),
    ok: isClean,
    causes: causes.map(({ kind }) => kind),
  };
}

async function fileJson(file: CheckedFile, { options: { diff } }: CheckCall): Promise<FileJson> {
  const { path, state } = file;
  return diff === true ? { path, state, diff: await patchOf(file) } : { path, state };
}

type CheckOptions = typeof schemaOptions &
  typeof generationOptions & { readonly diff: Option & { readonly kind: "flag" } };

export const checkOptions: CheckOptions = {
  ...schemaOptions,
  ...generationOptions,
  diff: {
    kind: "flag",
    description: "Print the complete diff; --no-diff prints none and skips generation",
  },
};

export type CheckCall = CommandCall<CheckOptions>;

/** The state of an output folder. */
export interface Verdict {
  readonly job: Job;
  readonly causes: readonly StaleReason[];
  readonly damage: readonly ChangedFile[];
  /** Generated files that are not in the manifest. */
  readonly orphans: readonly string[];
  readonly isClean: boolean;
}

/** `generated: up to date, 66 files`. */
export function upToDateText({ out, manifest }: Job): string {
  return `${visible(out)}: up to date, ${counted(Object.keys(manifest.files).length, "file")}\n`;
}

/** Options that change only the output of a command. */
const displayOptions: ReadonlySet<string> = new Set(["format", "quiet", "color", "help", "diff", "dryRun"]);

/** Prints another command with the arguments and options of this one, quoted for a shell: `generate --project web`. */
function commandLine(
  command: string,
  { options, positionals }: Pick<CommandCall, "positionals" | "options">,
): string {
  const given = Object.entries(options).filter(([name]) => !displayOptions.has(name));
  const inOrder = given.toSorted(([a], [b]) => Number(a in commonOptions) - Number(b in commonOptions));
  return [
    command,
    ...positionals.map(shellQuote),
    ...inOrder.flatMap(([name, value]) => optionText(name, value)),
  ].join(" ");
}

function optionText(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === "boolean") return [`--${value ? "" : "no-"}${kebab(name)}`];
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return [`--${kebab(name)} ${shellQuote(text)}`];
}

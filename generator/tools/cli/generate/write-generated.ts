import { posix, relative } from "node:path";
import { runtimeFolder } from "../../../codegen/runtime.ts";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { runtimeName } from "../../doctor/runtime-package.ts";
import type { CommandCall } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { FolderLock } from "../files/folder-lock.ts";
import type { FolderDifference, OutputFolder, WriteFault } from "../files/output-folder.ts";
import { reportFindings } from "../output/report.ts";
import type { GenerationCall, Job } from "./generation.ts";
import { generateInMemory, type Output } from "./generation.ts";
import { missingPackagesText } from "./missing-packages.ts";

interface WriteCall extends GenerationCall, Pick<CommandCall, "report" | "terminal"> {}

export interface WriteResult extends Written {
  readonly outputs: readonly Output[];
}

/** The findings are reported. */
interface Written {
  readonly code: ExitCode;
  readonly findings: readonly Diagnostic[];
}

/** Generates all schemas, writes the files that differ, and prints a summary. After an error, nothing is written. */
export async function writeGenerated(call: WriteCall): Promise<WriteResult> {
  const { outputs, diagnostics } = await generateInMemory(call, call.report);
  return { ...(await writeOutputs(outputs, diagnostics, call)), outputs };
}

/** Writes the files that differ, unless there are errors, and prints a summary. */
export async function writeOutputs(
  outputs: readonly Output[],
  diagnostics: readonly Diagnostic[],
  call: WriteCall,
): Promise<Written> {
  const { report } = call;
  const { written, faults } = tallyOf(diagnostics).errors > 0 ? nothingWritten : await writeFolders(outputs);
  const findings = [...diagnostics, ...faults];
  const files = written.flatMap(({ job, changes }) =>
    changes.map(({ path, kind }) => ({ path: posix.join(job.out, path), state: kind })),
  );
  reportFindings(report, findings, { schemas: [], files });
  const code = exitCodeOf(findings);
  if (code === exitCode.ok && report.format === "text" && !report.quiet) printSummary(outputs, written, call);
  return { code, findings };
}

function exitCodeOf(findings: readonly Diagnostic[]): ExitCode {
  if (findings.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  return tallyOf(findings).errors > 0 ? exitCode.findings : exitCode.ok;
}

interface WrittenFolder extends FolderDifference {
  readonly job: Job;
}

interface WrittenFolders {
  readonly written: readonly WrittenFolder[];
  readonly faults: readonly Diagnostic[];
}

const nothingWritten: WrittenFolders = { written: [], faults: [] };

/** Locks the folders that differ, and writes them. If a file is in the way or a folder is read-only, nothing is written. */
async function writeFolders(outputs: readonly Output[]): Promise<WrittenFolders> {
  const locks: FolderLock[] = [];
  const outdated = outputs.filter(({ job: { folder }, files }) => {
    const { changes, manifest, obstacles } = folder.compare(files);
    // A killed run has left its lock behind, and perhaps files.
    const isTaken = FolderLock.isHeld(folder.root);
    return isTaken || manifest !== undefined || changes.length + obstacles.length > 0;
  });
  try {
    // Locks are taken in sorted order, so that two runs cannot deadlock.
    for (const { job } of outdated.toSorted((a, b) => (a.job.folder.root < b.job.folder.root ? -1 : 1))) {
      const lock = await FolderLock.acquire(job.folder.root);
      if (!(lock instanceof FolderLock)) return { written: [], faults: [writeError(lock, job)] };
      locks.push(lock);
    }
    // Another run may have written the folder before it was locked.
    const written = outdated.map(({ job, files }) => ({ job, ...job.folder.compare(files) }));
    const obstacles = written.flatMap(obstacleDiagnostics);
    if (obstacles.length > 0) return { written: [], faults: obstacles };
    const forEachFolder = (
      run: (folder: OutputFolder, difference: FolderDifference) => WriteFault | undefined,
    ) =>
      written.flatMap(({ job, ...difference }) => {
        const fault = run(job.folder, difference);
        return fault === undefined ? [] : [writeError(fault, job)];
      });
    const denied = forEachFolder((folder, difference) => folder.denied(difference));
    if (denied.length > 0) return { written: [], faults: denied };
    const faults = forEachFolder((folder, difference) => folder.write(difference));
    return { written, faults };
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Reports the path from the working directory. */
function writeError({ path, reason }: WriteFault, { folder, out }: Job): Diagnostic {
  const shown = posix.join(out, relative(folder.root, path).replaceAll("\\", "/"));
  return diagnose("cannot-write", { path: shown, reason }, { path: shown });
}

/** Reports what is in the place of generated files. */
export function obstacleDiagnostics({
  job: { out },
  obstacles,
}: Pick<WrittenFolder, "job" | "obstacles">): readonly Diagnostic[] {
  return obstacles.map(({ path, what }) => {
    const place = { path: posix.join(out, path) };
    return what === undefined
      ? diagnose("foreign-file", place, place)
      : diagnose("taken-place", { ...place, what }, place);
  });
}

function printSummary(
  outputs: readonly Output[],
  written: readonly WrittenFolder[],
  { terminal, report }: WriteCall,
): void {
  const differences = new Map(written.map((difference) => [difference.job, difference]));
  terminal.out(outputs.map(({ job }) => `${visible(job.out)}: ${summary(differences.get(job))}\n`).join(""));
  for (const { job } of outputs)
    if (
      job.schema.generation?.handlers !== undefined &&
      isSameFolder(job.out, job.schema.generation.handlers)
    )
      terminal.err(
        `ridlkit: "${visible(job.out)}" contains both generated files and handlers. Set another "out".\n`,
      );
  terminal.out(missingPackagesText(outputs, report.version));
  for (const { job, changes } of written)
    if (startsToCopy(changes))
      terminal.out(
        `${visible(job.out)} has copies of the runtime now. Run npx ridlkit doctor to find files that still import ${runtimeName}.\n`,
      );
}

/** Whether code that was generated before has its first copies of the runtime. */
function startsToCopy(changes: FolderDifference["changes"]): boolean {
  const kindOf = (file: string) => changes.find(({ path }) => path === file)?.kind;
  return kindOf(`${runtimeFolder}/contract.ts`) === "added" && changes.some(({ kind }) => kind === "changed");
}

/** `2 changed, 1 added, 40 unchanged`. */
function summary({
  changes,
  unchanged,
  manifest,
}: Pick<FolderDifference, "changes" | "unchanged" | "manifest"> = noChanges): string {
  if (changes.length === 0)
    return manifest === undefined ? "up to date" : `list of files repaired, ${unchanged} unchanged`;
  const counts = (["added", "changed", "deleted"] as const).map(
    (kind) => [changes.filter((change) => change.kind === kind).length, kind] as const,
  );
  return [...counts, [unchanged, "unchanged"] as const]
    .flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
    .join(", ");
}

const noChanges = { changes: [], unchanged: 0, manifest: undefined };

function isSameFolder(one: string, other: string): boolean {
  return posix.relative(one, other) === "";
}

import { posix } from "node:path";
import { tallyOf } from "../../../language/diagnostics/tally.ts";
import type { CommandCall } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { type FileJson, reportFindings } from "../output/report.ts";
import { ProgressLine } from "../output/terminal.ts";
import type { GenerationCall, Job } from "./generation.ts";
import { generateFiles, type LoadedJob, loadJob } from "./generation-run.ts";
import { missingPackages } from "./missing-packages.ts";
import { type FileChanges, pathConflicts, type WriteResult, writeFolders } from "./write-folders.ts";

export interface OutdatedCall extends Pick<CommandCall, "report">, Omit<GenerationCall, "options"> {
  readonly options: GenerationCall["options"] & { readonly force?: boolean | undefined };
}

/** The changes of each job that was outdated. */
export type JobChanges = ReadonlyMap<Job, FileChanges>;

export interface Outcome {
  readonly code: ExitCode;
  readonly changes: JobChanges;
  /** Packages that generated code imports, and that are not installed or not in the version of ridlkit. */
  readonly missing: readonly string[];
}

/** Generates and writes the outdated ones of all jobs, and reports faults. After a fault, nothing is written. */
export async function generateOutdated(
  jobs: readonly Job[],
  outdated: readonly Job[],
  call: OutdatedCall,
): Promise<Outcome> {
  const { report } = call;
  using progress = new ProgressLine(report);
  const loaded: LoadedJob[] = [];
  for (const job of outdated) {
    progress.show(`Generating ${job.out}`);
    loaded.push(await loadJob(job, call));
  }
  const { faults, changes, missing } = await generateAll(jobs, loaded, call);
  progress.clear();
  reportFindings(report, faults, {
    schemas: [],
    files: outdated.flatMap(({ out }, index) => changedFiles(out, changes[index] ?? [])),
  });
  return {
    code: exitCodeOf(faults),
    changes: new Map(outdated.map((job, index) => [job, changes[index] ?? []])),
    missing,
  };
}

const states = { add: "added", change: "changed", delete: "deleted" } as const;

function changedFiles(out: string, changes: FileChanges): readonly FileJson[] {
  return changes.flatMap(({ kind, path }) =>
    kind === "same" ? [] : [{ path: posix.join(out, path), state: states[kind] }],
  );
}

function exitCodeOf(faults: WriteResult["faults"]): ExitCode {
  if (faults.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  return tallyOf(faults).errors > 0 ? exitCode.findings : exitCode.ok;
}

/** Generates all schemas before writing any, so that an error in one schema leaves all folders unchanged. */
async function generateAll(
  jobs: readonly Job[],
  outdated: readonly LoadedJob[],
  { options, report }: OutdatedCall,
): Promise<WriteResult & { readonly missing: readonly string[] }> {
  const results = await Promise.all(outdated.map((job) => generateFiles(job)));
  const resultOf = new Map(outdated.map(({ job }, index) => [job, results[index]]));
  const faults = results.flatMap(({ diagnostics }) => diagnostics);
  faults.push(
    ...pathConflicts(
      jobs.map((job) => ({
        ...job,
        schemaPath: job.schema.path,
        paths: resultOf.get(job)?.output.files.keys() ?? Object.keys(job.manifest.files),
      })),
    ),
  );
  const outputs = tallyOf(faults).errors > 0 ? [] : results.map(({ output }) => output);
  const { changes, faults: writeFaults } = await writeFolders(outputs, options.force === true);
  faults.push(...writeFaults);
  const missing = outputs.flatMap(({ files, folder }) => missingPackages(files, folder.root, report.version));
  return { faults, changes, missing: [...new Set(missing)] };
}

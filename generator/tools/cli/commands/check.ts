import { orphansIn } from "../../../codegen/check/orphans.ts";
import { type CheckCall, checkOptions, upToDateText, type Verdict } from "../check/check-report.ts";
import { type Command, defineCommand } from "../command.ts";
import { exitCode, usageText } from "../command-error.ts";
import { changedFilesOf, generationError, type Job, jobOf, staleReasonsOf } from "../generate/generation.ts";

export const check: Command = defineCommand({
  name: "check",
  usage: "[options] [FILE]",
  description: `Compares generated files with the hashes of the run that wrote them, without parsing the schema.
Writes nothing. Reported states:
  edited    the file was changed by hand
  stale     the schema has changed, even if only in a comment
  template  the templates or ridlkit have changed
  missing   the file does not exist
  orphaned  ridlkit generated the file, but does not generate it any more
  options   the configuration or the command line has changed
If files are outdated, the schema is generated in memory to print a diff.

With --format json (each file has a diff if --diff is given):
  { ok, command, folders: [{ path, schema, ok, causes }], files: [{ path, state }], diagnostics }

The exit code is 1 if "ridlkit generate" would change files.`,
  options: checkOptions,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit check", description: "Check all schemas, for CI" },
    {
      command: "ridlkit check --diff > changes.patch",
      description: "Write what generate would change",
    },
  ],
  async run(call) {
    const error = generationError(call);
    if (error !== undefined) {
      call.terminal.err(usageText(error, "ridlkit help check"));
      return exitCode.usage;
    }
    const verdicts = call.schemas.map((schema) => judge(jobOf(schema, call), call));
    const { report, terminal } = call;
    if (report.format !== "text" || !verdicts.every(({ isClean }) => isClean)) {
      // Imported lazily: if everything is up to date, neither the parser nor the diagnostics are needed.
      const { reportVerdicts } = await import("../check/check-report.ts");
      return reportVerdicts(verdicts, call);
    }
    if (!report.quiet) terminal.out(verdicts.map(({ job }) => upToDateText(job)).join(""));
    return exitCode.ok;
  },
});

function judge(job: Job, { reader }: CheckCall): Verdict {
  const { folder, manifest } = job;
  const causes = staleReasonsOf(job, reader);
  const damage = changedFilesOf(job);
  const isKnown = (path: string): boolean =>
    manifest.files[path] !== undefined || manifest.next?.[path] !== undefined;
  // Without a manifest, every generated file would look orphaned.
  const isUnknown = causes.some(({ kind }) => kind === "unwritten");
  const orphans = isUnknown ? [] : orphansIn(folder.list(), isKnown, (path) => folder.read(path));
  return { job, causes, damage, orphans, isClean: causes.length + damage.length + orphans.length === 0 };
}

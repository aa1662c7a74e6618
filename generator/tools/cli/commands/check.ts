import { orphansIn } from "../../../codegen/check/orphans.ts";
import { type CheckCall, checkOptions, upToDateText, type Verdict } from "../check/check-verdict.ts";
import { type Command, defineCommand } from "../command.ts";
import { usageText } from "../command-error.ts";
import { exitCode } from "../exit-code.ts";
import { changedFilesOf, generationError, type Job, jobOf, staleReasonsOf } from "../generate/generation.ts";

export const check: Command = defineCommand({
  name: "check",
  summary: "tell whether generated files are up to date",
  usage: "[options] [FILE]",
  description: `Holds the generated files against the hashes of the run that wrote them, and answers without parsing
the schema. With something to tell it is generated in memory, to show the difference:
  edited    a file is not as it was generated
  stale     the schema changed since, be it a comment
  template  your templates changed, or ridlkit did, in what it prints
  missing   a file is gone, or new
  orphaned  a file of ours that nothing makes any more
  options   the configuration or the command line asks for something else
Writes nothing. The exit code is 1 if a run of generate would have something to do.
With --format json, where with --diff each file has its diff:
  { ok, command, folders: [{ path, schema, ok, causes }], files: [{ path, state }], diagnostics }`,
  options: checkOptions,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit check", description: "all schemas of the configuration; for CI" },
    { command: "ridlkit check --diff > changes.patch", description: "what generate would change" },
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
      // Imported lazily: files that are up to date need neither the parser nor the catalogue of diagnostics.
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
  // Without a manifest, all generated files would count as orphans.
  const isUnknown = causes.some(({ kind }) => kind === "unwritten");
  const orphans = isUnknown ? [] : orphansIn(folder.list(), isKnown, (path) => folder.read(path));
  return { job, causes, damage, orphans, isClean: causes.length + damage.length + orphans.length === 0 };
}

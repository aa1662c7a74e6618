import { tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { generationError, generationOptions, isUpToDate, type Job, jobOf } from "../generate/generation.ts";
import { generateFiles, type LoadedJob, loadJob } from "../generate/generation-run.ts";
import { pathConflicts, type WriteResult, writeFolders } from "../generate/write-folders.ts";
import { schemaOptions } from "../options.ts";
import { reportFindings } from "../output/report.ts";

const options = {
  ...schemaOptions,
  ...generationOptions,
  force: { kind: "flag", description: "write over files that were edited or are not ours" },
  watch: {
    kind: "flag",
    description: "stay, and generate after each change of schema, configuration or templates",
  },
} as const;

type GenerateCall = CommandCall<typeof options>;

export const generate: Command = defineCommand({
  name: "generate",
  summary: "turn schemas into code",
  usage: "[options] [FILE]",
  description: `Writes what the schema gives into a folder: types, errors, a client, a server, validators, the IR;
and an OpenAPI document where the target openapi is asked for.
Without FILE the schemas of the configuration, each into its "out". Only files that change are
written, and none before all of them can be; a file of the folder that is not ours, or that somebody
edited, is left alone and said. With nothing to do it reads no schema.`,
  options,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit generate", description: "all schemas of the configuration" },
    {
      command: "ridlkit generate api.ridl --out src/api --target client",
      description: "a client, with its types",
    },
    {
      command: "ridlkit generate api.ridl --out docs --target openapi",
      description: "docs/openapi/openapi.yaml",
    },
  ],
  async run(call) {
    const error = generationError(call);
    if (error !== undefined) {
      call.terminal.err(`ridlkit: ${error}\nSee: ridlkit help generate\n`);
      return exitCode.usage;
    }
    if (call.options.watch !== true) return run(call);
    const { generateOnChange } = await import("../generate/watch.ts");
    await generateOnChange(call, (schemas) => run({ ...call, schemas }));
    return exitCode.ok;
  },
});

async function run(call: GenerateCall): Promise<ExitCode> {
  const jobs = call.schemas.map((schema) => jobOf(schema, call));
  const open = jobs.filter((job) => !isUpToDate(job, call.reader)).map((job) => loadJob(job, call));
  const { faults, changes } = await generateAll(jobs, open, call);
  const { report, terminal } = call;
  await reportFindings(report, faults);
  if (faults.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  if (tallyOf(faults).errors > 0) return exitCode.findings;
  if (report.format === "text" && !report.quiet) {
    const changesOf = new Map(open.map(({ job }, index) => [job, changes[index]]));
    terminal.out(jobs.map((job) => summary(job, changesOf.get(job))).join(""));
  }
  return exitCode.ok;
}

/** Generates all schemas before writing any folder: an error in the second schema leaves the first folder unchanged. */
async function generateAll(
  jobs: readonly Job[],
  open: readonly LoadedJob[],
  call: GenerateCall,
): Promise<WriteResult> {
  const made = await Promise.all(open.map((reading) => generateFiles(reading)));
  const madeOf = new Map(open.map(({ job }, index) => [job, made[index]]));
  const faults = made.flatMap(({ diagnostics }) => diagnostics);
  faults.push(
    ...pathConflicts(
      jobs.map((job) => ({
        ...job,
        schemaPath: job.schema.path,
        paths: madeOf.get(job)?.output.files.keys() ?? Object.keys(job.manifest.files),
      })),
    ),
  );
  const outputs = tallyOf(faults).errors > 0 ? [] : made.map(({ output }) => output);
  const { changes, faults: unwritten } = await writeFolders(outputs, call.options.force === true);
  faults.push(...unwritten);
  return { faults, changes };
}

/** `generated: 2 changed, 1 added, 40 as they were`. */
function summary({ out }: Job, changes: WriteResult["changes"][number] | undefined): string {
  if (changes === undefined) return `${visible(out)}: nothing to do\n`;
  const words = { add: "added", change: "changed", delete: "deleted", same: "as they were" } as const;
  const parts = Object.entries(words).map(([kind, word]) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${visible(out)}: ${parts.flat().join(", ")}\n`;
}

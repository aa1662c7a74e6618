import { posix } from "node:path";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { counted, tallyOf } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { type FileChange, type FolderDifference, isUnwritten } from "../files/output-folder.ts";
import { generateInMemory, generationError, generationOptions, type Output } from "../generate/generation.ts";
import { missingPackagesText } from "../generate/missing-packages.ts";
import { obstacleDiagnostics } from "../generate/write-generated.ts";
import { commonOptions, kebab, schemaOptions } from "../options.ts";
import { type FileJson, reportFindings } from "../output/report.ts";
import { type FileLink, fileLinks, patchOf, shellQuote } from "../output/terminal.ts";

const checkOptions = {
  ...schemaOptions,
  ...generationOptions,
  diff: { kind: "flag", description: "Print the complete diff; --no-diff prints none" },
} as const;

type CheckCall = CommandCall<typeof checkOptions>;

export const check: Command = defineCommand({
  name: "check",
  usage: "[options] [FILE]",
  description: `Generates code in memory and compares it with the files of the output folder. Writes nothing.
Reported states:
  changed   the text differs: the file, the schema, the templates, the configuration or ridlkit was changed
  missing   the file does not exist
  orphaned  ridlkit generated the file, but does not generate it any more

With --format json (each file has a diff if --diff is given):
  { ok, command, folders: [{ path, schema, ok }], files: [{ path, state }], diagnostics }

The exit code is 1 if "ridlkit generate" would change files.`,
  options: checkOptions,
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
    if (error !== undefined) return call.refuse(error);
    const { outputs, diagnostics } = await generateInMemory(call, call.report);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    return reportVerdicts(outputs.map(verdictOf), errors, call);
  },
});

/** The state of an output folder. */
interface Verdict extends Output {
  /** Undefined if the schema has errors. */
  readonly difference: FolderDifference | undefined;
  /** The files that `generate` would change, the manifest included. */
  readonly changes: readonly FileChange[];
  readonly isClean: boolean;
  /** Whether nothing was generated yet. */
  readonly isNew: boolean;
}

function verdictOf(output: Output): Verdict {
  if (tallyOf(output.diagnostics).errors > 0)
    return { ...output, difference: undefined, changes: [], isClean: false, isNew: false };
  const difference = output.job.folder.compare(output.files);
  const { manifest, obstacles } = difference;
  const changes = [...difference.changes, ...(manifest === undefined ? [] : [manifest])];
  const isClean = changes.length + obstacles.length === 0;
  return { ...output, difference, changes, isClean, isNew: isUnwritten(difference) };
}

/** Prints the state of each folder, its outdated files, their diff, and the command that updates them. */
async function reportVerdicts(
  verdicts: readonly Verdict[],
  errors: readonly Diagnostic[],
  call: CheckCall,
): Promise<ExitCode> {
  const { report, terminal } = call;
  const command = `npx ridlkit ${commandLine("generate", call)}`;
  const diagnostics = [...errors, ...verdicts.flatMap((verdict) => findingsOf(verdict, command))];
  const isClean = diagnostics.length === 0;
  // A new folder has one line instead of all its files.
  const changes = verdicts.flatMap((verdict) => (verdict.isNew ? [] : pathsFromHere(verdict)));
  if (report.format === "text" && !report.quiet) {
    const linkFile = fileLinks(call, terminal.outIsTerminal);
    terminal.out(verdicts.map((verdict) => summary(verdict, linkFile)).join(""));
    if (call.options.diff !== false) terminal.out(await diffText(changes, call));
    terminal.out(missingPackagesText(verdicts, report.version));
  }
  reportFindings(report, diagnostics, {
    ...(isClean ? {} : { command }),
    folders: verdicts.map(({ job: { out, schema }, isClean: ok }) => ({
      path: out,
      schema: schema.path,
      ...(schema.project === undefined ? {} : { project: schema.project }),
      ok,
    })),
    files: await Promise.all(changes.map((change) => fileJson(change, call))),
  });
  return isClean ? exitCode.ok : exitCode.findings;
}

const states = { added: "missing", changed: "changed", deleted: "orphaned" } as const;

/** Number of files that a message names. */
const namedFiles = 3;

function findingsOf(verdict: Verdict, command: string): readonly Diagnostic[] {
  const { job, difference, changes } = verdict;
  if (difference === undefined) return [];
  const obstacles = obstacleDiagnostics({ job, ...difference });
  if (changes.length === 0 || obstacles.length > 0) return obstacles;
  const place = { path: job.out };
  const run = { advice: `Run: ${command}` };
  if (verdict.isNew) return [diagnose("unwritten-output", place, place, run)];
  const names = changes.slice(0, namedFiles).map(({ path, kind }) => `${path} (${states[kind]})`);
  const rest = changes.length > namedFiles ? ` and ${changes.length - namedFiles} more` : "";
  return [diagnose("outdated-output", { ...place, files: names.join(", ") + rest }, place, run)];
}

function pathsFromHere({ job, changes }: Verdict): readonly FileChange[] {
  return changes.map((change) => ({ ...change, path: posix.join(job.out, change.path) }));
}

/** `generated: up to date, 66 files`, or the list of outdated files. */
function summary(verdict: Verdict, linkFile: FileLink): string {
  const out = visible(verdict.job.out);
  if (verdict.isClean) return `${out}: up to date, ${counted(verdict.files.size, "file")}\n`;
  if (verdict.difference === undefined) return `${out}: not compared\n`;
  if (verdict.isNew) return `${out}: not generated yet\n`;
  const lines = pathsFromHere(verdict).map(
    ({ kind, path }) => `  ${states[kind].padEnd(9)} ${linkFile(path, visible(path))}\n`,
  );
  return `${out}: out of date\n${lines.join("")}`;
}

/** Lines of the diff that are shown without --diff: about two screens. */
const shownLines = 100;

async function diffText(changes: readonly FileChange[], { options: { diff } }: CheckCall): Promise<string> {
  const lines: string[] = [];
  for (const change of changes) {
    lines.push(...(await patchOf(change)).split("\n").slice(0, -1));
    if (diff !== true && lines.length > shownLines) {
      const rest = "… (use --diff to see all changes)";
      return `${[...lines.slice(0, shownLines), rest].map(visible).join("\n")}\n`;
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

async function fileJson(change: FileChange, { options: { diff } }: CheckCall): Promise<FileJson> {
  const file = { path: change.path, state: states[change.kind] };
  return diff === true ? { ...file, diff: await patchOf(change) } : file;
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

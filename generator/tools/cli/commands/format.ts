import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { readStandardInput } from "../files/reader.ts";
import { patchOf } from "../output/patch.ts";
import { reportFindings } from "../output/report.ts";
import { type FormatResult, formatFile, formatSource, rejectedFile } from "../style/formatting.ts";
import { ridlFiles } from "../style/ridl-files.ts";

const options = {
  check: { kind: "flag", description: "Write nothing; exit with 1 if a file is not formatted" },
  diff: { kind: "flag", description: "Write nothing; print the changes as a diff" },
} as const;

type FormatCall = CommandCall<typeof options>;

export const format: Command = defineCommand({
  name: "format",
  usage: "[options] [PATH ...]",
  description: `Formats each PATH: a file, or all .ridl files below a folder. Default: the working directory.
"-" reads standard input and writes to standard output. Imported files are not formatted.

Formatting keeps comments, the IR and the schema hash. Files with syntax errors, or with words that
webrpc ignores and formatting would drop, are reported and left unchanged.

With --format json, unless the input is "-":
  { ok, files: [{ path, state }], diagnostics }; state: same, changed, unformatted or invalid`,
  options,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  readsSchemas: false,
  jsonStream: "out",
  examples: [
    { command: "ridlkit format schema", description: "Format all files of a folder" },
    { command: "ridlkit format --check", description: "Check formatting in CI" },
    { command: "ridlkit format - < api.ridl", description: "Format standard input, for editors" },
  ],
  async run(call) {
    if (call.positionals.includes("-")) return formatStandardInput(call);
    const { files, unreadableFolders } = ridlFiles(
      call.positionals.length > 0 ? call.positionals : ["."],
      call.cwd,
    );
    if (files.size + unreadableFolders.size === 0)
      return refuse(`No .ridl files found in ${listed(call.positionals)}.`, call);
    const writes = !call.options.check && !call.options.diff;
    const results = [...files].map((path) => formatFile(path, call, writes));
    for (const [path, reason] of unreadableFolders)
      results.push(rejectedFile(path, "unreadable-file", reason));
    return finish(results, call);
  },
});

async function finish(results: readonly FormatResult[], call: FormatCall): Promise<ExitCode> {
  const { options: { check, diff }, report, terminal } = call; // biome-ignore format: one line reads better
  const unformatted = results.filter(({ state }) => state === "unformatted");
  const checked = check ? unformatted.map(({ path }) => diagnose("not-canonical", { path }, { path })) : [];
  const isText = report.format === "text";
  if (isText && diff)
    for (const result of unformatted) terminal.out(await patchOf({ before: "", after: "", ...result }));
  if (isText && !report.quiet) {
    const changed = results.filter(({ state }) => state === "changed");
    terminal.out(changed.map(({ path }) => `${visible(path)}: formatted\n`).join(""));
  }
  const diagnostics = [...results.flatMap((result) => result.diagnostics), ...checked];
  const files = results.map(({ path, state }) => ({ path, state }));
  await reportFindings(report, diagnostics, { files });
  if (diagnostics.some(({ name }) => name === "cannot-write")) return exitCode.usage;
  return diagnostics.length === 0 ? exitCode.ok : exitCode.findings;
}

async function formatStandardInput(call: FormatCall): Promise<ExitCode> {
  if (call.positionals.length > 1) return refuse('"-" cannot be combined with other paths.', call);
  const input = await readStandardInput();
  const result = formatSource("-", { read: () => input });
  if (call.options.check || call.options.diff) return finish([result], call);
  if (result.state === "invalid") {
    await reportFindings({ ...call.report, jsonStream: "err" }, result.diagnostics);
    return exitCode.findings;
  }
  call.terminal.out(result.after ?? "");
  return exitCode.ok;
}

function refuse(message: string, { terminal }: FormatCall): ExitCode {
  terminal.err(`ridlkit: ${visible(message)}\nSee: ridlkit help format\n`);
  return exitCode.usage;
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? "the working directory" : words.map((word) => `"${word}"`).join(", ");
}

import { diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { counted, tallyOf, tallyText } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { lintSettings, presetNames } from "../../../language/lint/settings.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { usageText } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { replaceFiles } from "../files/replace-file.ts";
import { type OptionTable, schemaOptions } from "../options.ts";
import { patchOf } from "../output/patch.ts";
import { reportFindings, type SchemaSummary } from "../output/report.ts";
import { type ChangedFile, type CheckedSchema, checkAll, fixSchemas } from "../style/fix.ts";
import { withLintRules } from "../style/lint-rules.ts";

const lintOptions = {
  ...schemaOptions,
  fix: { kind: "flag", description: "Apply all fixes, then report what is left" },
  dryRun: { kind: "flag", description: "With --fix: print the changes, write nothing" },
  rules: { kind: "text", value: "PRESET", description: `Preset of style rules: ${presetNames.join(", ")}` },
} as const satisfies OptionTable;

type LintCall = CommandCall<typeof lintOptions>;

export const lint: Command = defineCommand({
  name: "lint",
  usage: "[options] [FILE ...]",
  description: `Checks each FILE, or all schemas of the configuration if no FILE is given.
Errors and warnings go to standard error; standard output gets a summary line for each schema.
Warnings do not change the exit code.

--fix applies all available fixes, also in imported files, and then reports what is left. With
--dry-run it prints the changes, writes nothing, and exits with 1 if there is anything to fix.

Style rules run if "lint" in the configuration or --rules enables them and the schema has no
errors. A FILE uses the top-level settings of the configuration, not those of its schemas.

With --format json, standard output is a single document:
  { ok, schemas: [{ path, project, ok, errors, warnings, contains }],
    diagnostics: [{ code, name, severity, message, advice, path, start, end, notes, fix }],
    fixed: [{ path, fixes }] }
Lines and columns start at 1. Columns count UTF-16 code units, and "end" is exclusive.`,
  options: lintOptions,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit lint schema/api.ridl", description: "Check one schema" },
    {
      command: "ridlkit lint --strict",
      description: "Check all schemas; warnings are errors",
    },
    { command: "ridlkit lint --rules recommended api.ridl", description: "Check style too" },
    { command: "ridlkit lint --fix --dry-run", description: "Show what --fix would change" },
    { command: "ridlkit lint --format json > report.json", description: "Write a JSON report" },
  ],
  async run(call) {
    const { options, schemas, reader, report } = call;
    if (options.dryRun === true && options.fix !== true) return refuse("--dry-run requires --fix.", call);
    const preset = presetNames.find((name) => name === options.rules);
    if (preset === undefined && options.rules !== undefined)
      return refuse(`Unknown preset "${options.rules}". Presets: ${presetNames.join(", ")}.`, call);
    const { changed, checked } =
      options.fix === true
        ? fixSchemas(schemas, reader)
        : { changed: [], checked: checkAll(schemas, reader) };
    if (options.dryRun !== true) {
      const texts = changed.map(({ path, after }) => ({ path, text: after }));
      const fault = replaceFiles(texts, call.cwd);
      if (fault !== undefined) {
        await reportFindings(report, [diagnose("cannot-write", fault, { path: fault.path })]);
        return exitCode.usage;
      }
    }
    const settings = preset === undefined ? undefined : lintSettings(preset);
    return printResult(call, changed, await withLintRules(checked, settings));
  },
});

function refuse(message: string, { terminal }: LintCall): ExitCode {
  terminal.err(usageText(message, "ridlkit help lint"));
  return exitCode.usage;
}

async function printResult(
  { options, report, terminal }: LintCall,
  changed: readonly ChangedFile[],
  checked: readonly CheckedSchema[],
): Promise<ExitCode> {
  const summaries = checked.map(summaryOf);
  const diagnostics = checked.flatMap(({ compilation }) => compilation.diagnostics);
  const fixed = changed.map(({ path, fixes }) => ({ path, fixes }));
  await reportFindings(report, diagnostics, {
    schemas: summaries,
    ...(options.fix === true ? { fixed } : {}),
  });
  if (report.format === "text") {
    if (options.dryRun === true) for (const file of changed) terminal.out(await patchOf(file));
    else if (!report.quiet) terminal.out(changed.map(fixedLine).join(""));
    if (!report.quiet) terminal.out(summaries.map(summaryLine).join(""));
  }
  const isClean = summaries.every(({ ok }) => ok) && (options.dryRun !== true || changed.length === 0);
  return isClean ? exitCode.ok : exitCode.findings;
}

/** `schema/api.ridl: 2 fixes`. */
function fixedLine({ path, fixes }: ChangedFile): string {
  return `${visible(path)}: ${fixes.length} ${fixes.length === 1 ? "fix" : "fixes"}\n`;
}

function summaryOf({
  schema: { path, project },
  compilation: { diagnostics, result },
}: CheckedSchema): SchemaSummary {
  return {
    path,
    ...(project === undefined ? {} : { project }),
    ok: result !== undefined,
    ...tallyOf(diagnostics),
    ...(result === undefined ? {} : { contains: result.counts }),
  };
}

/** `platform.ridl: 12 methods, 30 types, 16 errors, no problems`. */
function summaryLine({ path, contains, errors, warnings }: SchemaSummary): string {
  const contents =
    contains === undefined
      ? "rejected"
      : [
          counted(contains.methods, "method"),
          counted(contains.types, "type"),
          counted(contains.errors, "error"),
        ].join(", ");
  return `${visible(path)}: ${contents}, ${tallyText({ errors, warnings })}\n`;
}

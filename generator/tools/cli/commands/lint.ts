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
  fix: { kind: "flag", description: "carry out the fixes, and show what is left" },
  dryRun: { kind: "flag", description: "with --fix: show the changes, and write nothing" },
  rules: { kind: "text", value: "PRESET", description: `rules of style: ${presetNames.join(", ")}` },
} as const satisfies OptionTable;

type LintCall = CommandCall<typeof lintOptions>;

export const lint: Command = defineCommand({
  name: "lint",
  summary: "check schemas",
  usage: "[options] [FILE ...]",
  description: `Checks the FILEs, or without any the schemas of the configuration, and shows each fault where it
lies. Diagnostics go to standard error, one line for each schema to standard output. Warnings leave
the exit code at 0. With --format json standard output is one document instead:
  { ok, schemas: [{ path, project, ok, faults, contains }],
    diagnostics: [{ code, name, severity, message, advice, path, start, end, notes, fix }],
    fixed: [{ path, fixes }] }
Lines and columns are counted from 1, columns in UTF-16 code units; "end" is exclusive.
With --fix the fixes are carried out first, in imported files too; what is shown is what is left.
With --dry-run nothing is written, and the exit code is 1 if there is anything to fix.
Style is looked at only if "lint" of the configuration or --rules says so, and no error is found.
For a FILE the settings of the whole configuration count, not those of one of its schemas.`,
  options: lintOptions,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit lint schema/api.ridl", description: "check one schema" },
    {
      command: "ridlkit lint --strict",
      description: "check those of the configuration; a warning is an error",
    },
    { command: "ridlkit lint --rules recommended api.ridl", description: "look at style as well" },
    { command: "ridlkit lint --fix --dry-run", description: "show what would be mended" },
    { command: "ridlkit lint --format json > faults.json", description: "for tools" },
  ],
  async run(call) {
    const { options, schemas, reader, report } = call;
    if (options.dryRun === true && options.fix !== true)
      return refuse("--dry-run says how --fix is done; give both.", call);
    const preset = presetNames.find((name) => name === options.rules);
    if (preset === undefined && options.rules !== undefined)
      return refuse(`There is no preset "${options.rules}". There are ${presetNames.join(", ")}.`, call);
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
    faults: tallyOf(diagnostics),
    ...(result === undefined ? {} : { contains: result.counts }),
  };
}

/** `platform.ridl: 12 methods, 30 types, 16 errors, no problems`. */
function summaryLine({ path, contains, faults }: SchemaSummary): string {
  const contents =
    contains === undefined
      ? "rejected"
      : [
          counted(contains.methods, "method"),
          counted(contains.types, "type"),
          counted(contains.errors, "error"),
        ].join(", ");
  return `${visible(path)}: ${contents}, ${tallyText(faults)}\n`;
}

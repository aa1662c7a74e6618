import { type Compilation, compile } from "../../../language/compile.ts";
import { diagnose, type Fix } from "../../../language/diagnostics/diagnostic.ts";
import type { Paint } from "../../../language/diagnostics/paint.ts";
import { counted, distinct, tallyOf, tallyText } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { type FixedFile, type FixedFiles, fixFiles } from "../../../language/fixes.ts";
import { type LintSettings, lintSettings, presetNames } from "../../../language/lint/settings.ts";
import { addLintFindings } from "../../../language/lint-findings.ts";
import { type SourceReader, withTexts } from "../../../language/source/reader.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { forCode, type Schema } from "../config/schemas.ts";
import { overwriteFiles } from "../files/write-files.ts";
import { type OptionTable, schemaOptions } from "../options.ts";
import { reportFindings, type SchemaSummary } from "../output/report.ts";
import { patchOf } from "../output/terminal.ts";

const lintOptions = {
  ...schemaOptions,
  fix: { kind: "flag", description: "Apply the fixes, then report what is left" },
  dryRun: { kind: "flag", description: "With --fix: print the changes, write nothing" },
  preset: { kind: "text", value: "PRESET", description: `Preset of style rules: ${presetNames.join(", ")}` },
} as const satisfies OptionTable;

type LintCall = CommandCall<typeof lintOptions>;

export const lint: Command = defineCommand({
  name: "lint",
  usage: "[options] [FILE ...]",
  description: `Checks each FILE, or all schemas of the configuration if no FILE is given.
Errors and warnings go to standard error; standard output gets a summary line for each schema.
Warnings do not change the exit code.

--fix applies the fixes, also in imported files, and then reports what is left. Fixes never change
what a schema means, and add no errors. Suggestions, such as "Did you mean", are not applied. With
--dry-run it prints the changes, writes nothing, and exits with 1 if there is anything to fix.

Style rules run if "lint" in the configuration or --preset enables them and the schema has no
errors. A FILE uses the top-level settings of the configuration, not those of its schemas.

With --format json, standard output is a single document:
  { ok, schemas: [{ path, project, ok, errors, warnings, contains }],
    diagnostics: [{ code, name, severity, message, advice, path, start, end, notes, fix,
      suggestion }],
    fixed: [{ path, fixes }] }
Lines and columns start at 1. Columns count UTF-16 code units, and "end" is exclusive.`,
  options: lintOptions,
  jsonStream: "out",
  examples: [
    { command: "ridlkit lint schema/api.ridl", description: "Check one schema" },
    {
      command: "ridlkit lint --strict",
      description: "Check all schemas; warnings are errors",
    },
    { command: "ridlkit lint --preset recommended api.ridl", description: "Check style too" },
    { command: "ridlkit lint --fix --dry-run", description: "Show what --fix would change" },
    { command: "ridlkit lint --format json > report.json", description: "Write a JSON report" },
  ],
  async run(call) {
    const { options, schemas, reader, report } = call;
    if (options.dryRun === true && options.fix !== true) return call.refuse("--dry-run requires --fix.");
    const preset = presetNames.find((name) => name === options.preset);
    if (preset === undefined && options.preset !== undefined)
      return call.refuse(`Unknown preset "${options.preset}". Presets: ${presetNames.join(", ")}.`);
    const { files, checked } =
      options.fix === true ? fixSchemas(schemas, reader) : { files: [], checked: checkAll(schemas, reader) };
    if (options.dryRun !== true) {
      const texts = files.map(({ file: { path }, text }) => ({ path, text }));
      const fault = overwriteFiles(texts, call.cwd);
      if (fault !== undefined) {
        reportFindings(report, [diagnose("cannot-write", fault, { path: fault.path })]);
        return exitCode.usage;
      }
    }
    const settings = preset === undefined ? undefined : lintSettings(preset);
    return printResult(call, files, await withLintRules(checked, settings));
  },
});

async function printResult(
  { options, report, terminal }: LintCall,
  files: readonly FixedFile[],
  checked: readonly CheckedSchema[],
): Promise<ExitCode> {
  const summaries = checked.map(summaryOf);
  const diagnostics = checked.flatMap(({ compilation }) => compilation.diagnostics);
  const fixed = files.map(({ file: { path }, fixes }) => ({ path, fixes }));
  const lines = [...new Set(summaries.map((summary) => summaryLine(summary, report.outPaint)))];
  reportFindings(
    report,
    diagnostics,
    { schemas: summaries, ...(options.fix === true ? { fixed } : {}) },
    { hasOwnTotals: true },
  );
  if (report.format === "text") {
    if (options.dryRun === true) {
      for (const { file, text } of files)
        terminal.out(await patchOf({ path: file.path, before: file.text, after: text }));
    } else if (!report.quiet) terminal.out(files.map(fixedLines).join(""));
    if (!report.quiet) terminal.out(lines.join(""));
  }
  const isClean = summaries.every(({ ok }) => ok) && (options.dryRun !== true || files.length === 0);
  return isClean ? exitCode.ok : exitCode.findings;
}

/** Maximum number of fixes of a file that are listed; `git diff` shows more of them better. */
const maxListedFixes = 20;

/** `schema/api.ridl: 2 fixes`, and a line for each of them, such as `  Write "=>"`. */
function fixedLines({ file, fixes }: FixedFile): string {
  const count = `${visible(file.path)}: ${fixes.length} ${fixes.length === 1 ? "fix" : "fixes"}\n`;
  return fixes.length > maxListedFixes
    ? count
    : `${count}${fixes.map((title) => `  ${visible(title)}\n`).join("")}`;
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
function summaryLine({ path, contains, errors, warnings }: SchemaSummary, paint: Paint): string {
  const contents =
    contains === undefined
      ? "invalid"
      : [
          counted(contains.methods, "method"),
          counted(contains.types, "type"),
          counted(contains.errors, "error"),
        ].join(", ");
  const total = tallyText({ errors, warnings });
  const shown =
    errors + warnings === 0 ? paint.good(total) : paint.severity(errors > 0 ? "error" : "warning", total);
  return `${visible(path)}: ${contents}, ${shown}\n`;
}

/** Adds the findings of style rules, with the settings `given` or those of each schema's configuration. */
export async function withLintRules(
  checked: readonly CheckedSchema[],
  given: LintSettings | undefined,
): Promise<CheckedSchema[]> {
  return Promise.all(
    checked.map(async ({ schema, compilation }) => ({
      schema,
      compilation: await addLintFindings(compilation, given ?? lintSettings(schema.lint), schema.strict),
    })),
  );
}

/** A schema and its compilation. */
export interface CheckedSchema {
  readonly schema: Schema;
  readonly compilation: Compilation;
}

export interface FixedSchemas extends FixedFiles {
  /** The schemas after the fixes. */
  readonly checked: readonly CheckedSchema[];
}

/** Applies fixes in memory. Skips files that are not UTF-8, because writing them would lose bytes. */
export function fixSchemas(schemas: readonly Schema[], reader: SourceReader): FixedSchemas {
  const checkWith = (texts: ReadonlyMap<string, string>): readonly CheckedSchema[] =>
    checkAll(schemas, withTexts(reader, texts));
  const fixed = fixFiles(
    (texts) => distinct(checkWith(texts).flatMap(({ compilation }) => compilation.diagnostics)),
    (fix) => isUtf8(fix, reader),
  );
  return { ...fixed, checked: checkWith(new Map(fixed.files.map(({ file, text }) => [file.path, text]))) };
}

/** The form of 64-bit integers is known for schemas of the configuration. */
export function checkAll(schemas: readonly Schema[], reader: SourceReader): CheckedSchema[] {
  return schemas.map((schema) => {
    const options = schema.generation === undefined ? schema : forCode(schema);
    return { schema, compilation: compile(schema.path, reader, options) };
  });
}

function isUtf8({ file }: Fix, reader: SourceReader): boolean {
  if (!file.text.includes("\uFFFD")) return true;
  const read = reader.read(file.path);
  return read.kind === "bytes" && Buffer.from(file.text).equals(read.bytes);
}

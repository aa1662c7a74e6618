import type { Diagnostic } from "../../../language/diagnostics/diagnostic.ts";
import {
  type DiagnosticJson,
  diagnosticToJson,
  githubAnnotation,
  sarifLog,
} from "../../../language/diagnostics/machine-formats.ts";
import type { Paint } from "../../../language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../../language/diagnostics/render.ts";
import { distinct, tallyOf, tallyText } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { ContractChanges } from "../../../verify/breaking/release.ts";
import { type CommandError, usageJson } from "../command-error.ts";
import type { Format } from "../options.ts";
import type { Terminal } from "../process-context.ts";
import { errColumns, type JsonStream, printJson } from "./terminal.ts";

/** How diagnostics are printed. */
export interface Report {
  readonly terminal: Terminal;
  readonly format: Format;
  readonly quiet: boolean;
  /** The colors of standard output. */
  readonly outPaint: Paint;
  /** The colors of standard error, and links to files. */
  readonly errPaint: Paint;
  /** The stream of the JSON document. Diagnostics as text always go to standard error. */
  readonly jsonStream: JsonStream;
  /** The version of ridlkit. */
  readonly version: string;
}

/** The JSON document. Keys may be added, but never renamed or removed. */
export interface FindingsJson {
  readonly ok: boolean;
  readonly schemas?: readonly SchemaSummary[];
  /** From `history`. */
  readonly histories?: readonly HistoryJson[];
  /** The stack that `init` has set up. */
  readonly stack?: string;
  /** The state of each file, from commands that write or check files. */
  readonly files?: readonly FileJson[];
  /** What is left to do by hand, from `init`. */
  readonly hints?: readonly string[];
  /** The folders of generated files, from `check`. */
  readonly folders?: readonly FolderJson[];
  /** The command that updates outdated files. */
  readonly command?: string;
  readonly diagnostics: readonly DiagnosticJson[];
  /** The fixes that `--fix` applied, or would apply. Absent without `--fix`. */
  readonly fixed?: readonly FixedFileJson[];
}

export interface FileJson {
  readonly path: string;
  readonly state: string;
  /** A unified diff, with `--diff`. */
  readonly diff?: string;
}

export interface FolderJson {
  readonly path: string;
  readonly schema: string;
  /** Name of the schema in the configuration. */
  readonly project?: string;
  readonly ok: boolean;
}

export interface FixedFileJson {
  readonly path: string;
  readonly fixes: readonly string[];
}

export interface SchemaSummary {
  readonly path: string;
  /** Name of the schema in the configuration. */
  readonly project?: string;
  readonly ok: boolean;
  readonly errors: number;
  readonly warnings: number;
  /** Contents of the schema; absent if it has errors. */
  readonly contains?: {
    readonly services: number;
    readonly methods: number;
    readonly types: number;
    /** Declared errors, without built-in ones. */
    readonly errors: number;
  };
}

/**
 * Prints diagnostics, in JSON with the given subjects. A diagnostic that several schemas share is printed once. `hasOwnTotals`: the
 * command prints their number itself.
 */
export function reportFindings(
  report: Report,
  found: readonly Diagnostic[],
  subjects: Pick<
    FindingsJson,
    "schemas" | "histories" | "files" | "folders" | "fixed" | "command" | "stack" | "hints"
  > = {
    schemas: [],
  },
  { hasOwnTotals = false }: { readonly hasOwnTotals?: boolean } = {},
): void {
  const all = distinct(found);
  const shown = report.quiet ? all.filter(({ severity }) => severity === "error") : all;
  const ok = tallyOf(all).errors === 0;
  switch (report.format) {
    case "text":
      writeText(report, shown, hasOwnTotals);
      break;
    case "github":
      writeAnnotations(report, shown);
      break;
    case "sarif":
      writeSarif(report, shown);
      break;
    case "json":
      printJson(report.terminal, report.jsonStream, {
        ok,
        ...subjects,
        diagnostics: shown.map(diagnosticToJson),
      } satisfies FindingsJson);
  }
}

function writeText(
  { terminal, errPaint, quiet }: Report,
  diagnostics: readonly Diagnostic[],
  hasOwnTotals: boolean,
): void {
  if (diagnostics.length === 0) return;
  const columns = errColumns(terminal);
  const texts = diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic, errPaint, columns)}\n`);
  if (!quiet && !hasOwnTotals) texts.push(`${tallyText(tallyOf(diagnostics))}\n`);
  terminal.err(texts.join(""));
}

/** GitHub's runner reads annotations from both streams; they go where the JSON document would go. */
function writeAnnotations({ terminal, jsonStream }: Report, diagnostics: readonly Diagnostic[]): void {
  const stream = jsonStream === "out" ? "out" : "err";
  terminal[stream](diagnostics.map((each) => `${visible(githubAnnotation(each))}\n`).join(""));
}

function writeSarif(report: Report, diagnostics: readonly Diagnostic[]): void {
  const jsonStream = report.jsonStream === "lines" ? "err" : report.jsonStream;
  printJson(report.terminal, jsonStream, sarifLog(diagnostics, { version: report.version }));
}

/** Prints a command error of a command that keeps running, such as `dev` after an edit of the configuration. */
export function reportCommandError(error: CommandError, report: Report): void {
  if (error.kind === "configuration") reportFindings(report, error.diagnostics);
  else if (report.format === "json") printJson(report.terminal, report.jsonStream, usageJson(error));
  else report.terminal.err(`ridlkit: ${visible(error.message)}\n`);
}

/** A schema and its kept versions, in the JSON of `ridlkit history`. */
export interface HistoryJson {
  readonly schema: string;
  readonly project?: string;
  readonly folder: string;
  /** The version of the schema. */
  readonly version: string;
  /** Oldest first. */
  readonly kept: readonly { readonly version: string; readonly path: string }[];
  /** What `add` did. */
  readonly state?: "added" | "unchanged";
  /** The release that the changes of the schema need. Absent if there are none. */
  readonly since?: { readonly version: string; readonly release: string; readonly next: string };
  /** Newest first, from `changelog`. */
  readonly changelog?: readonly VersionJson[];
}

export interface VersionJson extends Partial<ChangesJson> {
  readonly version: string;
  readonly released: boolean;
  /** The version before it. Absent for the first version. */
  readonly since?: string;
}

export interface ChangesJson {
  readonly breaking: readonly FindingJson[];
  readonly warnings: readonly FindingJson[];
  readonly added: ContractChanges["added"];
  readonly renamed: ContractChanges["renamed"];
  readonly deprecated: ContractChanges["deprecated"];
}

export interface FindingJson {
  readonly code: string;
  readonly message: string;
  /** A generated server converts calls of the version before. */
  readonly converted?: true;
}

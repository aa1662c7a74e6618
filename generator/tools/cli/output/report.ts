import type { Diagnostic } from "../../../language/diagnostics/diagnostic.ts";
import { githubAnnotation } from "../../../language/diagnostics/github.ts";
import { type DiagnosticJson, diagnosticToJson } from "../../../language/diagnostics/json.ts";
import { coloured, plain } from "../../../language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../../language/diagnostics/render.ts";
import { distinct, type Tally, tallyOf, tallyText } from "../../../language/diagnostics/tally.ts";
import { visible, visibleJson } from "../../../language/diagnostics/visible.ts";
import type { Format } from "../options.ts";
import type { Terminal } from "../process-context.ts";

/** How findings leave the program. */
export interface Report {
  readonly terminal: Terminal;
  readonly format: Format;
  readonly quiet: boolean;
  readonly colour: boolean;
  /** Where the JSON document goes. Diagnostics in text always go to standard error. */
  readonly jsonStream: "out" | "err";
  /** Of the program. */
  readonly version: string;
}

/** The JSON document. Keys are only ever added. */
export interface FindingsJson {
  readonly ok: boolean;
  readonly schemas?: readonly SchemaSummary[];
  /** What `init` has set the project up for. */
  readonly stack?: string;
  /** What became of each file, or what would, from commands that write them or check them. */
  readonly files?: readonly FileJson[];
  /** The folders of generated files, from the command that checks them. */
  readonly folders?: readonly FolderJson[];
  /** What brings the generated files in line, where they are not. */
  readonly command?: string;
  readonly diagnostics: readonly DiagnosticJson[];
  /** What `--fix` changed, or would change; absent without it. */
  readonly fixed?: readonly FixedFileJson[];
}

export interface FileJson {
  readonly path: string;
  readonly state: string;
  /** In the unified form, where it was asked for. */
  readonly diff?: string;
}

export interface FolderJson {
  readonly path: string;
  readonly schema: string;
  /** Its name in the configuration. */
  readonly project?: string;
  readonly ok: boolean;
  /** Of the whole folder; single files may be edited, missing or orphaned besides. */
  readonly causes: readonly string[];
}

export interface FixedFileJson {
  readonly path: string;
  /** Titles of the fixes. */
  readonly fixes: readonly string[];
}

export interface SchemaSummary {
  readonly path: string;
  /** Its name in the configuration. */
  readonly project?: string;
  readonly ok: boolean;
  readonly faults: Tally;
  /** What the schema holds; absent if it was rejected. */
  readonly contains?: {
    readonly services: number;
    readonly methods: number;
    readonly types: number;
    /** Those it declares, without the built-in ones. */
    readonly errors: number;
  };
}

/** Shows diagnostics, and in JSON also what was looked at; a fault that several schemas share is shown once. */
export async function reportFindings(
  report: Report,
  found: readonly Diagnostic[],
  subjects: Pick<FindingsJson, "schemas" | "files" | "folders" | "fixed" | "command" | "stack"> = {
    schemas: [],
  },
): Promise<void> {
  const all = distinct(found);
  const shown = report.quiet ? all.filter(({ severity }) => severity === "error") : all;
  const ok = tallyOf(all).errors === 0;
  switch (report.format) {
    case "text":
      writeText(report, shown);
      break;
    case "github":
      writeAnnotations(report, shown);
      break;
    case "sarif":
      await writeSarif(report, shown);
      break;
    case "json":
      writeDocument(report, {
        ok,
        ...subjects,
        diagnostics: shown.map(diagnosticToJson),
      } satisfies FindingsJson);
  }
}

function writeText({ terminal, colour, quiet }: Report, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const paint = colour ? coloured : plain;
  const texts = diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic, paint)}\n`);
  if (!quiet) texts.push(`${tallyText(tallyOf(diagnostics))}\n`);
  terminal.err(texts.join(""));
}

/** The runner reads them from either stream; they stand where the document would. */
function writeAnnotations({ terminal, jsonStream }: Report, diagnostics: readonly Diagnostic[]): void {
  terminal[jsonStream](diagnostics.map((each) => `${visible(githubAnnotation(each))}\n`).join(""));
}

/** Loaded here, because it has all explanations in it. */
async function writeSarif(report: Report, diagnostics: readonly Diagnostic[]): Promise<void> {
  const { sarifLog } = await import("../../../language/diagnostics/sarif.ts");
  writeDocument(report, sarifLog(diagnostics, { version: report.version }));
}

function writeDocument({ terminal, jsonStream }: Report, document: unknown): void {
  terminal[jsonStream](`${visibleJson(JSON.stringify(document, null, 2))}\n`);
}

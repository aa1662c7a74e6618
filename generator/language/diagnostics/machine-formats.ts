import type { Position } from "../source/source-file.ts";
import { type CatalogEntry, exampleLines } from "./catalog/entry.ts";
import type { Diagnostic, Fix, Location, Note, Severity } from "./diagnostic.ts";

/** A diagnostic in JSON output. Keys may be added, but never renamed or removed. */
export interface DiagnosticJson {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  readonly advice?: string;
  readonly path: string;
  /** Lines and columns start at 1 and `end` is exclusive; columns count UTF-16 code units. Undefined if the file could not be read as text. */
  readonly start?: Position;
  readonly end?: Position;
  readonly notes: readonly NoteJson[];
  readonly fix?: FixJson;
  readonly suggestion?: FixJson;
}

export interface NoteJson {
  readonly message: string;
  readonly path?: string;
  readonly start?: Position;
  readonly end?: Position;
}

/** Edits of one file that have to be applied together. */
export interface FixJson {
  readonly title: string;
  readonly path: string;
  readonly edits: readonly { readonly start: Position; readonly end: Position; readonly text: string }[];
}

export function diagnosticToJson(diagnostic: Diagnostic): DiagnosticJson {
  const { code, name, severity, message, advice, path, at, notes, fix, suggestion } = diagnostic;
  return {
    code,
    name,
    severity,
    message,
    ...(advice === undefined ? {} : { advice }),
    path,
    ...(at === undefined ? {} : rangeOf(at)),
    notes: notes.map(noteToJson),
    ...(fix === undefined ? {} : { fix: fixToJson(fix) }),
    ...(suggestion === undefined ? {} : { suggestion: fixToJson(suggestion) }),
  };
}

function noteToJson({ message, at }: Note): NoteJson {
  return at === undefined ? { message } : { message, path: at.file.path, ...rangeOf(at) };
}

function fixToJson({ title, file, edits }: Fix): FixJson {
  return {
    title,
    path: file.path,
    edits: edits.map(({ span, text }) => ({ ...rangeOf({ file, span }), text })),
  };
}

function rangeOf({ file, span }: Location): { readonly start: Position; readonly end: Position } {
  return { start: file.positionAt(span.start), end: file.positionAt(span.end) };
}

/**
 * A diagnostic as a workflow command of GitHub Actions, which shows it next to the line of a pull request:
 * `::error file=api.ridl,line=8,endLine=8,col=11,endColumn=14,title=RK308 unknown-type::There is no type "Kin".`
 * The runner requires escapes for `%` and line breaks, and in properties also for `:` and `,`.
 * Source: docs.github.com, "Workflow commands for GitHub Actions".
 */
export function githubAnnotation({
  code,
  name,
  severity,
  message,
  advice,
  path,
  at,
  notes,
}: Diagnostic): string {
  const position = at === undefined ? {} : positionOf(at);
  const properties = Object.entries({ file: at?.file.path ?? path, ...position, title: `${code} ${name}` })
    .map(([key, value]) => `${key}=${escapedProperty(String(value))}`)
    .join(",");
  const text = [message, advice ?? [], notes.map(noteText)].flat(2).join("\n");
  return `::${severity} ${properties}::${escapedData(text)}`;
}

/** Lines and columns start at 1. The runner accepts columns only if the span is on a single line. */
function positionOf({ file, span }: Location): Readonly<Record<string, number>> {
  const start = file.positionAt(span.start);
  const end = file.positionAt(Math.max(span.start, span.end));
  if (start.line !== end.line) return { line: start.line, endLine: end.line };
  return {
    line: start.line,
    endLine: end.line,
    col: start.column,
    endColumn: Math.max(end.column, start.column + 1),
  };
}

function noteText({ message, at }: Note): string {
  if (at === undefined) return message;
  const { line, column } = at.file.positionAt(at.span.start);
  return `${message} (${at.file.path}:${line}:${column})`;
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

export interface SarifTool {
  readonly version: string;
}

/**
 * Diagnostics as a SARIF 2.1.0 log, which code hosts and editors read. It has one run, a rule for each code that occurs, notes as
 * related locations, and fixes as replacements. Lines and columns start at 1, in UTF-16 code units.
 * Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
 */
export function sarifLog(diagnostics: readonly Diagnostic[], tool: SarifTool): unknown {
  const entries = new Map(diagnostics.map(({ name, entry }) => [name, entry]));
  const names = [...entries.keys()];
  const rules = [...entries].map(([name, entry]) => rule(name, entry));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "ridlkit", version: tool.version, rules } },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((diagnostic) => result(diagnostic, names.indexOf(diagnostic.name))),
      },
    ],
  };
}

function rule(name: string, { code, severity, rule, reason, examples }: CatalogEntry): unknown {
  const { bad, good } = examples();
  const block = (lines: readonly string[]): string => `\`\`\`\n${lines.join("\n")}\n\`\`\``;
  return {
    id: code,
    name,
    shortDescription: { text: rule },
    fullDescription: { text: `${rule} ${reason}` },
    help: {
      text: `${rule} ${reason}`,
      markdown: `${rule} ${reason}\n\nWrong:\n\n${block(exampleLines(bad))}\n\nRight:\n\n${block(exampleLines(good))}`,
    },
    defaultConfiguration: { level: severity },
  };
}

function result(
  { code, severity, message, advice, path, at, notes, fix, suggestion }: Diagnostic,
  ruleIndex: number,
): unknown {
  const related = notes.flatMap((note, id) =>
    note.at === undefined ? [] : [{ id, message: { text: note.message }, ...location(note.at) }],
  );
  const edits = [fix, suggestion].filter((each) => each !== undefined);
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: advice === undefined ? message : `${message} ${advice}` },
    locations: [at === undefined ? { physicalLocation: { artifactLocation: artifact(path) } } : location(at)],
    ...(related.length === 0 ? {} : { relatedLocations: related }),
    ...(edits.length === 0 ? {} : { fixes: edits.map(fixOf) }),
  };
}

function location(at: Location): { readonly physicalLocation: unknown } {
  return { physicalLocation: { artifactLocation: artifact(at.file.path), region: region(at) } };
}

/** A path as a URI reference, relative to the working directory. */
function artifact(path: string): { readonly uri: string } {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return { uri: path.startsWith("/") ? `file://${uri}` : uri };
}

/** `endColumn` is exclusive; an empty region has the same start and end. */
function region({ file, span }: Location): unknown {
  const start = file.positionAt(span.start);
  const end = file.positionAt(span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

function fixOf({ title, file, edits }: Fix): unknown {
  const replacements = edits.map(({ span, text }) => ({
    deletedRegion: region({ file, span }),
    insertedContent: { text },
  }));
  return {
    description: { text: title },
    artifactChanges: [{ artifactLocation: artifact(file.path), replacements }],
  };
}

import type { Diagnostic, Location, Note } from "./diagnostic.ts";
import type { Paint } from "./paint.ts";
import { columnsOf, endWithin, startWithin, visible } from "./visible.ts";

/**
 * A diagnostic as text for people, with a line break at the end. It is ASCII, apart from excerpts of the schema:
 *
 *     error[RK308]: There is no type "Usr".
 *       --> schema/api.ridl:12:11
 *        |
 *     12 |   - user: Usr
 *        |           ^^^
 *        = Did you mean "User"?
 *     note: "User" is declared here.
 *       --> schema/types.ridl:3:8
 *        |
 *      3 | struct User
 *        |        ^^^^
 *
 * `columns` is the width of the terminal. Only excerpts are cut: a terminal wraps other lines without harm.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  paint: Paint,
  columns: number = Number.POSITIVE_INFINITY,
): string {
  const { severity } = diagnostic;
  const notes = shortened(diagnostic.notes);
  const locations = [diagnostic.at, ...notes.map((note) => note.at)].filter((at) => at !== undefined);
  const lines = locations.map(({ file, span }) => file.positionAt(span.start).line);
  const gutter = Math.max(1, ...lines.map((line) => String(line).length));
  const maxColumns = Math.max(frameMinColumns, Math.min(maxFrameColumns, columns - gutter - " | ".length));
  const frames = new Map(locations.map((at) => [at, frameOf(at, maxColumns)]));
  const context: RenderContext = { paint, gutter, frames, mark: (text) => paint.severity(severity, text) };
  const shown = [
    `${paint.severity(severity, `${severity}[${diagnostic.code}]`)}${paint.strong(`: ${visible(diagnostic.message)}`)}`,
    ...(diagnostic.at === undefined
      ? [arrow(context, paint.file(diagnostic.path, visible(diagnostic.path)))]
      : excerpt(context, diagnostic.at)),
    ...adviceLines(context, diagnostic),
    ...notes.flatMap((note) => noteLines(context, note)),
  ];
  return `${shown.join("\n")}\n`;
}

/** Narrower excerpts show too little. */
const frameMinColumns = 20;

/** Maximum number of notes that are shown with their lines; the others are only counted. */
const maxNotes = 3;

function shortened(notes: readonly Note[]): readonly Note[] {
  if (notes.length <= maxNotes + 1) return notes;
  return [...notes.slice(0, maxNotes), { message: `There are ${notes.length - maxNotes} more locations.` }];
}

/** Shared by all parts of one diagnostic, so that their frames are aligned. */
interface RenderContext {
  readonly paint: Paint;
  /** Width of the longest line number. */
  readonly gutter: number;
  readonly frames: ReadonlyMap<Location, Frame>;
  readonly mark: (text: string) => string;
}

function excerpt(context: RenderContext, location: Location): string[] {
  const { line, column } = location.file.positionAt(location.span.start);
  const { path } = location.file;
  const head = arrow(context, context.paint.file(path, `${visible(path)}:${line}:${column}`));
  const frame = context.frames.get(location);
  // An empty file has no line to show.
  if (frame === undefined || location.file.text === "") return [head];
  return [
    head,
    gutterLine(context, ""),
    `${context.paint.frame(`${String(frame.line).padStart(context.gutter)} |`)} ${frame.code}`.trimEnd(),
    `${gutterLine(context, "")} ${marksOf(context, frame.marks)}`,
  ];
}

/** Colors the marks, but not the spaces before them. */
function marksOf(context: RenderContext, marks: string): string {
  const at = marks.indexOf("^");
  return `${marks.slice(0, at)}${context.mark(marks.slice(at))}`;
}

function adviceLines(context: RenderContext, { advice, fix, suggestion }: Diagnostic): string[] {
  const lines = advice === undefined ? [] : [advice];
  if (fix !== undefined && fix.title !== advice) lines.push(`fix: ${fix.title}`);
  // "Did you mean" already contains the suggestion.
  if (suggestion !== undefined && advice?.endsWith("?") !== true)
    lines.push(`suggestion: ${suggestion.title}`);
  return lines.map((line) => gutterLine(context, "=", visible(line)));
}

function noteLines(context: RenderContext, note: Note): string[] {
  const head = `${context.paint.strong("note")}: ${visible(note.message)}`;
  return note.at === undefined ? [head] : [head, ...excerpt(context, note.at)];
}

function arrow(context: RenderContext, text: string): string {
  return `${" ".repeat(context.gutter)}${context.paint.frame("-->")} ${text}`;
}

/** A line without a line number: `   |` or `   = advice`. */
function gutterLine(context: RenderContext, mark: "" | "=", text?: string): string {
  const line = `${" ".repeat(context.gutter)} ${context.paint.frame(mark === "" ? "|" : mark)}`;
  return text === undefined ? line : `${line} ${text}`;
}

/** The source line of a diagnostic, ready to print, and the marks below it. */
export interface Frame {
  /** 1-based. */
  readonly line: number;
  readonly code: string;
  readonly marks: string;
}

/** Maximum width of a source line in terminal columns, if the terminal is not narrower. */
const maxFrameColumns = 110;

const cutMark = "...";

/** Shows only the first line of a span. An empty span gets one mark. A line wider than `maxColumns` is cut around the span. */
function frameOf({ file, span }: Location, maxColumns: number = maxFrameColumns): Frame {
  const { line, column } = file.positionAt(span.start);
  const text = file.lineText(line);
  const start = Math.min(column - 1, text.length);
  const end = Math.max(start, Math.min(start + (span.end - span.start), text.length));
  const parts = { before: text.slice(0, start), marked: text.slice(start, end), after: text.slice(end) };
  const { before, marked, after } = cutAround(parts, maxColumns);
  const marks = `${" ".repeat(columnsOf(before))}${"^".repeat(Math.max(1, columnsOf(marked)))}`;
  return { line, code: `${before}${marked}${after}`.trimEnd(), marks };
}

interface Parts {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** The text before the marked part gets two fifths of the columns, and those that the rest of the line does not need. */
function cutAround(parts: Parts, maxColumns: number): Parts {
  const [before, marked, after] = [parts.before, parts.marked, parts.after].map(printable) as [
    string,
    string,
    string,
  ];
  const rest = marked + after;
  if (startWithin(before + rest, maxColumns) === before + rest) return { before, marked, after };
  const columns = maxColumns - 2 * cutMark.length;
  const spare = columns - columnsOf(startWithin(rest, columns));
  const lead = endWithin(before, Math.max(Math.floor(columns * 0.4), spare));
  const shown = startWithin(rest, columns - columnsOf(lead));
  return {
    before: `${lead.length < before.length ? cutMark : ""}${lead}`,
    marked: shown.slice(0, marked.length),
    after: `${shown.slice(marked.length)}${shown.length < rest.length ? cutMark : ""}`,
  };
}

/** A tab becomes four spaces, so the marks are aligned in every terminal. */
function printable(text: string): string {
  return visible(text.replaceAll("\t", "    "));
}

import type { Diagnostic, Location, Note } from "./diagnostic.ts";

/**
 * A diagnostic as a workflow command of GitHub Actions, which shows it beside the line of a pull request:
 * `::error file=api.ridl,line=8,endLine=8,col=11,endColumn=14,title=RK308 unknown-type::There is no type "Kin".`
 * Text is escaped as the runner reads it back: `%`, line breaks, and in properties `:` and `,` too.
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
  const place = at === undefined ? {} : placeOf(at);
  const properties = Object.entries({ file: at?.file.path ?? path, ...place, title: `${code} ${name}` })
    .map(([key, value]) => `${key}=${escapedProperty(String(value))}`)
    .join(",");
  const text = [message, advice ?? [], notes.map(noteText)].flat(2).join("\n");
  return `::${severity} ${properties}::${escapedData(text)}`;
}

/** Lines and columns count from 1; of a place that spans lines only the lines are said, as the runner wants it. */
function placeOf({ file, span }: Location): Readonly<Record<string, number>> {
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

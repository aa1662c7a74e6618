import type { Diagnostic, Location, Note } from "./diagnostic.ts";

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

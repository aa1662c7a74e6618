import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, Position, Range, TextEdit } from "vscode-languageserver/node";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";

/** Converts a span to lines and columns of the protocol: both start at 0, and columns count UTF-16 code units. */
export function rangeOf(source: SourceFile, { start, end }: Span): Range {
  return { start: positionOf(source, start), end: positionOf(source, end) };
}

function positionOf(source: SourceFile, offset: number): Position {
  const { line, column } = source.positionAt(Math.min(offset, source.text.length));
  return { line: line - 1, character: column - 1 };
}

/** Converts a position to an offset. As the protocol requires, a column past the end of a line means the end of the line. */
export function offsetOf(source: SourceFile, { line, character }: Position): number {
  const start = source.lineStarts[line];
  if (start === undefined) return source.text.length;
  return Math.min(start + character, start + source.lineText(line + 1).length);
}

export function locationOf(source: SourceFile, span: Span): Location {
  return { uri: uriOf(source.path), range: rangeOf(source, span) };
}

export function editOf(source: SourceFile, span: Span, newText: string): TextEdit {
  return { range: rangeOf(source, span), newText };
}

/** `/a b/api.ridl` → `file:///a%20b/api.ridl`. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Returns undefined if the URI is not a file: an unsaved text, or one side of a diff. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri).replaceAll("\\", "/");
  } catch {
    return undefined;
  }
}

import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, Position, Range, TextEdit } from "vscode-languageserver/node";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";

/** Lines and columns as the protocol counts them, from 0, columns in UTF-16 code units. */
export function rangeOf(source: SourceFile, { start, end }: Span): Range {
  return { start: positionOf(source, start), end: positionOf(source, end) };
}

function positionOf(source: SourceFile, offset: number): Position {
  const { line, column } = source.positionAt(Math.min(offset, source.text.length));
  return { line: line - 1, character: column - 1 };
}

/** A place past the end of its line is its end, as the protocol has it. */
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

/** Undefined for what is no file: a text that was never saved, a side of a comparison. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri).replaceAll("\\", "/");
  } catch {
    return undefined;
  }
}

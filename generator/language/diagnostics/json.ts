import type { Position } from "../source/source-file.ts";
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
  const { code, name, severity, message, advice, path, at, notes, fix } = diagnostic;
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

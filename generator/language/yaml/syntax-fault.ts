import { type Diagnostic, type DiagnosticExtras, diagnose } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

/** A syntax error of the `yaml` package. */
export interface PackageError {
  readonly at: readonly [start: number, end: number];
  /** Such as `BAD_INDENT`. */
  readonly code: string;
  readonly message: string;
}

/** Rephrases an error of the package, with advice. `unclosed` is the offset of the first bracket or quote without an end. */
export function syntaxFault(error: PackageError, file: SourceFile, unclosed?: number): Diagnostic {
  const found = unclosedDelimiter(error, file, unclosed) ?? listType(error, file) ?? keyFault(error, file);
  // An indentation error covers its whole line, and an escape has two characters.
  const [start, end] = error.at;
  const length = { TAB_AS_INDENT: file.text.length, BAD_INDENT: file.text.length, BAD_DQ_ESCAPE: 2 }[
    error.code
  ];
  const reported = [start, length === undefined ? end : start + length] as const;
  const { reason, advice, at = reported } = found ?? explain(error);
  const extra: DiagnosticExtras = advice === undefined ? {} : { advice };
  return diagnose("yaml-syntax", { reason }, { file, span: spanOnLine(at, file) }, extra);
}

interface Explanation {
  readonly reason: string;
  readonly advice?: string;
  /** The position of the mistake, if it differs from the reported one. */
  readonly at?: readonly [start: number, end: number];
}

/** An unclosed bracket or quote is reported lines later; the fix belongs where it opens. */
function unclosedDelimiter(
  { code, message }: PackageError,
  { text }: SourceFile,
  unclosed: number | undefined,
): Explanation | undefined {
  if (unclosed === undefined || !/flow|quote|block collection/i.test(message) || code === "TAB_AS_INDENT")
    return undefined;
  const open = text[unclosed] ?? "";
  const close = { "[": "]", "{": "}" }[open] ?? open;
  const at = [unclosed, text.length] as const;
  if (close === open)
    return {
      reason: "this quote is not closed",
      advice: "Start and end the value with the same quote, and write a space before it.",
      at,
    };
  return { reason: `"${open}" is not closed`, advice: `Add "${close}".`, at };
}

/** YAML reads `pets: []Pet` as a list and a stray word. */
function listType({ at: [start] }: PackageError, file: SourceFile): Explanation | undefined {
  const [, name] = /[:-]\s+\[\]\s*([\w<[\]]+)/.exec(lineAt(file, start)) ?? [];
  if (name === undefined) return undefined;
  return {
    reason: '"[" starts a list here',
    advice: `Write the type as ${name}[], or in quotes as "[]${name}".`,
  };
}

/** Explains an error in a key from the text of its line. */
function keyFault({ at: [start], code, message }: PackageError, file: SourceFile): Explanation | undefined {
  const line = lineAt(file, start);
  if (code === "MULTILINE_IMPLICIT_KEY" || /followed by map values/.test(message)) {
    if (/^[^:#]*:[^\s#]/.test(line))
      return { reason: "a space is missing after the colon", advice: 'Write "key: value".' };
    return {
      reason: "a colon is missing on this line",
      advice: 'Write "key: value", or "key:" above the indented lines.',
    };
  }
  if (code !== "BLOCK_AS_IMPLICIT_KEY") return undefined;
  const rest = file.text.slice(start, file.text.indexOf("\n", start));
  const colon = rest.search(/:(\s|$)/);
  if (colon >= 0)
    return {
      reason: "a second colon on this line starts another entry",
      advice: "Put the entry on a line of its own, or quote the value.",
      at: [start + colon, start + colon + 1],
    };
  const next = file.text.indexOf("\n", start) + 1;
  return {
    reason: "this line is indented further than the lines it belongs to",
    advice: "Give all entries of a map the same indentation.",
    at: [next, file.text.length],
  };
}

function lineAt(file: SourceFile, offset: number): string {
  return file.lineText(file.lineAt(offset));
}

function explain({ code, message }: PackageError): Explanation {
  switch (code) {
    case "TAB_AS_INDENT":
      return { reason: "tabs cannot be used for indentation", advice: "Indent with spaces." };
    case "BAD_INDENT":
      return {
        reason: /flow|closing/i.test(message)
          ? "this line is indented less than the brackets around it"
          : "this line is indented differently from the lines around it",
        advice: "Give all entries of a map or a list the same indentation.",
      };
    case "BLOCK_IN_FLOW":
      return {
        reason: "a comma is missing before this entry",
        advice: "Separate the entries in brackets with commas.",
      };
    case "BAD_SCALAR_START":
      return {
        reason: `a value cannot start with "${/(\S+)$/.exec(message)?.[1] ?? ""}" unless it is quoted`,
        advice: "Put it in quotes.",
      };
    case "BAD_DQ_ESCAPE":
      return {
        reason: "this is not a valid escape",
        advice: "In single quotes a backslash is a backslash: '^[0-9]+\\.$'.",
      };
    case "KEY_OVER_1024_CHARS":
      return { reason: "a key is longer than 1,024 characters" };
    case "MISSING_CHAR":
      return missing(message);
    case "UNEXPECTED_TOKEN":
      return unexpected(message);
    default:
      return { reason: lowerFirst(message) };
  }
}

function missing(message: string): Explanation {
  if (/without - indicator/.test(message))
    return { reason: '"- " is missing here', advice: 'Every item of a list starts with "- ".' };
  if (/Missing space after :/.test(message)) return { reason: "a space is missing after the colon" };
  if (/Missing ,/.test(message))
    return {
      reason: "a comma is missing between two items",
      advice: 'Separate items with commas, and write entries as "key: value".',
    };
  if (/Comments must be/.test(message)) return { reason: 'a space is missing before "#"' };
  return { reason: lowerFirst(message) };
}

function unexpected(message: string): Explanation {
  if (/empty item|Unexpected ,/.test(message)) return { reason: "a comma has nothing before it" };
  const [, found] = /Unexpected (\S+)/.exec(message) ?? [];
  if (found === "scalar" || found === "flow-seq-end" || found === "flow-map-end")
    return {
      reason: found === "scalar" ? "a value is not allowed here" : "a closing bracket has no opening one",
    };
  return { reason: found === undefined ? lowerFirst(message) : `${found} is not allowed here` };
}

/** From the first character that is not a blank to the end of its line. Not empty, unless the file ends there. */
function spanOnLine([start, end]: readonly [number, number], { text }: SourceFile): Span {
  let from = Math.min(start, text.length);
  while (text[from] === " " || text[from] === "\t") from++;
  const lineEnd = text.indexOf("\n", from);
  const limit = lineEnd === -1 ? text.length : Math.max(lineEnd, from + 1);
  let to = Math.min(Math.max(end, from + 1), limit);
  while (to > from + 1 && text[to - 1] === " ") to--;
  return { start: from, end: to };
}

/** `Implicit keys need … line.` → `implicit keys need … line`. */
function lowerFirst(message: string): string {
  return message.replace(/\.$/, "").replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

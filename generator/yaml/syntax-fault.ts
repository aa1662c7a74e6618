import { type Diagnostic, diagnose, type Extra } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

/** What the `yaml` package objects to. */
export interface PackageError {
  readonly at: readonly [start: number, end: number];
  /** Its code, as `BAD_INDENT`. */
  readonly code: string;
  readonly message: string;
}

/** The package's objection in our words, with what to do about it. */
export function syntaxFault(error: PackageError, file: SourceFile): Diagnostic {
  const span = placeOf(error, file);
  const line = file.lineText(file.lineAt(span.start));
  const { reason, advice } = listType(line) ?? explain(error);
  const extra: Extra = advice === undefined ? {} : { advice };
  return diagnose("yaml-syntax", { reason }, { file, span }, extra);
}

interface Explanation {
  readonly reason: string;
  readonly advice?: string;
}

/** `pets: []Pet` is a list and a stray word to YAML. */
function listType(line: string): Explanation | undefined {
  const [, name] = /[:-]\s+\[\]\s*([\w<[\]]+)/.exec(line) ?? [];
  if (name === undefined) return undefined;
  return {
    reason: '"[" starts a list here',
    advice: `Write the type as ${name}[], or in quotes as "[]${name}".`,
  };
}

function explain({ code, message }: PackageError): Explanation {
  switch (code) {
    case "TAB_AS_INDENT":
      return { reason: "a tab cannot indent", advice: "Indent with blanks." };
    case "BAD_INDENT":
      return {
        reason: /flow|closing/i.test(message)
          ? "this line is indented less than the brackets it stands in"
          : "this line is indented otherwise than the lines it belongs to",
        advice: "Give all entries of a map or a list the same indentation.",
      };
    case "BLOCK_AS_IMPLICIT_KEY":
      return {
        reason: "a second colon on this line starts another entry",
        advice: "Put the entry on a line of its own, or the text in quotes.",
      };
    case "MULTILINE_IMPLICIT_KEY":
      return {
        reason: "a key must stand on one line",
        advice: "A line above lacks its colon, or this one is indented too far.",
      };
    case "BAD_SCALAR_START":
      return {
        reason: `a text cannot start with ${/with (\S+)/.exec(message)?.[1] ?? "this"} unless it is quoted`,
        advice: "Put it in quotes.",
      };
    case "BAD_DQ_ESCAPE":
      return {
        reason: "this is no escape",
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
  if (/closing ["']/.test(message))
    return { reason: "the quotes are not closed", advice: "End the text with the quote it starts with." };
  if (/followed by map values/.test(message))
    return { reason: "a key without a colon", advice: 'Write "key: value", with a blank behind the colon.' };
  if (/without - indicator/.test(message))
    return { reason: '"- " is missing here', advice: 'Every item of a list starts with "- ".' };
  if (/Missing space after :/.test(message)) return { reason: "a blank is missing behind the colon" };
  if (/Missing ,/.test(message)) return { reason: "a comma is missing between two items" };
  if (/Comments must be/.test(message)) return { reason: 'a blank is missing before "#"' };
  const [, close] = /must end with a ([\]}])/.exec(message) ?? /end with (?:a )?([\]}])/.exec(message) ?? [];
  if (close !== undefined)
    return {
      reason: `"${close}" is missing`,
      advice: `Close what an opening bracket starts with "${close}".`,
    };
  return { reason: lowerFirst(message) };
}

function unexpected(message: string): Explanation {
  if (/empty item|Unexpected ,/.test(message)) return { reason: "a comma with nothing before it" };
  const [, found] = /Unexpected (\S+)/.exec(message) ?? [];
  if (found === "scalar" || found === "flow-seq-end" || found === "flow-map-end")
    return {
      reason: found === "scalar" ? "a text cannot stand here" : "a bracket is closed that was not opened",
    };
  return { reason: found === undefined ? lowerFirst(message) : `${found} cannot stand here` };
}

/** On one line, and never empty unless the file ends there. */
function placeOf({ at: [start, end] }: PackageError, { text }: SourceFile): Span {
  const from = Math.min(start, text.length);
  const lineEnd = text.indexOf("\n", from);
  const last = Math.min(Math.max(end, from + 1), lineEnd === -1 ? text.length : Math.max(lineEnd, from + 1));
  return { start: from, end: last };
}

/** `Implicit keys need … line.` → `implicit keys need … line`. */
function lowerFirst(message: string): string {
  return message.replace(/\.$/, "").replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

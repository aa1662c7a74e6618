import { propertyKey } from "../codegen/plan/names.ts";
import type { Span } from "../language/source/span.ts";
import type { FileFacts, HandlerContainer } from "./index/handler-index.ts";

/** A new member of a container: `GetOrders: getOrders,`. */
export interface Member {
  /** The key: the name of the method in the schema. */
  readonly name: string;
  /** The value: `getOrders`. */
  readonly value: string;
}

/** Adds members after the last one, in the style of the existing members: on one line or on separate lines, with the same indentation. */
export function addMembers(container: HandlerContainer, members: readonly Member[], text: string): Edit[] {
  if (members.length === 0) return [];
  const newline = newlineOf(text);
  const { path } = container;
  if (container.kind === "module")
    return [
      addAtEnd(
        path,
        members.map(({ value }) => value),
        text,
      ),
    ];
  const written = members.map(
    container.kind === "class"
      ? ({ name, value }) => `${propertyKey(name)} = ${value};`
      : ({ name, value }) => (name === value ? name : `${propertyKey(name)}: ${value}`),
  );
  const isEmpty = container.lastEnd === container.inside.start;
  const between = text.slice(container.inside.start, container.inside.end);
  if (!between.includes("\n")) return [onOneLine(container, written, { isEmpty, text })];
  return onLines(container, written, { isEmpty, text, newline });
}

/** Adds lines below the last one of a file. */
export function addAtEnd(path: string, lines: readonly string[], text: string): Edit {
  const newline = newlineOf(text);
  const written = lines.map((line) => line + newline).join("");
  const end = text.length;
  return { path, span: { start: end, end }, text: endsLine(text) ? written : newline + written };
}

interface SurroundingText {
  readonly isEmpty: boolean;
  readonly text: string;
}

function onOneLine(
  { kind, path, inside, lastEnd }: HandlerContainer,
  written: readonly string[],
  { isEmpty, text }: SurroundingText,
): Edit {
  const separator = kind === "class" ? " " : ", ";
  const joined = written.join(separator);
  if (isEmpty) return { path, span: inside, text: ` ${joined} ` };
  // A trailing comma becomes the separator.
  const tail = text.slice(lastEnd, inside.end);
  const comma = tail.indexOf(",");
  const start = comma === -1 ? lastEnd : lastEnd + comma + 1;
  const before = kind === "class" || comma !== -1 ? " " : ", ";
  return { path, span: { start, end: start }, text: `${before}${joined}` };
}

function onLines(
  container: HandlerContainer,
  written: readonly string[],
  { isEmpty, text, newline }: SurroundingText & { readonly newline: string },
): Edit[] {
  const { kind, path, inside, lastEnd } = container;
  const outer = indentAt(text, inside.start);
  const indent = isEmpty
    ? `${outer}${outer.startsWith("\t") ? "\t" : "  "}`
    : indentAt(text, startOfLastLine(container, text));
  const comma = kind === "object" ? "," : "";
  const lines = written.map((member) => `${indent}${member}${comma}`).join(newline);
  const edits: Edit[] = [];
  if (kind === "object" && !isEmpty && !container.hasTrailingComma)
    edits.push({ path, span: { start: lastEnd, end: lastEnd }, text: "," });
  // Comments after the last member, and below it, stay with that member.
  const closing = text.lastIndexOf("\n", inside.end - 1);
  const isOwnLine = closing >= lastEnd && text.slice(closing + 1, inside.end).trim() === "";
  const start = isOwnLine ? beforeReturn(text, closing) : inside.end;
  const end = isOwnLine ? "" : `${newline}${outer}`;
  edits.push({ path, span: { start, end: start }, text: `${newline}${lines}${end}` });
  return edits;
}

function beforeReturn(text: string, newlineAt: number): number {
  return text[newlineAt - 1] === "\r" ? newlineAt - 1 : newlineAt;
}

/** The start of the last member's last line, which normally has the indentation of its first line. */
function startOfLastLine({ inside, lastEnd }: HandlerContainer, text: string): number {
  const line = text.lastIndexOf("\n", lastEnd - 1);
  return Math.max(line + 1, inside.start);
}

/** The indentation of the line at a position. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? "";
}

/** Adds imports after the last one, or at the top of the file, after a shebang line. */
export function addImports(path: string, lines: readonly string[], text: string, facts: FileFacts): Edit[] {
  if (lines.length === 0) return [];
  const newline = newlineOf(text);
  if (facts.importsEnd === undefined) {
    const start = /^#!.*\r?\n/.exec(text)?.[0].length ?? 0;
    return [
      { path, span: { start, end: start }, text: lines.map((line) => line + newline).join("") + newline },
    ];
  }
  const start = endOfLine(text, facts.importsEnd);
  return [{ path, span: { start, end: start }, text: lines.map((line) => newline + line).join("") }];
}

/** The end of the line if only spaces or a comment follow; otherwise the position itself. */
function endOfLine(text: string, at: number): number {
  const rest = /^[ \t]*(\/\/[^\r\n]*)?/.exec(text.slice(at))?.[0] ?? "";
  const end = at + rest.length;
  return end === text.length || /[\r\n]/.test(text[end] ?? "") ? end : at;
}

function endsLine(text: string): boolean {
  return /(^|[\r\n])$/.test(text);
}

/** The line break that most lines of the file use. */
function newlineOf(text: string): string {
  const returns = text.split("\r\n").length - 1;
  return returns * 2 > text.split("\n").length - 1 ? "\r\n" : "\n";
}

/** A span of a file and its replacement. */
export interface Edit {
  readonly path: string;
  readonly span: Span;
  readonly text: string;
}

/** Applies edits, which must not overlap. Insertions at the same position keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start);
  const parts: string[] = [];
  let at = 0;
  for (const { span, text: replacement } of ordered) {
    if (span.start < at) throw new Error("two edits of one text overlap");
    parts.push(text.slice(at, span.start), replacement);
    at = span.end;
  }
  return parts.join("") + text.slice(at);
}

/** Removes duplicate edits. */
export function distinctEdits(edits: readonly Edit[]): Edit[] {
  const seen = new Map<string, Edit>();
  for (const edit of edits) {
    const key = `${edit.path}\0${edit.span.start}\0${edit.span.end}\0${edit.text}`;
    if (!seen.has(key)) seen.set(key, edit);
  }
  return [...seen.values()];
}

import type { SourceFile } from "./source-file.ts";
import type { Span } from "./span.ts";

/** A JSON value and its position. Spans are in UTF-16 code units; the span of a string includes its quotes. */
export type JsonNode = JsonObject | JsonArray | JsonText | JsonNumber | JsonBoolean | JsonNull;

export interface JsonObject {
  readonly kind: "object";
  /** In order of appearance; duplicate keys are kept. */
  readonly entries: readonly JsonEntry[];
  readonly span: Span;
}

export interface JsonEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
  readonly span: Span;
}

export interface JsonText {
  readonly kind: "string";
  readonly value: string;
  /** The text between the quotes, with escapes as written. */
  readonly raw: string;
  readonly span: Span;
}

export interface JsonNumber {
  readonly kind: "number";
  /** The nearest double; `raw` has all digits. */
  readonly value: number;
  readonly raw: string;
  readonly span: Span;
}

export interface JsonBoolean {
  readonly kind: "boolean";
  readonly value: boolean;
  readonly span: Span;
}

export interface JsonNull {
  readonly kind: "null";
  readonly span: Span;
}

export interface JsonFault {
  /** Part of a sentence, without a full stop: `expected "," or "}", found "x"`. */
  readonly message: string;
  readonly span: Span;
}

export type JsonResult =
  | { readonly value: JsonNode; readonly fault?: never }
  | { readonly value?: never; readonly fault: JsonFault };

/** Maximum nesting depth: far more than people write, and small enough to walk the tree recursively. */
export const maxJsonDepth: number = 1_000;

/**
 * Parses RFC 8259 JSON. Accepts the same texts as `JSON.parse`, up to `maxJsonDepth`, and gives every value and the first error a
 * position. Parses without recursion.
 */
export function parseJson(file: SourceFile): JsonResult {
  const scanner: Scanner = { text: file.text, at: 0, fault: undefined };
  const value = parseDocument(scanner);
  if (scanner.fault !== undefined) return { fault: scanner.fault };
  if (value === undefined) throw new Error("parseDocument returned neither a value nor an error");
  return { value };
}

/** The current offset, and the first error. */
interface Scanner {
  readonly text: string;
  at: number;
  fault: JsonFault | undefined;
}

/** An object or array that has not been closed yet. */
type Open = OpenObject | OpenArray;

interface OpenObject {
  readonly kind: "object";
  readonly start: number;
  readonly entries: JsonEntry[];
  key: JsonText;
}

interface OpenArray {
  readonly kind: "array";
  readonly start: number;
  readonly items: JsonNode[];
}

/** `document = value`, surrounded by whitespace. */
function parseDocument(scanner: Scanner): JsonNode | undefined {
  const open: Open[] = [];
  for (;;) {
    let value = parseScalarOrOpen(scanner, open);
    if (scanner.fault !== undefined) return undefined;
    while (value !== undefined) {
      const parent = open[open.length - 1];
      if (parent === undefined) return atEnd(scanner, value);
      add(parent, value);
      value = continueParent(scanner, open, parent);
      if (scanner.fault !== undefined) return undefined;
    }
  }
}

/** Parses a complete value. Returns nothing if it opened a non-empty object or array, which is then on top of `open`. */
function parseScalarOrOpen(scanner: Scanner, open: Open[]): JsonNode | undefined {
  skipBlanks(scanner);
  const start = scanner.at;
  switch (scanner.text[start]) {
    case "{":
    case "[":
      if (open.length === maxJsonDepth) return failDepth(scanner, start);
      return scanner.text[start] === "{" ? openObject(scanner, open, start) : openArray(scanner, open, start);
    case '"':
      return parseString(scanner);
    case "t":
      return parseWord(scanner, "true", (span) => ({ kind: "boolean", value: true, span }));
    case "f":
      return parseWord(scanner, "false", (span) => ({ kind: "boolean", value: false, span }));
    case "n":
      return parseWord(scanner, "null", (span) => ({ kind: "null", span }));
    default:
      return parseNumber(scanner);
  }
}

function openObject(scanner: Scanner, open: Open[], start: number): JsonNode | undefined {
  scanner.at++;
  skipBlanks(scanner);
  if (scanner.text[scanner.at] === "}") return { kind: "object", entries: [], span: spanTo(scanner, start) };
  const key = parseKey(scanner, 'a key in quotes or "}"');
  if (key !== undefined) open.push({ kind: "object", start, entries: [], key });
  return undefined;
}

function openArray(scanner: Scanner, open: Open[], start: number): JsonNode | undefined {
  scanner.at++;
  skipBlanks(scanner);
  if (scanner.text[scanner.at] === "]") return { kind: "array", items: [], span: spanTo(scanner, start) };
  open.push({ kind: "array", start, items: [] });
  return undefined;
}

function failDepth(scanner: Scanner, start: number): undefined {
  return fail(scanner, `values are nested more than ${maxJsonDepth} levels deep`, start, start + 1);
}

/** Called after a value in `parent`. Returns the parent if it is complete, and nothing if another value follows. */
function continueParent(scanner: Scanner, open: Open[], parent: Open): JsonNode | undefined {
  skipBlanks(scanner);
  const next = scanner.text[scanner.at];
  const close = parent.kind === "object" ? "}" : "]";
  if (next === close) {
    open.pop();
    const span = spanTo(scanner, parent.start);
    return parent.kind === "object"
      ? { kind: "object", entries: parent.entries, span }
      : { kind: "array", items: parent.items, span };
  }
  if (next !== ",") return expected(scanner, `"," or "${close}"`);
  scanner.at++;
  if (parent.kind === "array") return undefined;
  skipBlanks(scanner);
  parent.key = parseKey(scanner, "a key in quotes") ?? parent.key;
  return undefined;
}

function add(parent: Open, value: JsonNode): void {
  if (parent.kind === "array") parent.items.push(value);
  else parent.entries.push({ key: parent.key.value, keySpan: parent.key.span, value });
}

/** `key = string ":"`. */
function parseKey(scanner: Scanner, wanted: string): JsonText | undefined {
  if (scanner.text[scanner.at] !== '"') return expected(scanner, wanted);
  const key = parseString(scanner);
  if (key === undefined) return undefined;
  skipBlanks(scanner);
  if (scanner.text[scanner.at] !== ":") return expected(scanner, '":"');
  scanner.at++;
  return key;
}

/** `string = '"' { character | escape } '"'`, without control characters. */
function parseString(scanner: Scanner): JsonText | undefined {
  const { text } = scanner;
  const open = scanner.at;
  let plain = true;
  let at = open + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
    if (code === backslash) {
      const length = escapeLength(text, at);
      if (length === 0) return fail(scanner, "this is not a valid escape", at, Math.min(at + 2, text.length));
      plain = false;
      at += length;
    } else if (code >= 0x20) at++;
    else if (at >= text.length || code === newline)
      return fail(scanner, "the string has no closing quote", open, at);
    else return fail(scanner, "a control character must be escaped in a string", at, at + 1);
    if (at >= text.length) return fail(scanner, "the string has no closing quote", open, text.length);
  }
  const raw = text.slice(open + 1, at);
  scanner.at = at;
  // The escapes were checked above, so `JSON.parse` finds the same end of the string.
  const value = plain ? raw : (JSON.parse(`"${raw}"`) as string);
  return { kind: "string", value, raw, span: spanTo(scanner, open) };
}

/** Length of the escape at `at`, or 0 if it is invalid: `\n` → 2, `\u00e9` → 6. */
function escapeLength(text: string, at: number): number {
  if (text[at + 1] === "u") return /^[0-9A-Fa-f]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return '"\\/bfnrt'.includes(text[at + 1] ?? " ") ? 2 : 0;
}

/** `number = ["-"] ("0" | digits from 1) ["." digits] [("e" | "E") ["+" | "-"] digits]`. */
function parseNumber(scanner: Scanner): JsonNode | undefined {
  const start = scanner.at;
  numberPattern.lastIndex = start;
  const raw = numberPattern.exec(scanner.text)?.[0];
  if (raw === undefined) return expected(scanner, "a value");
  scanner.at += raw.length;
  return { kind: "number", value: Number(raw), raw, span: { start, end: scanner.at } };
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function parseWord(scanner: Scanner, word: string, build: (span: Span) => JsonNode): JsonNode | undefined {
  const start = scanner.at;
  if (!scanner.text.startsWith(word, start)) return expected(scanner, "a value");
  scanner.at += word.length;
  return build({ start, end: scanner.at });
}

function atEnd(scanner: Scanner, value: JsonNode): JsonNode | undefined {
  skipBlanks(scanner);
  return scanner.at === scanner.text.length ? value : expected(scanner, "nothing more");
}

function skipBlanks(scanner: Scanner): void {
  const { text } = scanner;
  let { at } = scanner;
  for (let code = text.charCodeAt(at); code <= 0x20; code = text.charCodeAt(at)) {
    if (code !== 0x20 && code !== newline && code !== 0x0d && code !== 0x09) break;
    at++;
  }
  scanner.at = at;
}

/** Steps over the closing character and returns the span of the whole value. */
function spanTo(scanner: Scanner, start: number): Span {
  scanner.at++;
  return { start, end: scanner.at };
}

function expected(scanner: Scanner, wanted: string): undefined {
  const found = /^(?:[A-Za-z0-9_$]{1,40}|.)/su.exec(scanner.text.slice(scanner.at, scanner.at + 40))?.[0];
  const name = found === undefined ? "the end of the file" : (invisibleCharacters.get(found) ?? `"${found}"`);
  return fail(scanner, `expected ${wanted}, found ${name}`, scanner.at, scanner.at + (found?.length ?? 0));
}

/** Characters that would be invisible or confusing in quotes, by name. */
const invisibleCharacters: ReadonlyMap<string, string> = new Map([
  ['"', "a string"],
  ["\ufeff", "a byte order mark"],
  ["\u00a0", "a no-break space"],
]);

function fail(scanner: Scanner, message: string, start: number, end: number): undefined {
  scanner.fault ??= { message, span: { start, end } };
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;

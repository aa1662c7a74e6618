import { asSuggestion, type DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import { TokenKind } from "../lexer.ts";

/** The part of the cursor that repairs need. */
interface RepairCursor {
  readonly file: SourceFile;
  readonly kind: TokenKind;
  readonly start: number;
  readonly span: Span;
  readonly lineForm: LineForm;
  skipLine(): void;
  advance(): void;
  failUnexpected(expected: string, extra: DiagnosticExtras): undefined;
}

/** Builds a fix that replaces the text in a span, or removes it if `text` is empty. */
export function replaceFix({ file }: Pick<RepairCursor, "file">, text: string, span: Span): DiagnosticExtras {
  const title =
    text.trim() === ""
      ? `Remove "${file.text.slice(span.start, span.end).trim()}"`
      : `Write "${text.trim()}"`;
  return { fix: { title, file, edits: [{ span, text }] } };
}

export function insertFix({ file }: Pick<RepairCursor, "file">, text: string, at: number): DiagnosticExtras {
  const edits = [{ span: { start: at, end: at }, text }];
  return { fix: { title: `Add "${text.trim()}"`, file, edits } };
}

/** Returns the rest of the line from the current position, comments included. A NUL ends it, as it ends the schema. */
export function restOfLine({ file, start }: Pick<RepairCursor, "file" | "start">): string {
  const end = file.text.indexOf("\n", start);
  const line = file.text.slice(start, end === -1 ? undefined : end);
  const nul = line.indexOf("\0");
  return nul === -1 ? line : line.slice(0, nul);
}

/** Advances to an offset. Stops earlier if the cursor is at the end, to which it jumps after `maxDiagnostics` diagnostics. */
export function skipTo(cursor: Pick<RepairCursor, "kind" | "start" | "advance">, offset: number): void {
  while (cursor.kind !== TokenKind.end && cursor.start < offset) cursor.advance();
}

/** Returns where the text before the current position ends, without trailing blanks. */
export function previousTokenEnd({ file, start }: Pick<RepairCursor, "file" | "start">): number {
  let end = start;
  while (end > 0 && /[ \t\r]/.test(file.text.charAt(end - 1))) end--;
  return end;
}

/**
 * Builds a fix for characters that other languages put at the end of a line: `;`, `,`, a brace, a `//` comment. Other comments, and
 * annotations and meta keys in a wrong place, get advice.
 */
export function lineEndFix(cursor: RepairCursor): DiagnosticExtras {
  const rest = restOfLine(cursor);
  if (/^@\w/.test(rest)) return { advice: annotationAdvice };
  if (/^\+[ \t]*\w/.test(rest)) return { advice: metaAdvice };
  const slashes = /^\/{2,}/.exec(rest)?.[0];
  if (slashes !== undefined)
    return replaceFix(cursor, "#", { start: cursor.start, end: cursor.start + slashes.length });
  if (rest.startsWith("/*")) return { advice: 'A comment starts with "#", on each of its lines.' };
  const ending = /^[;,{}]+(?=[ \t\r]*(#|$))/.exec(rest)?.[0];
  if (ending === undefined) return {};
  const span = { start: previousTokenEnd(cursor), end: cursor.start + ending.length };
  // Directly behind a word, "#" would be a part of it.
  const extra = replaceFix(cursor, rest.charAt(ending.length) === "#" ? " " : "", span);
  // A brace behind an item starts an object, or the code of a method.
  return ending.includes("{") && isItem.has(cursor.lineForm) ? asSuggestion(extra) : extra;
}

const isItem: ReadonlySet<LineForm> = new Set<LineForm>(["field", "enumValue", "meta", "method", "route"]);

/** Reports characters that other languages put at the end of a line, and skips them, so that the next line is read. */
export function repairLineEnd(cursor: RepairCursor): boolean {
  const extra = lineEndFix(cursor);
  if (extra.fix === undefined) return false;
  cursor.failUnexpected("the end of the line", extra);
  cursor.skipLine();
  return true;
}

const typeRest: RegExp = /^[ \t]+((?:\[\])*[A-Za-z_]\w*(?:<[^()]*>)?)[ \t\r]*([,)#]|$)/;

/**
 * Whether the word before the current position must be the name of what follows, a type: `id uint64`, but not `stream Order`,
 * `string name` or `Order order`. A name in capitals may be an imported type.
 */
function isNamedType({ file, start, lineForm }: RepairCursor, typeText: string): boolean {
  const types = declaredTypes(file);
  const isKnown = /^(\[\]|\w+<|\w+\[\])/.test(typeText) || types.has(typeText) || coreName.test(typeText);
  if (!isKnown) return false;
  if (lineForm === "type" || lineForm === "enum") return true;
  const [, name = ""] = /(\w+)\??[ \t]*$/.exec(file.text.slice(Math.max(0, start - 200), start)) ?? [];
  if (modifiers.has(name.toLowerCase()) || coreName.test(name) || types.has(name)) return false;
  return !/^[A-Z]/.test(name) || !/^[ \t]*import\b/m.test(file.text);
}

const coreName: RegExp =
  /^(bool(ean)?|string|u?int(eger|\d+)?|float(\d+)?|double|long|bytes?|bigint|timestamp|any)$/i;

function declaredTypes({ text }: SourceFile): ReadonlySet<string> {
  const declarations = text.matchAll(/^[ \t]*(?:struct|enum|type)[ \t]+(\w+)/gm);
  return new Set([...declarations].map(([, name = ""]) => name));
}

/** Words that other languages write before a type or a name. */
const modifiers: ReadonlySet<string> = new Set(
  [
    "stream repeated optional required nullable maybe option oneof reserved extend",
    "const readonly immutable mutable mut final static var let val in out inout ref own dyn impl move box",
    "public private protected internal pub open abstract virtual override extern export declare async lazy",
    "unsigned signed short volatile transient memory calldata storage indexed payable",
    "list array set vec map slice seq sequence iterable iterator observable promise future",
    "struct enum type class interface union message input param returns",
  ]
    .join(" ")
    .split(" "),
);

const annotationAdvice =
  'Write an annotation above a method. Other declarations have comments, and fields have meta keys, such as "+ deprecated = true" on the next line.';

const metaAdvice =
  'A line with "+" belongs below a field, an enum value or an alias. Methods have annotations instead, such as @deprecated on the line above.';

/**
 * Reports a missing or wrong symbol with a fix, and continues as if it were right, provided that the rest of the line fits. `- id
 * uint64` and `- id= uint64` → `- id: uint64`.
 */
export function repairSymbol(cursor: RepairCursor, symbol: ":" | "="): boolean {
  const { kind, span } = cursor;
  const other = symbol === ":" ? TokenKind.equal : TokenKind.colon;
  const expected = `"${symbol}"`;
  const rest = restOfLine(cursor);
  if (kind === other) {
    // A default value may follow "=", or the body of a declaration.
    const type = /^=[ \t]*((?:\[\])*[A-Za-z_][^={}"'|,)#]*?)[ \t\r]*([,)#]|$)/.exec(rest)?.[1];
    if (symbol === ":" && (type === undefined || !isNamedType(cursor, type))) return false;
    cursor.failUnexpected(expected, replaceFix(cursor, symbol, span));
    cursor.advance();
    return true;
  }
  const type = typeRest.exec(rest)?.[1];
  const restFits =
    symbol === ":"
      ? type !== undefined && isNamedType(cursor, type)
      : /^([\w/][^\s"\\#=:?!,()[\]<>{}]*|"[^"\\]+")[ \t\r]*(#|$)/.test(rest);
  if (!restFits) return false;
  cursor.failUnexpected(expected, insertFix(cursor, symbol === ":" ? ":" : "= ", cursor.start));
  return true;
}

/** Limits in other languages, with the keys for text and for other values. */
const limitKeys: Readonly<Record<string, readonly [text: string, other: string]>> = {
  min: ["minLength", "minimum"],
  max: ["maxLength", "maximum"],
  minimum: ["minLength", "minimum"],
  maximum: ["maxLength", "maximum"],
  minlength: ["minLength", "minItems"],
  maxlength: ["maxLength", "maxItems"],
  length: ["maxLength", "maxItems"],
  pattern: ["pattern", "pattern"],
  regex: ["pattern", "pattern"],
};

/** Returns how RIDL writes what other languages write at the current position. Undefined if the text is none of their forms. */
export function habitAdvice(cursor: RepairCursor): string | undefined {
  const { file, start, lineForm } = cursor;
  const rest = restOfLine(cursor);
  const before = file.text.slice(file.text.lastIndexOf("\n", start - 1) + 1, start).trim();
  if (lineForm === "method") {
    const [, list, type] = /^(\[\])?([A-Za-z]\w*)/.exec(/=>$/.test(before) ? rest : "") ?? [];
    if (type === undefined || type === "stream") return undefined;
    const isList = list !== undefined || /^\w+\[\]/.test(rest);
    const name = coreName.test(type) ? "value" : type.charAt(0).toLowerCase() + type.slice(1);
    return `Name the result: "=> (${name}${isList ? "s" : ""}: ${isList ? "[]" : ""}${type})".`;
  }
  const [, field, type] = /^(?:-[ \t]*)?(\w+)\??[ \t]*:[ \t]*(.*)$/.exec(before) ?? [];
  if (lineForm !== "field" || field === undefined || type === undefined) return undefined;
  if (type === "" && /^["'`]/.test(rest))
    return `Declare "enum ${field.charAt(0).toUpperCase()}${field.slice(1)}: string" with a line "- value" for each text, and write its name here.`;
  if (/^\|[ \t]*(null|undefined|nil|None)\b/.test(rest))
    return `Write "- ${field}?: ${type}". With "+ nullable = always" below, callers may also send null.`;
  if (rest.startsWith("|"))
    return 'Write a struct with an optional field for each type, and "+ oneOf = GROUP" below each of them.';
  const value = /^=[ \t]*("[^"]*"|[\w.-]+)/.exec(rest)?.[1];
  if (value !== undefined)
    return `Write the default on the next line: "+ default = ${value.replaceAll('"', "")}".`;
  const [, limit = "", bound] = /^[({@][ \t]*(\w+)[ \t]*[:=(]?[ \t]*("[^"]*"|[\w.-]+)?/.exec(rest) ?? [];
  const keys = limitKeys[limit.toLowerCase()];
  if (keys === undefined) return undefined;
  const key = keys[/^string$/i.test(type) ? 0 : 1];
  return `Write the limit on the next line: "+ ${key} = ${bound?.replaceAll('"', "") ?? "1"}".`;
}

/** How each kind of line is written: the advice of syntax errors that have no fix. */
export const lineForms = {
  declaration:
    "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  item: 'A line with "-" belongs below an import, an enum, a struct or a service.',
  metaItem: 'A line with "+" belongs below a field, an enum value or an alias.',
  webrpc: 'Write the line as "webrpc = v1".',
  name: 'Write the line as "name = shop".',
  version: 'Write the line as "version = v1.0.0".',
  basepath: 'Write the line as "basepath = /".',
  import:
    'Write an import as "import types.ridl", or as "import" and below it a line "- types.ridl" for each file.',
  enum: 'Write an enum as "enum Status: string", and below it a line "- ACTIVE" for each value.',
  enumValue: 'Write an enum value as "- ACTIVE" or "- ACTIVE = 1".',
  struct: 'Write a struct as "struct Order", and below it a line "- id: uint64" for each field.',
  field: 'Write a field as "- id: uint64", or as "- note?: string" if it is optional.',
  meta: 'Write a meta key as "+ json = order_id".',
  type: 'Write an alias as "type OrderId: uint64".',
  error: `Write an error as 'error 101 OutOfStock "The item is sold out" HTTP 409'.`,
  service: 'Write a service as "service Shop", and below it a line "- GetOrder(id: uint64)" for each method.',
  method: 'Write a method as "- GetOrder(id: uint64) => (order: Order)", or with "=> stream (order: Order)".',
  route: 'Write a route as "GET /orders/{id}", below its method.',
  servicePath: 'Write the path of a service as "path = /shop", above its methods.',
  annotation: 'Write an annotation above a method, as @name, @name:value or @name:"some text".',
} as const;

export type LineForm = keyof typeof lineForms;

import { asSuggestion, type DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../source/span.ts";
import type { ListTypeNode, NamedTypeNode, TypeNode } from "../../syntax/tree.ts";
import { maxTypeDepth } from "../../syntax/type-text.ts";
import { TokenKind } from "../lexer.ts";
import type { Cursor } from "./cursor.ts";
import { insertFix, replaceFix, restOfLine, skipTo } from "./repair.ts";

/** `type = "[" "]" type | "map" "<" type "," type ">" | word`. */
export function parseType(cursor: Cursor, depth = 0): TypeNode | undefined {
  const start = cursor.mark();
  if (depth > maxTypeDepth) return cursor.fail("type-too-deep", { limit: maxTypeDepth });
  const type = parseSingleType(cursor, depth);
  if (type === undefined || endsType(cursor.kind) || repairSemicolon(cursor)) return type;
  // Anything that follows the type without a blank makes it malformed: "map<string,int>x".
  return repairMalformed(cursor, start);
}

/** Reports `;` behind a type, and skips it. */
function repairSemicolon(cursor: Cursor): boolean {
  if (!/^;[ \t\r]*([,)#]|\w+\??:|$)/.test(restOfLine(cursor))) return false;
  cursor.failUnexpected("the end of the line", replaceFix(cursor, "", cursor.span));
  cursor.advance();
  return true;
}

function parseSingleType(cursor: Cursor, depth: number): TypeNode | undefined {
  const start = cursor.start;
  const mark = cursor.mark();
  if (cursor.take(TokenKind.openBracket)) {
    if (cursor.kind === TokenKind.word) {
      const [, name, close] =
        /^([A-Za-z_]\w*)(\]?)(?=[ \t\r]*([,)>;]|$|=>|errors\b))/.exec(restOfLine(cursor)) ?? [];
      // A number is the length of an array, a type behind the bracket makes the word a key, and `[int, int]` is a tuple.
      const isTuple = close === "" && /^\w+([ \t]*,[ \t]*\w+)+[ \t]*\]/.test(restOfLine(cursor));
      if (name === undefined || isTuple) return cursor.failUnexpected('"]"');
      if (close === "]") return repairBracketedElement(cursor, start, name);
      cursor.failUnexpected('"]"', insertFix(cursor, "]", cursor.start));
    } else if (!cursor.expect(TokenKind.closeBracket, "]")) return undefined;
    const element = parseType(cursor, depth + 1);
    return element && listOf(element, start);
  }
  if (cursor.kind === TokenKind.closeBracket && cursor.nextKind === TokenKind.word) {
    cursor.failUnexpected('"["', insertFix(cursor, "[", cursor.start));
    cursor.advance();
    const element = parseType(cursor, depth + 1);
    return element && listOf(element, start);
  }
  if (cursor.kind !== TokenKind.word) return cursor.failUnexpected("a type");
  const { text } = cursor;
  if (text === "map") return parseMap(cursor, depth);
  const semicolon = /(?<!^(map|stream|struct));+$/.exec(text)?.index ?? 0;
  if (text === "stream" || text === "struct") return cursor.fail("reserved-type-word", { word: text });
  if (isUnopenedMap(cursor)) {
    const at = start + "map".length;
    return cursor.fail("malformed-type", { text }, cursor.span, asSuggestion(insertFix(cursor, "<", at)));
  }
  if (text.includes("\\")) return repairMalformed(cursor, mark);
  cursor.advance();
  if (semicolon === 0) return named(text, start);
  const span = { start: start + semicolon, end: start + text.length };
  cursor.fail(
    "unexpected",
    { expected: "the end of the line", found: `"${text.slice(semicolon)}"` },
    span,
    replaceFix(cursor, "", span),
  );
  return named(text.slice(0, semicolon), start);
}

function named(name: string, start: number): NamedTypeNode {
  return { kind: "named", name, span: { start, end: start + name.length } };
}

function listOf(element: TypeNode, start: number): ListTypeNode {
  return { kind: "list", element, span: { start, end: element.span.end } };
}

/** Reports `[string]`, with the element inside the brackets, and reads it as a list. */
function repairBracketedElement(cursor: Cursor, start: number, name: string): TypeNode {
  const element = named(name, cursor.start);
  const span = { start, end: cursor.end + 1 };
  cursor.fail("malformed-type", { text: `[${name}]` }, span, replaceFix(cursor, `[]${name}`, span));
  skipTo(cursor, span.end);
  return listOf(element, start);
}

/** `"map" "<" type "," type ">"`, with blanks anywhere. */
function parseMap(cursor: Cursor, depth: number): TypeNode | undefined {
  const start = cursor.start;
  const mark = cursor.mark();
  const count = cursor.diagnostics.length;
  cursor.advance();
  cursor.skipBlank();
  if (!cursor.take(TokenKind.openAngle)) {
    const isForeign = foreignType(cursor.file.text.slice(start, start + maxForeignLength)) !== undefined;
    return cursor.kind === TokenKind.closeAngle || isForeign
      ? repairMalformed(cursor, mark)
      : cursor.failUnexpected('"<"');
  }
  const keys: TypeNode[] = [];
  const values: TypeNode[] = [];
  let commas = 0;
  let bars = 0;
  while (cursor.kind !== TokenKind.closeAngle) {
    switch (cursor.kind) {
      case TokenKind.blank:
        cursor.advance();
        continue;
      case TokenKind.comma:
        commas++;
        cursor.advance();
        continue;
      case TokenKind.bar:
        bars++;
        cursor.advance();
        continue;
      case TokenKind.word:
      case TokenKind.openBracket: {
        if (commas > 1 && isArgument(cursor)) return closeMap(cursor, mark, keys, values, bars + commas - 2);
        const type = parseType(cursor, depth + 1);
        if (type === undefined) return undefined;
        (commas === 0 ? keys : values).push(type);
        continue;
      }
      case TokenKind.closeParen:
      case TokenKind.newline:
      case TokenKind.end:
      case TokenKind.hash:
        return closeMap(cursor, mark, keys, values, bars + commas - 1);
      default:
        return cursor.failUnexpected('">"');
    }
  }
  cursor.advance();
  const span = { start, end: cursor.start };
  const key = joinNames(keys);
  const value = values.length === 0 ? { kind: "missing" as const, span } : joinNames(values);
  if (commas !== 1 || bars > 0 || key === undefined || value === undefined) {
    cursor.doubtFixes(count);
    return repairMalformed(cursor, mark);
  }
  if (value.kind === "missing") cursor.warn("map-without-value", {}, span);
  return { kind: "map", key, value, span };
}

/** Reports a missing ">" after the value type, and ends the map there. */
function closeMap(
  cursor: Cursor,
  mark: number,
  [key, ...otherKeys]: readonly TypeNode[],
  [value, ...otherValues]: readonly TypeNode[],
  strayCount: number,
): TypeNode | undefined {
  if (key === undefined || value === undefined || otherKeys.length + otherValues.length + strayCount > 0)
    return cursor.failUnexpected('">"');
  const { end } = value.span;
  const found = cursor.foundText();
  cursor.fail(
    "unexpected",
    { expected: '">"', found },
    { start: end, end: end + 1 },
    insertFix(cursor, ">", end),
  );
  cursor.reset(mark);
  const { start } = cursor;
  skipTo(cursor, end);
  return { kind: "map", key, value, span: { start, end } };
}

/** Whether an argument comes next: in `map<string,int, limit: uint32`, the `limit` is not part of the map. */
function isArgument(cursor: Cursor): boolean {
  return cursor.nextKind === TokenKind.colon || cursor.nextKind === TokenKind.question;
}

/** Whether "<" is missing: `mapstring,int>`. */
function isUnopenedMap(cursor: Cursor): boolean {
  const rest = cursor.text.startsWith("map") && cursor.text !== "map" ? restOfLine(cursor) : "";
  return /^\w+,[^<>(]*(<[^<>]*>[^<>]*)*>/.test(rest) && !/^\w+,[^>]*=>/.test(rest);
}

/** The reference parser joins names that only a blank separates: `map<string,Foo Bar>` is a map of `FooBar`. */
function joinNames(types: readonly TypeNode[]): TypeNode | undefined {
  const [first, ...rest] = types;
  if (first === undefined || rest.length === 0) return first;
  if (!rest.every((type): type is NamedTypeNode => type.kind === "named")) return undefined;
  return appendNames(first, rest);
}

function appendNames(type: TypeNode, rest: readonly NamedTypeNode[]): TypeNode | undefined {
  const end = rest.at(-1)?.span.end ?? type.span.end;
  const span = { start: type.span.start, end };
  if (type.kind === "named")
    return { kind: "named", name: type.name + rest.map((part) => part.name).join(""), span };
  if (type.kind !== "list") return undefined;
  const element = appendNames(type.element, rest);
  return element && { kind: "list", element, span };
}

/** Reports a type that starts at a position of the cursor. Reads it if another language writes its type so. */
function repairMalformed(cursor: Cursor, mark: number): TypeNode | undefined {
  const stopped = cursor.mark();
  cursor.reset(mark);
  const { start } = cursor;
  while (!endsType(cursor.kind) || cursor.mark() < stopped) cursor.advance();
  const foreign = foreignType(cursor.file.text.slice(start, start + maxForeignLength));
  const end = foreign === undefined ? cursor.start : start + foreign.length;
  const span = { start, end: Math.max(end, start + 1) };
  const text = cursor.slice(span.start, span.end);
  const ridlType = foreign?.ridlType ?? /^([A-Za-z_]\w*)!$/.exec(text)?.[1];
  cursor.fail(
    "malformed-type",
    { text: text.length > 60 ? `${text.slice(0, 60)}…` : text },
    span,
    ridlType === undefined ? suggestOptional(cursor, span, text) : replaceFix(cursor, ridlType, span),
  );
  if (ridlType === undefined) return undefined;
  cursor.reset(mark);
  skipTo(cursor, span.end);
  repairSemicolon(cursor);
  return typeFromText(ridlType, span);
}

/** `a: string?` → `a?: string`. In other languages, the mark may also allow null. */
function suggestOptional(cursor: Cursor, span: Span, text: string): DiagnosticExtras {
  const [, type] = /^(\w+)\?$/.exec(text) ?? [];
  if (type === undefined) return {};
  const { text: fileText } = cursor.file;
  const [, name, colon] =
    /(\w+)(:[ \t]*)$/.exec(fileText.slice(Math.max(0, span.start - 200), span.start)) ?? [];
  if (name === undefined || colon === undefined) return {};
  const at = span.start - colon.length;
  const corrected = `${name}?: ${type}`;
  const edits = [
    { span: { start: at, end: at }, text: "?" },
    { span: { start: span.end - 1, end: span.end }, text: "" },
  ];
  return {
    advice: `The question mark follows the name: ${corrected}.`,
    suggestion: { title: `Write "${corrected}"`, file: cursor.file, edits },
  };
}

function endsType(kind: TokenKind): boolean {
  switch (kind) {
    case TokenKind.newline:
    case TokenKind.blank:
    case TokenKind.comma:
    case TokenKind.bar:
    case TokenKind.closeAngle:
    case TokenKind.closeParen:
    case TokenKind.hash:
    case TokenKind.end:
      return true;
    default:
      return false;
  }
}

/** Maximum number of characters to examine. Type names are short. */
const maxForeignLength = 200;

/** List and map types of other languages, with their RIDL form. */
const foreignForms: readonly (readonly [form: RegExp, ridlType: string])[] = [
  [/^(\w+)\[\]/, "[]$1"],
  [/^(?:Array|List|Vec|list|array|vector)<(\w+)(?:>|(?=\s*$))/m, "[]$1"],
  [/^(?:Map|HashMap|Record|Dict|Dictionary|dict|record)<[ \t]*(\w+)[ \t]*,[ \t]*(\w+)[ \t]*>/, "map<$1,$2>"],
  [/^map\[(\w+)\]((?:\[\])?\w+)/, "map<$1,$2>"],
];

/**
 * Recognizes a type in another language's syntax at the start of `text`: `"List<string> …"` → `"[]string"`, with the length of
 * the original.
 */
function foreignType(text: string): { readonly ridlType: string; readonly length: number } | undefined {
  for (const [form, ridlType] of foreignForms) {
    const [found, ...names] = form.exec(text) ?? [];
    if (found === undefined || !/^([ \t\r\n,)>;]|$)/.test(text.slice(found.length))) continue;
    if (names.some((name) => /^(?:\[\])*(map|struct|stream)$/.test(name))) continue;
    return { ridlType: found.replace(form, ridlType), length: found.length };
  }
  return undefined;
}

/** Builds the type of a text in one of the RIDL forms above: a name, `[]name` or `map<name,name>`. All its nodes have the same span. */
export function typeFromText(text: string, span: Span): TypeNode {
  const [, key, value] = /^map<(\w+),[ \t]*(.+)>$/.exec(text) ?? [];
  if (key !== undefined && value !== undefined)
    return { kind: "map", key: { kind: "named", name: key, span }, value: typeFromText(value, span), span };
  if (text.startsWith("[]")) return { kind: "list", element: typeFromText(text.slice(2), span), span };
  return { kind: "named", name: text, span };
}

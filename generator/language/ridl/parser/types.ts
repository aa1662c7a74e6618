import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../source/span.ts";
import type { NamedTypeNode, TypeNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { foreignType, maxForeignLength } from "./foreign-type.ts";
import { ListType, NamedType } from "./nodes.ts";
import { insertFix, replaceFix, restOfLine, skipTo } from "./repair.ts";

/**
 * Maximum nesting depth of lists and maps, so that later stages can walk types recursively. No real schema comes close: servers
 * reject JSON deeper than 64 levels.
 */
const maxTypeDepth = 1000;

/** `type = "[" "]" type | "map" "<" type "," type ">" | word`. */
export function parseType(cursor: Cursor, depth = 0): TypeNode | undefined {
  const start = cursor.start;
  if (depth > maxTypeDepth) return cursor.fail("type-too-deep", { limit: maxTypeDepth });
  const type = parseSingleType(cursor, depth);
  if (type === undefined || endsType(cursor.kind)) return type;
  // Anything that follows the type without a blank makes it malformed: "map<string,int>x".
  while (!endsType(cursor.kind)) cursor.advance();
  return reportMalformed(cursor, start);
}

function parseSingleType(cursor: Cursor, depth: number): TypeNode | undefined {
  const start = cursor.start;
  if (cursor.take(TokenKind.openBracket)) {
    if (cursor.kind === TokenKind.word) {
      const name = /^(\w+)\]/.exec(restOfLine(cursor))?.[1];
      if (name !== undefined) return repairBracketedElement(cursor, start, name);
      cursor.failUnexpected('"]"', insertFix(cursor, "]", cursor.start));
    } else if (!cursor.expect(TokenKind.closeBracket, "]")) return undefined;
    const element = parseType(cursor, depth + 1);
    return element && new ListType(element, start);
  }
  if (cursor.kind === TokenKind.closeBracket && cursor.nextKind === TokenKind.word) {
    cursor.failUnexpected('"["', insertFix(cursor, "[", cursor.start));
    cursor.advance();
    const element = parseType(cursor, depth + 1);
    return element && new ListType(element, start);
  }
  if (cursor.kind !== TokenKind.word) return cursor.failUnexpected("a type");
  const { text } = cursor;
  if (text === "map") return parseMap(cursor, depth);
  if (text === "stream" || text === "struct") return cursor.fail("reserved-type-word", { word: text });
  if (isUnopenedMap(cursor)) {
    const at = start + "map".length;
    cursor.fail("malformed-type", { text }, cursor.span, insertFix(cursor, "<", at));
    return undefined;
  }
  cursor.advance();
  if (text.includes("\\")) return reportMalformed(cursor, start);
  return new NamedType(text, start);
}

/** Reports `[string]`, with the element inside the brackets, and reads it as a list. */
function repairBracketedElement(cursor: Cursor, start: number, name: string): TypeNode {
  const element = new NamedType(name, cursor.start);
  const span = { start, end: cursor.end + 1 };
  cursor.fail("malformed-type", { text: `[${name}]` }, span, replaceFix(cursor, `[]${name}`, span));
  skipTo(cursor, span.end);
  return new ListType(element, start);
}

/** `"map" "<" type "," type ">"`, with blanks anywhere. */
function parseMap(cursor: Cursor, depth: number): TypeNode | undefined {
  const start = cursor.start;
  cursor.advance();
  cursor.skipBlank();
  if (!cursor.take(TokenKind.openAngle)) {
    const isForeign = foreignType(cursor.file.text.slice(start, start + maxForeignLength)) !== undefined;
    return cursor.kind === TokenKind.closeAngle || isForeign
      ? reportMalformed(cursor, start)
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
        if (commas > 1 && isArgument(cursor)) return closeMap(cursor, start, keys, values);
        const type = parseType(cursor, depth + 1);
        if (type === undefined) return undefined;
        (commas === 0 ? keys : values).push(type);
        continue;
      }
      case TokenKind.closeParen:
      case TokenKind.newline:
      case TokenKind.end:
      case TokenKind.hash:
        return closeMap(cursor, start, keys, values);
      default:
        return cursor.failUnexpected('">"');
    }
  }
  cursor.advance();
  const span = { start, end: cursor.start };
  const key = joinNames(keys);
  const value = values.length === 0 ? { kind: "missing" as const, span } : joinNames(values);
  if (commas !== 1 || bars > 0 || key === undefined || value === undefined)
    return reportMalformed(cursor, start);
  if (value.kind === "missing") cursor.warn("map-without-value", {}, span);
  return { kind: "map", key, value, span };
}

/** Reports a missing ">" after the value type, and ends the map there. */
function closeMap(
  cursor: Cursor,
  start: number,
  [key]: readonly TypeNode[],
  values: readonly TypeNode[],
): TypeNode | undefined {
  const value = values.at(0);
  if (key === undefined || value === undefined) return cursor.failUnexpected('">"');
  const { end } = value.span;
  const found = cursor.foundText();
  cursor.fail(
    "unexpected",
    { expected: '">"', found },
    { start: end, end: end + 1 },
    insertFix(cursor, ">", end),
  );
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

function reportMalformed(cursor: Cursor, start: number): undefined {
  const foreign = foreignType(cursor.file.text.slice(start, start + maxForeignLength));
  const end = foreign === undefined ? cursor.start : start + foreign.length;
  const span = { start, end: Math.max(end, start + 1) };
  const text = cursor.slice(span.start, span.end);
  const extra =
    foreign === undefined
      ? (optionalMarkFix(cursor, span, text) ?? {})
      : replaceFix(cursor, foreign.ridlType, span);
  return cursor.fail(
    "malformed-type",
    { text: text.length > 60 ? `${text.slice(0, 60)}…` : text },
    span,
    extra,
  );
}

/** `a: string?` → `a?: string`, and `a: string!` → `a: string`. */
function optionalMarkFix(cursor: Cursor, span: Span, text: string): DiagnosticExtras | undefined {
  const [, type, mark] = /^(\w+)([?!])$/.exec(text) ?? [];
  if (type === undefined) return undefined;
  if (mark !== "?") return replaceFix(cursor, type, span);
  const { text: fileText } = cursor.file;
  const [, name, colon] =
    /(\w+)(:[ \t]*)$/.exec(fileText.slice(Math.max(0, span.start - 200), span.start)) ?? [];
  if (name === undefined || colon === undefined) return undefined;
  const at = span.start - colon.length;
  const corrected = `${name}?: ${type}`;
  const edits = [
    { span: { start: at, end: at }, text: "?" },
    { span: { start: span.end - 1, end: span.end }, text: "" },
  ];
  return {
    advice: `The question mark follows the name: ${corrected}.`,
    fix: { title: `Write "${corrected}"`, file: cursor.file, edits },
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

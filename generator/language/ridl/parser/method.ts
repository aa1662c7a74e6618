import type { AnnotationNode, ArgumentsNode, MethodNode, Name } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import { areDistinct } from "./annotations.ts";
import { parseArguments, parseUnopenedArguments } from "./arguments.ts";
import type { Cursor } from "./cursor.ts";
import { isKeyword } from "./keywords.ts";
import { insertFix, previousTokenEnd, replaceFix, restOfLine, skipTo } from "./repair.ts";
import { startsRoute, startsServicePath } from "./route.ts";

/**
 * `method = "-" [ "stream" ] word args [ "=>" [ "stream" ] args ] [ "errors" word { "|" word } ]`, or
 * `method = "-" "proxy" word`.
 */
export function parseMethod(cursor: Cursor, annotations: readonly AnnotationNode[]): MethodNode | undefined {
  const { start } = cursor.span;
  cursor.lineForm = "method";
  if (!areDistinct(cursor, annotations)) return undefined;
  cursor.advance();
  cursor.skipBlank();
  const first = cursor.expectWord("the name of a method");
  if (first === undefined) return undefined;
  const stream = first.text === "stream";
  const proxy = first.text === "proxy";
  if (stream || proxy) cursor.skipBlank();
  const name = stream || proxy ? cursor.expectWord("the name of a method") : first;
  if (name === undefined) return undefined;
  const noArguments: ArgumentsNode = { stream: false, succinct: undefined, list: [], span: name.span };
  if (proxy) {
    const span = { start, end: name.span.end };
    return {
      kind: "method",
      name,
      proxy,
      annotations,
      input: noArguments,
      output: noArguments,
      errors: [],
      span,
    };
  }
  const input = parseArguments(cursor, stream);
  if (input === undefined) return undefined;
  const output = parseOutput(cursor, { ...noArguments, span: input.span });
  if (output === undefined) return undefined;
  const errors = parseErrors(cursor, output.succinct !== undefined);
  if (errors === undefined) return undefined;
  const span = { start, end: errors.at(-1)?.span.end ?? output.span.end };
  return { kind: "method", name, proxy, annotations, input, output, errors, span };
}

function parseOutput(cursor: Cursor, noArguments: ArgumentsNode): ArgumentsNode | undefined {
  const mark = cursor.mark();
  cursor.skipBlank();
  if (!cursor.take(TokenKind.arrow) && !repairArrow(cursor)) {
    cursor.reset(mark);
    return noArguments;
  }
  cursor.skipBlank();
  if (cursor.kind !== TokenKind.word) return parseArguments(cursor, false);
  if (cursor.text !== "stream") {
    if (cursor.nextKind === TokenKind.colon && restOfLine(cursor).includes(")"))
      return parseUnopenedArguments(cursor);
    return cursor.failUnexpected('"(" or "stream ("');
  }
  cursor.advance();
  cursor.skipBlank();
  return parseArguments(cursor, true);
}

/** Reports `->`, `:`, `=`, `returns` or nothing in place of "=>", and reads it as the arrow. */
function repairArrow(cursor: Cursor): boolean {
  const written = /^(->|:|=|returns)?(?=[ \t]*(\(|stream[ \t]*\())/.exec(restOfLine(cursor))?.[0];
  if (written === undefined || (cursor.kind === TokenKind.word && written !== "returns")) return false;
  const span = { start: cursor.start, end: cursor.start + written.length };
  const extra = written === "" ? insertFix(cursor, "=> ", span.start) : replaceFix(cursor, "=>", span);
  cursor.failUnexpected('"=>"', extra);
  skipTo(cursor, span.end);
  return true;
}

/** Parses the `errors` clause. Skips any other word, as older versions of the reference parser do, but warns. */
function parseErrors(cursor: Cursor, afterSuccinct: boolean): Name[] | undefined {
  const mark = cursor.mark();
  const previousCharacter = cursor.slice(cursor.start - 1, cursor.start);
  cursor.skipBlank();
  const { text } = cursor;
  if (cursor.kind !== TokenKind.word) {
    cursor.reset(mark);
    return [];
  }
  if (startsRoute(cursor) || startsServicePath(cursor)) return [];
  if (text !== "errors" && isMisspeltErrors(cursor, previousCharacter === "\n"))
    cursor.failUnexpected('"errors"', replaceFix(cursor, "errors", cursor.span));
  else if (text !== "errors") {
    if (afterSuccinct && previousCharacter === "\n" && isKeyword(text) && !canBeSkipped(cursor))
      cursor.fail("blank-line-needed", { word: text });
    else {
      const span = { start: previousTokenEnd(cursor), end: cursor.end };
      cursor.warn("stray-word", { word: text }, cursor.span, replaceFix(cursor, "", span));
      cursor.advance();
    }
    return [];
  }
  cursor.advance();
  cursor.skipBlank();
  const first = cursor.expectWord("the name of an error");
  if (first === undefined) return undefined;
  const names = [first];
  for (let next = parseAlternative(cursor); next !== undefined; next = parseAlternative(cursor))
    names.push(next);
  return names;
}

/**
 * Whether a word before an error's name is a misspelling of "errors". The reference parser would skip it and fail at the name.
 * `error` counts only on the method's own line, because on another line it can start a declaration.
 */
function isMisspeltErrors({ file, start }: Cursor, startsLine: boolean): boolean {
  const [, word = "", next = ""] = /^(\w+)[ \t]+(\w+)/.exec(restOfLine({ file, start })) ?? [];
  if (word === "error") return !startsLine && /^[A-Za-z]/.test(next) && !isKeyword(next);
  return word !== "" && next !== "" && !isKeyword(word) && !isKeyword(next);
}

/** Whether the reference parser can continue after skipping the word: with an item of the service or a declaration. */
function canBeSkipped(cursor: Cursor): boolean {
  const mark = cursor.mark();
  cursor.advance();
  cursor.skipBlank();
  const { kind, text } = cursor;
  cursor.reset(mark);
  return kind === TokenKind.word ? isKeyword(text) : tokensAfterMethod.has(kind);
}

const tokensAfterMethod: ReadonlySet<TokenKind> = new Set([
  TokenKind.newline,
  TokenKind.end,
  TokenKind.hash,
  TokenKind.minus,
  TokenKind.at,
]);

/** `"|" word`, or nothing. */
function parseAlternative(cursor: Cursor): Name | undefined {
  const mark = cursor.mark();
  cursor.skipBlank();
  if (cursor.take(TokenKind.bar)) {
    cursor.skipBlank();
    const name = cursor.takeWord();
    if (name !== undefined) return name;
  } else if (cursor.kind === TokenKind.comma) return parseAfterComma(cursor);
  cursor.reset(mark);
  return undefined;
}

/** `errors Lost, Gone`: reports the comma and reads it as "|". */
function parseAfterComma(cursor: Cursor): Name | undefined {
  const blank = /^,([ \t]*)\w/.exec(restOfLine(cursor))?.[1];
  if (blank === undefined) return undefined;
  const { start, end } = cursor.span;
  const before = previousTokenEnd(cursor);
  cursor.failUnexpected('"|"', replaceFix(cursor, blank === "" ? " | " : " |", { start: before, end }));
  skipTo(cursor, start + 1 + blank.length);
  return cursor.takeWord();
}

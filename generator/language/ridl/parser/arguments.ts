import type { ArgumentNode, ArgumentsNode, Name } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { insertFix, previousTokenEnd, replaceFix, restOfLine } from "./repair.ts";
import { parseType } from "./types.ts";

/**
 * `args = "(" ")" | "(" word ")" | "(" arg { ( "," | "|" | blank ) arg } [ "," ] ")"`, `arg = word [ "?" ] ":" type`. The
 * reference parser accepts another "stream" here, so `=> stream stream (x: int)` is valid.
 */
export function parseArguments(cursor: Cursor, stream: boolean): ArgumentsNode | undefined {
  if (cursor.kind === TokenKind.word) {
    if (cursor.text !== "stream") return cursor.failUnexpected('"("');
    cursor.advance();
    cursor.skipBlank();
  }
  const { start } = cursor.span;
  if (!cursor.expect(TokenKind.openParen, "(")) return undefined;
  return parseList(cursor, stream, start);
}

/** Reports and parses an output whose opening parenthesis is missing: `=> pet: Pet)`. */
export function parseUnopenedArguments(cursor: Cursor): ArgumentsNode | undefined {
  cursor.failUnexpected('"("', insertFix(cursor, "(", cursor.start));
  return parseList(cursor, false, cursor.start);
}

function parseList(cursor: Cursor, stream: boolean, start: number): ArgumentsNode | undefined {
  const list: ArgumentNode[] = [];
  for (;;) {
    switch (cursor.kind) {
      case TokenKind.blank:
      case TokenKind.comma:
      case TokenKind.bar:
        cursor.advance();
        break;
      case TokenKind.closeParen:
        cursor.advance();
        return { stream, succinct: undefined, list, span: { start, end: cursor.start } };
      case TokenKind.word: {
        if (isErrorsClause(cursor))
          return closeArguments(cursor, { stream, succinct: undefined, list, start });
        if (cursor.nextKind === TokenKind.closeParen) return parseSuccinct(cursor, stream, list, start);
        const argument = parseArgument(cursor);
        if (argument === undefined) return undefined;
        list.push(argument);
        break;
      }
      case TokenKind.arrow:
      case TokenKind.newline:
      case TokenKind.end:
        return closeArguments(cursor, { stream, succinct: undefined, list, start });
      default:
        return cursor.failUnexpected('an argument or ")"');
    }
  }
}

/** Reports a missing ")" and ends the list here, so that the rest of the method can be parsed. */
function closeArguments(
  cursor: Cursor,
  { stream, succinct, list, start }: Omit<ArgumentsNode, "span"> & { readonly start: number },
): ArgumentsNode {
  const at = previousTokenEnd(cursor);
  cursor.fail(
    "unexpected",
    { expected: '")"', found: cursor.foundText() },
    cursor.span,
    insertFix(cursor, ")", at),
  );
  return { stream, succinct, list, span: { start, end: at } };
}

function isErrorsClause(cursor: Cursor): boolean {
  return cursor.text === "errors" && /^errors[ \t]+\w/.test(restOfLine(cursor));
}

/**
 * `Name ")"`. The reference parser skips the token after the parenthesis without a check. Usually, that token is a blank. It can
 * also be the arrow in `(A)=>(B)`, or the line break that should end the method above a declaration.
 */
function parseSuccinct(
  cursor: Cursor,
  stream: boolean,
  list: readonly ArgumentNode[],
  start: number,
): ArgumentsNode | undefined {
  const succinct = cursor.takeWord() as Name;
  if (list.length > 0) return cursor.fail("succinct-alone", { name: succinct.text }, succinct.span);
  cursor.advance();
  const end = cursor.start;
  if (cursor.kind !== TokenKind.blank && cursor.kind !== TokenKind.newline && cursor.kind !== TokenKind.end) {
    const extra = /^[;,]$/.test(cursor.text)
      ? replaceFix(cursor, "", cursor.span)
      : insertFix(cursor, " ", cursor.start);
    cursor.warn("succinct-swallows", { what: `"${cursor.text}"` }, cursor.span, extra);
  }
  cursor.advance();
  return { stream, succinct, list: [], span: { start, end } };
}

function parseArgument(cursor: Cursor): ArgumentNode | undefined {
  const name = cursor.takeWord() as Name;
  const optional = cursor.take(TokenKind.question);
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  return type && { name, optional, type, span: { start: name.span.start, end: type.span.end } };
}

import type { ErrorNode, Name, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { parseString } from "./literals.ts";
import { replaceFix, restOfLine, skipTo } from "./repair.ts";

/** `error = "error" digits word ( string | word ) [ "HTTP" digits ] eol`. */
export function parseError(cursor: Cursor): ErrorNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const code = parseNumber(cursor, "The code of an error");
  if (code === undefined) return undefined;
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the error");
  if (name === undefined) return undefined;
  cursor.skipBlank();
  const message = parseMessage(cursor);
  if (message === undefined) return undefined;
  const status = parseStatus(cursor);
  if (status === "failed") return undefined;
  cursor.expectLineEnd();
  return {
    kind: "error",
    code,
    name,
    message,
    httpStatus: status,
    span: { start, end: (status ?? message).span.end },
  };
}

/** A bare word is taken literally, without escapes. */
function parseMessage(cursor: Cursor): Text | undefined {
  if (cursor.kind === TokenKind.quote) return parseString(cursor);
  const unquoted = repairUnquotedMessage(cursor);
  if (unquoted !== undefined) return unquoted;
  const word = cursor.expectWord("the message of the error");
  return word && { value: word.text, quoted: false, span: word.span };
}

function parseStatus(cursor: Cursor): Name | undefined | "failed" {
  const mark = cursor.mark();
  cursor.skipBlank();
  if (cursor.kind !== TokenKind.word) {
    cursor.reset(mark);
    return undefined;
  }
  const digits = /^(?:http[ \t]+)?(?=\d+[ \t\r]*(#|$))/i.exec(restOfLine(cursor))?.[0];
  if (digits !== undefined && cursor.text !== "HTTP") {
    const at = { start: cursor.start, end: cursor.start + digits.length };
    cursor.failUnexpected('"HTTP" and a status, or the end of the line', replaceFix(cursor, "HTTP ", at));
    skipTo(cursor, at.end);
    return parseNumber(cursor, "The HTTP status") ?? "failed";
  }
  if (cursor.text !== "HTTP")
    return cursor.failUnexpected('"HTTP" and a status, or the end of the line') ?? "failed";
  cursor.advance();
  cursor.skipBlank();
  return parseNumber(cursor, "The HTTP status") ?? "failed";
}

function parseNumber(cursor: Cursor, what: string): Name | undefined {
  if (cursor.kind !== TokenKind.word)
    return cursor.failUnexpected(`${what.charAt(0).toLowerCase()}${what.slice(1)}`);
  if (!/^[0-9]+$/.test(cursor.text)) return cursor.fail("not-a-number", { what, found: cursor.text });
  return cursor.takeWord();
}

/**
 * Reports a message of several words with missing or wrong quotes, and reads it as if it were quoted. A single word needs no
 * quotes.
 */
function repairUnquotedMessage(cursor: Cursor): Text | undefined {
  const [whole = "", open = "", text = "", close = ""] =
    /^(['`\u2018\u201c]?)([^"'#]*?[^"'#\s])(["'`\u2019\u201d]?)(?=[ \t\r]+HTTP[ \t\r]+\d|[ \t\r]*(#|$))/.exec(
      restOfLine(cursor),
    ) ?? [];
  if (whole === "" || (open === "" && close === "" && !/\s/.test(text)) || /^HTTP\b/.test(text))
    return undefined;
  const span = { start: cursor.start, end: cursor.start + whole.length };
  const { fix } = replaceFix(cursor, `"${text}"`, span);
  const extra = fix === undefined ? {} : { fix: { ...fix, title: `Put the message in quotes` } };
  cursor.fail("unexpected", { expected: "a message in quotes", found: `"${whole}"` }, span, extra);
  skipTo(cursor, span.end);
  return { value: text, quoted: true, span };
}

import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { AnnotationNode, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { parseString } from "./literals.ts";
import { replaceFix, restOfLine } from "./repair.ts";

/**
 * `annotation = "@" word [ ":" [ word | string ] ]`. Parses consecutive annotations without blanks between them; the parser of
 * services joins these runs. Like the reference parser, skips the token after a value without a check. Usually, that token is a
 * blank or a line break.
 */
export function parseAnnotations(cursor: Cursor): AnnotationNode[] | undefined {
  const run: AnnotationNode[] = [];
  cursor.lineForm = "annotation";
  while (isAnnotation(cursor)) {
    const { start } = cursor.span;
    cursor.advance();
    const name = cursor.expectWord("the name of an annotation");
    if (name === undefined) return undefined;
    let value: Text | undefined;
    let end = name.span.end;
    if (cursor.take(TokenKind.colon)) {
      if (cursor.kind === TokenKind.word) value = { value: cursor.text, quoted: false, span: cursor.span };
      else if (cursor.kind === TokenKind.quote) {
        value = parseString(cursor);
        if (value === undefined) return undefined;
      }
      end = value?.span.end ?? cursor.start;
      cursor.advance();
      if (value?.quoted === false && cursor.kind === TokenKind.comma)
        return cursor.failUnexpected("the end of the line", quotesFix(cursor, value));
    }
    run.push({ name, value, span: { start, end } });
    // Without the repeated annotation, its method is still parsed.
    if (!areDistinct(cursor, run)) run.pop();
  }
  return run.length > 0 ? run : cursor.fail("lonely-at", {});
}

/** `@cache:60s, public` → `@cache:"60s, public"`. */
function quotesFix(cursor: Cursor, { value, span }: Text): DiagnosticExtras {
  const [more = ""] = /^[^"@#]*(?=\s*(?:#|$))/.exec(restOfLine(cursor)) ?? [];
  const text = `${value}${more}`.trimEnd();
  return more === ""
    ? {}
    : replaceFix(cursor, `"${text}"`, { start: span.start, end: span.start + text.length });
}

function isAnnotation(cursor: Cursor): boolean {
  return cursor.kind === TokenKind.at && cursor.nextKind === TokenKind.word;
}

/** Returns whether all names differ. Reports the first annotation that repeats a name. */
export function areDistinct(cursor: Cursor, annotations: readonly AnnotationNode[]): boolean {
  const first = new Map<string, AnnotationNode>();
  for (const annotation of annotations) {
    const { text } = annotation.name;
    const earlier = first.get(text);
    if (earlier !== undefined) {
      const notes = [{ message: "First given here.", at: { file: cursor.file, span: earlier.span } }];
      cursor.fail("duplicate-annotation", { name: text }, annotation.span, { notes });
      return false;
    }
    first.set(text, annotation);
  }
  return true;
}

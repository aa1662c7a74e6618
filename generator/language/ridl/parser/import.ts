import type { Import, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { isFirstOnLine } from "./items.ts";
import { parseLiteral, parsePath } from "./literals.ts";
import { insertFix, restOfLine } from "./repair.ts";

/**
 * `import = "import" eol { "-" path }` imports whole files, and
 * `import = "import" path { "-" value }` imports the listed members of one file.
 */
export function parseImport(cursor: Cursor): Import[] {
  const keywordSpan = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  if (cursor.kind === TokenKind.newline || cursor.kind === TokenKind.hash || cursor.kind === TokenKind.end) {
    return parseItems(cursor, parsePath).map((path) => ({
      kind: "import",
      path,
      members: [],
      listKeywordSpan: keywordSpan,
      span: path.span,
    }));
  }
  const path = parsePath(cursor);
  if (path === undefined) return [];
  const members = parseItems(cursor, (at) => parseLiteral(at, '"-"'));
  return [{ kind: "import", path, members, span: { start: keywordSpan.start, end: path.span.end } }];
}

function parseItems(cursor: Cursor, parseItem: (cursor: Cursor) => Text | undefined): Text[] {
  const items: Text[] = [];
  for (;;) {
    cursor.skipToContent();
    if (!cursor.take(TokenKind.minus)) {
      if (!isUnmarkedPath(cursor)) return items;
      const fix = insertFix(cursor, "- ", cursor.start);
      cursor.fail("missing-dash", { word: pathAt(cursor) }, cursor.span, fix);
    }
    cursor.skipBlank();
    const item = parseItem(cursor);
    if (item === undefined) cursor.skipLine();
    else items.push(item);
  }
}

/** Whether the line is a path without its dash, such as `types.ridl`. */
function isUnmarkedPath(cursor: Cursor): boolean {
  const path = pathAt(cursor);
  return isFirstOnLine(cursor) && /[./]/.test(path) && /\.(ridl|ya?ml|json)$/.test(path);
}

function pathAt(cursor: Cursor): string {
  return /^[\w./-]*/.exec(restOfLine(cursor))?.[0] ?? "";
}

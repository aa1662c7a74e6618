import { cover } from "../../source/span.ts";
import type { AliasNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { parseMetaLines } from "./struct.ts";
import { parseType } from "./types.ts";

/** `alias = "type" word ":" type { meta }`. */
export function parseAlias(cursor: Cursor): AliasNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the type");
  if (name === undefined) return undefined;
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  if (type === undefined) return undefined;
  const meta = parseMetaLines(cursor);
  return {
    kind: "alias",
    name,
    type,
    meta,
    span: cover({ start, end: type.span.end }, meta.at(-1)?.span ?? type.span),
  };
}

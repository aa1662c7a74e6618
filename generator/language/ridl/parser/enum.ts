import type { EnumNode, EnumValueNode, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { type ItemParsers, parseItems } from "./items.ts";
import { parseLiteral } from "./literals.ts";
import { parseMetaLines } from "./meta.ts";

/** `enum = "enum" word ":" word eol { "-" word [ "=" value ] { meta } }`. */
export function parseEnum(cursor: Cursor): EnumNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the enum");
  if (name === undefined) return undefined;
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const base = cursor.expectWord("string or an integer type");
  if (base === undefined) return undefined;
  if (!cursor.expectLineEnd()) cursor.skipLine();
  const values: EnumValueNode[] = [];
  parseItems(cursor, { values, isLastParsed: true }, valueParsers);
  return { kind: "enum", name, base, values, span: { start, end: values.at(-1)?.span.end ?? base.span.end } };
}

interface ValueList {
  readonly values: EnumValueNode[];
  isLastParsed: boolean;
}

const valueParsers: ItemParsers<ValueList> = {
  [TokenKind.minus]: (cursor, list) => {
    const value = parseEnumValue(cursor);
    if (value !== undefined) list.values.push(value);
    list.isLastParsed = value !== undefined;
    return list.isLastParsed;
  },
  [TokenKind.plus]: (cursor, { values, isLastParsed }) => {
    cursor.lineForm = "enumValue";
    if (isLastParsed && values.length === 0) cursor.failUnexpected('"-" and the first value');
    return false;
  },
};

function parseEnumValue(cursor: Cursor): EnumValueNode | undefined {
  cursor.lineForm = "enumValue";
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of an enum value");
  if (name === undefined) return undefined;
  const mark = cursor.mark();
  let value: Text | undefined;
  cursor.skipBlank();
  if (cursor.take(TokenKind.equal)) {
    cursor.skipBlank();
    value = parseLiteral(cursor, `"${name.text} ="`);
    if (value === undefined) return undefined;
  } else cursor.reset(mark);
  const meta = parseMetaLines(cursor);
  const end = (meta.at(-1) ?? value ?? name).span.end;
  return { kind: "enum-value", name, value, meta, span: { start, end } };
}

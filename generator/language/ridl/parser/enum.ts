import type { EnumNode, EnumValueNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { type ItemParsers, parseItems } from "./items.ts";
import { parseLiteral } from "./values.ts";

/** `enum = "enum" word ":" word eol { "-" word [ "=" value ] }`. */
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
  parseItems(cursor, values, valueParsers);
  return { kind: "enum", name, base, values, span: { start, end: values.at(-1)?.span.end ?? base.span.end } };
}

const valueParsers: ItemParsers<EnumValueNode[]> = {
  [TokenKind.minus]: (cursor, values) => {
    const value = parseEnumValue(cursor);
    if (value !== undefined) values.push(value);
    return value !== undefined;
  },
};

function parseEnumValue(cursor: Cursor): EnumValueNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of an enum value");
  if (name === undefined) return undefined;
  const mark = cursor.mark();
  cursor.skipBlank();
  if (!cursor.take(TokenKind.equal)) {
    cursor.reset(mark);
    return { kind: "enum-value", name, value: undefined, span: { start, end: name.span.end } };
  }
  cursor.skipBlank();
  const value = parseLiteral(cursor, `"${name.text} ="`);
  return value && { kind: "enum-value", name, value, span: { start, end: value.span.end } };
}

import type { FieldNode, MetaNode, Name, StructNode, Text, TypeNode } from "../../syntax/tree.ts";
import { TokenKind } from "../lexer.ts";
import { type Cursor, isKeyword } from "./cursor.ts";
import { parseMetaKey, parseMetaValue } from "./literals.ts";
import { insertFix, lineEndFix, repairLineEnd, replaceFix, restOfLine, skipTo } from "./repair.ts";
import { parseType, typeFromText } from "./types.ts";

/** `struct = "struct" word { field }`, `field = "-" word [ "?" ] ":" type { meta }`. */
export function parseStruct(cursor: Cursor): StructNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the struct");
  return name && parseFields(cursor, start, name);
}

/** `{ field }`, also called by the repair of `type Pet {`. */
export function parseFields(cursor: Cursor, start: number, name: Name): StructNode {
  const fields: FieldNode[] = [];
  parseItems(cursor, { fields, isLastParsed: true }, fieldParsers);
  return { kind: "struct", name, fields, span: { start, end: fields.at(-1)?.span.end ?? name.span.end } };
}

interface FieldList {
  readonly fields: FieldNode[];
  isLastParsed: boolean;
}

const fieldParsers: ItemParsers<FieldList> = {
  [TokenKind.minus]: (cursor, list) => {
    const field = parseField(cursor);
    if (field !== undefined) list.fields.push(field);
    list.isLastParsed = field !== undefined;
    return list.isLastParsed;
  },
  [TokenKind.plus]: (cursor, { fields, isLastParsed }) => {
    // Meta lines below a field or meta line that failed add no new error. Above the first field they have nothing to apply to.
    cursor.lineForm = "field";
    if (isLastParsed && fields.length === 0)
      cursor.failUnexpected('"-" and the first field', lineEndFix(cursor));
    return false;
  },
  [TokenKind.word]: (cursor, { fields }, isDeeper) => {
    const field = isDeeper ? undefined : repairProtobufField(cursor);
    if (field !== undefined) fields.push(field);
    return field && true;
  },
};

const protobufField: RegExp =
  /^(?:(repeated|optional|required)[ \t]+)?(\w+|map<\w+,[ \t]*\w+>)[ \t]+(\w+)[ \t]*=[ \t]*\d+[ \t]*;(?=[ \t\r]*(#|\/\/|$))/;

const reservedName: RegExp = /[<,] *(map|struct|stream)\b|^(map|struct|stream)$/;

/** Reports a field in the syntax of Protocol Buffers, and reads it: `repeated string tags = 2;` → `- tags: []string`. */
function repairProtobufField(cursor: Cursor): FieldNode | undefined {
  const [whole, label, typeText = "", name = ""] = protobufField.exec(restOfLine(cursor)) ?? [];
  if (whole === undefined || !isFirstOnLine(cursor) || reservedName.test(typeText)) return undefined;
  const { start } = cursor;
  const span = { start, end: start + whole.length };
  const element = typeFromText(typeText, span);
  const type: TypeNode = label === "repeated" ? { kind: "list", element, span } : element;
  const optional = label === "optional";
  const field = `- ${name}${optional ? "?" : ""}: ${label === "repeated" ? "[]" : ""}${typeText}`;
  cursor.fail("missing-dash", { word: cursor.text }, cursor.span, {
    advice: `A field is written as its name, a colon and its type: "${field}".`,
    ...replaceFix(cursor, field, span),
  });
  skipTo(cursor, span.end);
  const meta = parseMetaLines(cursor, start);
  return { kind: "field", name: { text: name, span }, optional, type, meta, span };
}

function parseField(cursor: Cursor): FieldNode | undefined {
  cursor.lineForm = "field";
  const { start } = cursor;
  cursor.take(TokenKind.minus);
  cursor.skipBlank();
  const name = cursor.expectWord("the name of a field");
  if (name === undefined) return undefined;
  const optional = cursor.take(TokenKind.question);
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  if (type === undefined) return undefined;
  const typeEnd = cursor.start;
  const meta = parseMetaLines(cursor, start);
  const span = { start, end: meta.at(-1)?.span.end ?? typeEnd };
  return { kind: "field", name, optional, type, meta, span };
}

/**
 * Parsers by the token that starts an item. Each returns whether it parsed an item; undefined if the token starts no item. `isDeeper`
 * means that the line is indented further than the first item: an object within an item may contain it.
 */
export type ItemParsers<List> = Partial<
  Readonly<Record<TokenKind, (cursor: Cursor, list: List, isDeeper: boolean) => boolean | undefined>>
>;

/**
 * Parses the lines of a declaration's body into a list. Skips blanks, line breaks and comments between items. Skips the line of
 * an item that fails. The list ends at the next declaration. Returns whether all lines are items.
 */
export function parseItems<List>(cursor: Cursor, list: List, parsers: ItemParsers<List>): boolean {
  let column: number | undefined;
  let isLastRead = true;
  for (let areItems = true; ; ) {
    cursor.skipToContent();
    const { kind } = cursor;
    if (kind === TokenKind.minus || kind === TokenKind.word) column ??= columnAt(cursor);
    // One column may be that of a forgotten dash.
    const isDeeper = column !== undefined && columnAt(cursor) > column + (isLastRead ? 1 : 0);
    const count = cursor.diagnostics.length;
    const isParsed = parsers[kind]?.(cursor, list, isDeeper);
    if (isParsed !== undefined) {
      if (!isParsed) cursor.skipLine();
    } else {
      const parseItem = isDeeper ? undefined : parsers[TokenKind.minus];
      if (kind === TokenKind.end || !repairItem(cursor, list, parseItem)) return areItems;
      areItems &&= cursor.isReadSince(count);
    }
    isLastRead = cursor.isReadSince(count);
  }
}

/**
 * Reports a line in the list that is not an item. A line that is an item without its dash, or with another bullet, is parsed as one.
 * Returns `false` if the list ends here because a declaration starts, even if its keyword is misspelled.
 */
function repairItem<List>(cursor: Cursor, list: List, parseItem: ItemParsers<List>[TokenKind]): boolean {
  const { kind, text, span, file } = cursor;
  if (kind === TokenKind.word && isKeyword(text) && !isFieldNamedLikeKeyword(cursor)) return false;
  const isFirst = isFirstOnLine(cursor);
  const isUnmarked = kind === TokenKind.word && isFirst;
  const index = cursor.diagnostics.length;
  if (isUnmarked) {
    const isIndented = file.text.charCodeAt(span.start - 1) !== 0x0a;
    if (!isIndented && !followsItemName(cursor.nextKind)) return false;
    cursor.fail("missing-dash", { word: text }, span, insertFix(cursor, "- ", span.start));
  } else if (isFirst && bullet.test(restOfLine(cursor))) {
    cursor.failUnexpected('"-"', replaceFix(cursor, "-", span));
    cursor.advance();
    cursor.skipBlank();
  } else {
    cursor.failUnexpected("the end of the line", lineEndFix(cursor));
    cursor.skipLine();
    return true;
  }
  const isParsed = parseItem?.(cursor, list, false) === true;
  if (!isParsed || !cursor.isReadSince(index)) cursor.doubtFix(index);
  if (!isParsed) {
    // Errors behind the word only say that the line is no item.
    cursor.keepUntil(index);
    cursor.skipLine();
  }
  return true;
}

/** Whether the line is a field without its dash, such as `  name: string` or `  name string`: headers and declarations differ there. */
function isFieldNamedLikeKeyword(cursor: Cursor): boolean {
  const { nextKind } = cursor;
  if (columnAt(cursor) === 0) return false;
  if (nextKind === TokenKind.colon || nextKind === TokenKind.question) return true;
  return /^(webrpc|name|version|basepath|error)[ \t]+(\[\])*[A-Za-z_][\w<>,]*[;,]?[ \t\r]*(#|$)/.test(
    restOfLine(cursor),
  );
}

/** Column of the current position; the first is 0. A byte order mark has no width. */
export function columnAt({ start, file }: Pick<Cursor, "start" | "file">): number {
  const line = file.text.slice(file.text.lastIndexOf("\n", start - 1) + 1, start);
  return line.replace(/^\uFEFF+/, "").length;
}

export function isFirstOnLine({ span, file }: Cursor): boolean {
  return /(^|\n)[ \t\r]*$/.test(file.text.slice(Math.max(0, span.start - 200), span.start));
}

/** Bullets that people use in place of "-". */
const bullet: RegExp = /^[*•–—~][ \t]+\w/;

/** Whether a word before this token must be a field or a method. */
function followsItemName(kind: TokenKind): boolean {
  return kind === TokenKind.colon || kind === TokenKind.question || kind === TokenKind.openParen;
}

/** Shared by all nodes without meta lines, which are most. */
const noMeta: readonly MetaNode[] = [];

/**
 * Parses the `+` lines below a field, an enum value or an alias, which starts at `ownerStart`. The enclosing list handles whatever
 * follows. A line without its plus is parsed as a meta line if it is indented further than its owner. Otherwise, it may be another
 * value in an enum, or a field.
 */
export function parseMetaLines(cursor: Cursor, ownerStart: number, isEnum = false): readonly MetaNode[] {
  let meta: MetaNode[] | undefined;
  for (;;) {
    cursor.skipToContent();
    if (repairLineEnd(cursor)) continue;
    const index = cursor.diagnostics.length;
    const isUnmarked = isUnmarkedMeta(cursor);
    const isBelow = isUnmarked && columnAt(cursor) > columnAt({ start: ownerStart, file: cursor.file });
    if (isUnmarked) {
      if (isEnum && !isBelow) return meta ?? noMeta;
      cursor.fail("missing-plus", { word: cursor.text }, cursor.span, insertFix(cursor, "+ ", cursor.start));
    } else if (cursor.kind !== TokenKind.plus) return meta ?? noMeta;
    const line = isUnmarked && (!isBelow || isKeyword(cursor.text)) ? undefined : parseMeta(cursor);
    if (isUnmarked && (line === undefined || !cursor.isReadSince(index))) cursor.doubtFix(index);
    if (line === undefined) cursor.skipLine();
    else {
      meta ??= [];
      meta.push(line);
    }
  }
}

/** Whether the line is a meta line without its plus, such as `json = id`. Header keywords are not indented. */
function isUnmarkedMeta(cursor: Cursor): boolean {
  if (cursor.kind !== TokenKind.word || cursor.file.text.charCodeAt(cursor.start - 1) === 0x0a) return false;
  return isFirstOnLine(cursor) && /^[\w.]+[ \t]*=(?!>)/.test(restOfLine(cursor));
}

/** `meta = "+" key "=" meta-value`. */
function parseMeta(cursor: Cursor): MetaNode | undefined {
  cursor.lineForm = "meta";
  const { start } = cursor.span;
  cursor.take(TokenKind.plus);
  cursor.skipBlank();
  const key = parseMetaKey(cursor);
  if (key === undefined) return undefined;
  const afterKey = cursor.start;
  cursor.skipBlank();
  if (flags.has(key.text) && /^[ \t\r]*(#|$)/.test(restOfLine(cursor))) {
    cursor.failUnexpected('"="', insertFix(cursor, " = true", afterKey));
    const span = { start: afterKey, end: afterKey };
    return { key, value: { value: "true", quoted: false, span }, span: { start, end: afterKey } };
  }
  if (!cursor.expect(TokenKind.equal, "=")) return undefined;
  cursor.skipBlank();
  const first = parseMetaValue(cursor, `"${key.text} ="`);
  if (first === undefined) return undefined;
  const value = freeTexts.has(key.text) ? repairUnquoted(cursor, first) : first;
  warnAboutComment(cursor);
  return { key, value, span: { start, end: value.span.end } };
}

/** Meta keys whose value is often a sentence. */
const freeTexts: ReadonlySet<string> = new Set(["deprecated", "message", "default", "example"]);

/** Reports a value of several words without quotes, and reads it as if it were quoted: `deprecated = use x` → `deprecated = "use x"`. */
function repairUnquoted(cursor: Cursor, first: Text): Text {
  const { value, quoted, span } = first;
  const more = /^[ \t]+\w[^#"\\\r\n]*?(?=[ \t\r]*$)/.exec(restOfLine(cursor))?.[0];
  if (quoted || more === undefined || value.includes('"')) return first;
  const whole = { start: span.start, end: cursor.start + more.length };
  const text = cursor.slice(whole.start, whole.end);
  cursor.skipBlank();
  const { fix } = replaceFix(cursor, `"${text}"`, whole);
  const extra = fix === undefined ? {} : { fix: { ...fix, title: "Put the value in quotes" } };
  cursor.failUnexpected("the end of the line", extra);
  skipTo(cursor, whole.end);
  return { value: text, quoted: true, span: whole };
}

/** Meta keys whose value can be `true`, which is omitted by mistake. */
const flags: ReadonlySet<string> = new Set(["default.empty", "deprecated", "pii", "secret"]);

function warnAboutComment(cursor: Cursor): void {
  const mark = cursor.mark();
  cursor.skipBlank();
  if (cursor.kind === TokenKind.hash) cursor.warn("comment-after-meta", {}, cursor.span);
  cursor.reset(mark);
}

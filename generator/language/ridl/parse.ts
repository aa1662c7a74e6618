import { asSuggestion, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { suggest } from "../diagnostics/suggest.ts";
import type { SourceFile } from "../source/source-file.ts";
import { cover, type Span } from "../source/span.ts";
import type {
  AliasNode,
  Comment,
  Declaration,
  EnumNode,
  EnumValueNode,
  ErrorNode,
  Header,
  HeaderKey,
  Import,
  Name,
  SchemaFile,
  StructNode,
  Text,
} from "../syntax/tree.ts";
import { TokenKind } from "./lexer.ts";
import { Cursor, type DeclarationKeyword, isKeyword, type Keyword, keywords } from "./parser/cursor.ts";
import { parseLiteral, parsePath, parseString } from "./parser/literals.ts";
import {
  insertFix,
  type LineForm,
  lineEndFix,
  repairLineEnd,
  replaceFix,
  restOfLine,
  skipTo,
} from "./parser/repair.ts";
import { parseService } from "./parser/service.ts";
import {
  columnAt,
  type ItemParsers,
  isFirstOnLine,
  parseFields,
  parseItems,
  parseMetaLines,
  parseStruct,
} from "./parser/struct.ts";
import { parseType } from "./parser/types.ts";

/**
 * Parses any text as RIDL. Reports what it cannot parse, leaves it out of the tree, and continues at the next line or
 * declaration, so one run finds all errors.
 */
export function parse(source: SourceFile): {
  readonly file: SchemaFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const cursor = new Cursor(source);
  const { headers, imports, declarations } = parseDeclarations(cursor);
  let comments: readonly Comment[] | undefined;
  const file: SchemaFile = {
    source,
    format: "ridl",
    headers,
    imports,
    declarations,
    unparsed: cursor.unparsed,
    get comments(): readonly Comment[] {
      comments ??= cursor.comments();
      return comments;
    },
  };
  return { file, diagnostics: cursor.diagnostics };
}

interface Declarations {
  readonly headers: Header[];
  readonly imports: Import[];
  readonly declarations: Declaration[];
}

/** `schema = { newline | comment | header | import | enum | struct | alias | error | service }`. */
function parseDeclarations(cursor: Cursor): Declarations {
  const found: Declarations = { headers: [], imports: [], declarations: [] };
  for (;;) {
    cursor.skipToContent();
    if (cursor.kind === TokenKind.end) return found;
    cursor.lineForm = misplacedLines[cursor.kind] ?? "declaration";
    if (cursor.kind === TokenKind.word) parseDeclaration(cursor, found);
    else if (!skipByteOrderMark(cursor)) {
      const extra = lineEndFix(cursor);
      cursor.failUnexpected("a declaration", extra);
      if (extra.fix === undefined) skipOrphans(cursor);
      else cursor.skipLine();
    }
  }
}

/** Lines of a list that stand outside of one, by their first token. */
const misplacedLines: Partial<Readonly<Record<TokenKind, LineForm>>> = {
  [TokenKind.at]: "annotation",
  [TokenKind.minus]: "item",
  [TokenKind.plus]: "metaItem",
};

function parseDeclaration(cursor: Cursor, found: Declarations): void {
  const before = cursor.diagnostics.length;
  const { start, text: firstWord } = cursor;
  const keyword = keywordAt(cursor);
  cursor.lineForm = keyword ?? "declaration";
  switch (keyword) {
    case undefined:
      break;
    case "import":
      for (const node of parseImport(cursor)) found.imports.push(node);
      break;
    case "webrpc":
    case "name":
    case "version":
    case "basepath":
      pushFound(found.headers, parseHeader(cursor, keyword));
      break;
    default: {
      const isFound = pushFound(found.declarations, parsers[keyword](cursor));
      // A keyword of another language means the same only if its lines do.
      if (firstWord !== keyword && !(isFound && cursor.isReadSince(before))) cursor.doubtFixes(before);
      if (isFound) return;
    }
  }
  if (keyword === undefined || !cursor.isReadSince(before)) {
    cursor.recordUnparsedLine(start);
    if (keyword === "import") cursor.unparsed.imports = true;
    skipOrphans(cursor);
  }
}

function pushFound<Item>(list: Item[], item: Item | undefined): boolean {
  if (item === undefined) return false;
  list.push(item);
  return true;
}

const parsers = {
  enum: parseEnum,
  struct: parseStruct,
  type: parseAlias,
  error: parseError,
  service: parseService,
} as const satisfies Readonly<Record<DeclarationKeyword, (cursor: Cursor) => Declaration | undefined>>;

/**
 * Returns the keyword at the cursor. A misspelled keyword is reported and read as the intended one, so that the lines below it are
 * parsed.
 */
function keywordAt(cursor: Cursor): Keyword | undefined {
  const { text, span } = cursor;
  if (isKeyword(text)) return text;
  if (modifiers.has(text)) {
    const [whole = text, , next] = /^\w+([ \t]+)(\w+)/.exec(restOfLine(cursor)) ?? [];
    const isBeforeKeyword = next !== undefined && (isKeyword(next) || foreignKeywords.has(next));
    if (!isBeforeKeyword && !foreignKeywords.has(text))
      return cursor.fail("unknown-keyword", { word: text }, span);
    if (isBeforeKeyword) {
      const end = span.start + whole.length - next.length;
      cursor.fail(
        "unknown-keyword",
        { word: text },
        span,
        replaceFix(cursor, "", { start: span.start, end }),
      );
      cursor.advance();
      cursor.skipBlank();
      return keywordAt(cursor);
    }
  }
  const foreign = foreignKeywords.get(text) ?? [...keywords].find((each) => each === text.toLowerCase());
  const keyword = foreign ?? suggest(text, keywords);
  if (keyword === undefined) return cursor.fail("unknown-keyword", { word: text }, span);
  const extra = replaceFix(cursor, keyword, span);
  if (text === "message") cursor.fail("renamed-keyword", {}, span, extra);
  else {
    const advice = foreign === undefined ? `Did you mean "${keyword}"?` : `Write "${keyword}".`;
    cursor.fail("unknown-keyword", { word: text }, span, {
      advice,
      ...(foreign === undefined ? asSuggestion(extra) : extra),
    });
  }
  return keyword as Keyword;
}

/** Modifiers of other languages before a declaration. */
const modifiers: ReadonlySet<string> = new Set(["export", "public", "declare", "pub", "abstract", "input"]);

/** Keywords of other languages for a declaration. */
const foreignKeywords: ReadonlyMap<string, Keyword> = new Map([
  ["message", "struct"],
  ["class", "struct"],
  ["interface", "struct"],
  ["record", "struct"],
  ["model", "struct"],
  ["object", "struct"],
  ["entity", "struct"],
  ["input", "struct"],
  ["structure", "struct"],
  ["table", "struct"],
  ["scalar", "type"],
  ["api", "service"],
  ["alias", "type"],
  ["include", "import"],
  ["exception", "error"],
  ["typedef", "type"],
  ["newtype", "type"],
]);

/** Reports a byte order mark and skips it, so that the first declaration is parsed. */
function skipByteOrderMark(cursor: Cursor): boolean {
  const [marks] = /^\uFEFF+/.exec(cursor.file.text) ?? [];
  if (cursor.start !== 0 || marks === undefined) return false;
  const edits = [{ span: { start: 0, end: marks.length }, text: "" }];
  cursor.fail("byte-order-mark", {}, cursor.span, {
    fix: { title: "Remove the byte order mark", file: cursor.file, edits },
  });
  skipTo(cursor, marks.length);
  return true;
}

/** Called after an error: skips this line and the `-`, `+` and `@` lines below it. */
function skipOrphans(cursor: Cursor): void {
  cursor.skipLine();
  for (;;) {
    cursor.skipToContent();
    const { kind } = cursor;
    if (kind !== TokenKind.minus && kind !== TokenKind.plus && kind !== TokenKind.at) return;
    cursor.skipLine();
  }
}

/** `header = ( "webrpc" | "name" | "version" | "basepath" ) "=" value eol`. */
function parseHeader(cursor: Cursor, key: HeaderKey): Header | undefined {
  const keySpan = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  // An indented line may be a field of another language.
  if (cursor.kind !== TokenKind.equal && columnAt({ start: keySpan.start, file: cursor.file }) > 0)
    return cursor.failUnexpected('"="');
  if (!cursor.expect(TokenKind.equal, "=")) return undefined;
  cursor.skipBlank();
  const value = parseLiteral(cursor, `"${key} ="`);
  if (value === undefined) return undefined;
  cursor.expectLineEnd();
  return { kind: "header", key, value, span: { start: keySpan.start, end: value.span.end } };
}

/**
 * `import = "import" eol { "-" path }` imports whole files, and
 * `import = "import" path { "-" value }` imports the listed members of one file.
 */
function parseImport(cursor: Cursor): Import[] {
  const keywordSpan = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  if (cursor.kind === TokenKind.newline || cursor.kind === TokenKind.hash || cursor.kind === TokenKind.end) {
    return parseMembers(cursor, parsePath, isUnmarkedPath).map((path) => ({
      kind: "import",
      path,
      members: [],
      listKeywordSpan: keywordSpan,
      span: path.span,
    }));
  }
  const path = parsePath(cursor);
  if (path === undefined) return [];
  const members = parseMembers(
    cursor,
    (at) => parseLiteral(at, '"-"'),
    () => false,
  );
  return [{ kind: "import", path, members, span: { start: keywordSpan.start, end: path.span.end } }];
}

function parseMembers(
  cursor: Cursor,
  parseItem: (cursor: Cursor) => Text | undefined,
  isUnmarked: (cursor: Cursor) => boolean,
): Text[] {
  const items: Text[] = [];
  for (;;) {
    cursor.skipToContent();
    if (repairLineEnd(cursor)) continue;
    if (!cursor.take(TokenKind.minus)) {
      if (!isUnmarked(cursor)) return items;
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

/** `alias = "type" word ":" type { meta }`. */
function parseAlias(cursor: Cursor): AliasNode | StructNode | undefined {
  const keyword = cursor.span;
  const { start } = keyword;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the type");
  if (name === undefined) return undefined;
  const opening = structOpening(cursor);
  if (opening !== undefined) return repairStructKeyword(cursor, keyword, name, opening);
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  if (type === undefined) return undefined;
  const meta = parseMetaLines(cursor, start);
  return {
    kind: "alias",
    name,
    type,
    meta,
    span: cover({ start, end: type.span.end }, meta.at(-1)?.span ?? type.span),
  };
}

/**
 * What follows the name if fields follow: `type Pet {`, `type Pet = {`, `type Pet struct {`, or `type Pet` above a line with a dash. In
 * other languages, "type" declares a struct. Undefined otherwise.
 */
function structOpening(cursor: Cursor): string | undefined {
  const opening = /^[ \t]*(=|struct\b)?[ \t]*\{/.exec(restOfLine(cursor))?.[0];
  if (opening !== undefined) return opening;
  const { text } = cursor.file;
  return /^[ \t\r]*\n[ \t]*-/.test(text.slice(cursor.start, cursor.start + 200)) ? "" : undefined;
}

/** Reports "type" in place of "struct", and parses the fields, provided that they are not on the same line. */
function repairStructKeyword(cursor: Cursor, keyword: Span, name: Name, opening: string): StructNode {
  const { start } = cursor;
  const isLast = /^[ \t\r]*(#|$)/.test(restOfLine(cursor).slice(opening.length));
  const edits = [
    { span: keyword, text: "struct" },
    { span: { start, end: start + opening.length }, text: "" },
  ].filter(({ span }) => span.end > span.start);
  const index = cursor.diagnostics.length;
  cursor.skipBlank();
  cursor.failUnexpected('":" and a type', {
    advice: `A type with fields is a struct: "struct ${name.text}".`,
    fix: { title: 'Write "struct"', file: cursor.file, edits },
  });
  cursor.skipLine();
  const struct = parseFields(cursor, keyword.start, name);
  if (!isLast || !cursor.isReadSince(index)) cursor.doubtFixes(index);
  return struct;
}

/** `enum = "enum" word ":" word eol { "-" word [ "=" value ] { meta } }`. */
function parseEnum(cursor: Cursor): EnumNode | undefined {
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
    if (isLastParsed && values.length === 0)
      cursor.failUnexpected('"-" and the first value', lineEndFix(cursor));
    return false;
  },
};

function parseEnumValue(cursor: Cursor): EnumValueNode | undefined {
  cursor.lineForm = "enumValue";
  const { start } = cursor.span;
  cursor.take(TokenKind.minus);
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
  const meta = parseMetaLines(cursor, start, true);
  const end = (meta.at(-1) ?? value ?? name).span.end;
  return { kind: "enum-value", name, value, meta, span: { start, end } };
}

/** `error = "error" digits word ( string | word ) [ "HTTP" digits ] eol`. */
function parseError(cursor: Cursor): ErrorNode | undefined {
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
    /^(['`\u2018\u201c]?)([^"'#\\]*?[^"'#\s\\])(["'`\u2019\u201d]?)(?=[ \t\r]+HTTP[ \t\r]+\d|[ \t\r]*(#|$))/.exec(
      restOfLine(cursor),
    ) ?? [];
  if (whole === "" || (open === "" && close === "" && !/\s/.test(text)) || /^HTTP\b|\s\/\//.test(text))
    return undefined;
  const span = { start: cursor.start, end: cursor.start + whole.length };
  const { fix } = replaceFix(cursor, `"${text}"`, span);
  const extra = fix === undefined ? {} : { fix: { ...fix, title: `Put the message in quotes` } };
  cursor.fail("unexpected", { expected: "a message in quotes", found: `"${whole}"` }, span, extra);
  skipTo(cursor, span.end);
  return { value: text, quoted: true, span };
}

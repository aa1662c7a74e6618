import { suggest } from "../../diagnostics/suggest.ts";
import type { Declaration, Header, Import } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import { parseAlias } from "./alias.ts";
import type { Cursor } from "./cursor.ts";
import { parseEnum } from "./enum.ts";
import { parseError } from "./error.ts";
import { parseHeader } from "./header.ts";
import { parseImport } from "./import.ts";
import { type DeclarationKeyword, isKeyword, type Keyword, keywords } from "./keywords.ts";
import type { LineForm } from "./line-forms.ts";
import { lineEndFix, replaceFix, restOfLine } from "./repair.ts";
import { parseService } from "./service.ts";
import { parseStruct } from "./struct.ts";

interface Declarations {
  readonly headers: Header[];
  readonly imports: Import[];
  readonly declarations: Declaration[];
}

/** `schema = { newline | comment | header | import | enum | struct | alias | error | service }`. */
export function parseDeclarations(cursor: Cursor): Declarations {
  const found: Declarations = { headers: [], imports: [], declarations: [] };
  for (;;) {
    cursor.skipToContent();
    if (cursor.kind === TokenKind.end) return found;
    cursor.lineForm = misplacedLines[cursor.kind] ?? "declaration";
    if (cursor.kind === TokenKind.word) parseDeclaration(cursor, found);
    else if (!skipByteOrderMark(cursor)) {
      cursor.failUnexpected("a declaration", lineEndFix(cursor));
      skipOrphans(cursor);
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
  const { start } = cursor;
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
    default:
      if (pushFound(found.declarations, parsers[keyword](cursor))) return;
  }
  const hasFailed = cursor.diagnostics.slice(before).some(({ severity }) => severity === "error");
  if (keyword === undefined || hasFailed) {
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
 * Returns the keyword at the cursor. A misspelt keyword is reported and read as the intended one, so that the lines below it are
 * parsed.
 */
function keywordAt(cursor: Cursor): Keyword | undefined {
  const { text, span } = cursor;
  if (isKeyword(text)) return text;
  if (modifiers.has(text)) {
    const [whole = text, , next] = /^\w+([ \t]+)(\w+)/.exec(restOfLine(cursor)) ?? [];
    if (next === undefined || !(isKeyword(next) || foreignKeywords.has(next)))
      return cursor.fail("unknown-keyword", { word: text }, span);
    const end = span.start + whole.length - next.length;
    cursor.fail("unknown-keyword", { word: text }, span, replaceFix(cursor, "", { start: span.start, end }));
    cursor.advance();
    cursor.skipBlank();
    return keywordAt(cursor);
  }
  const suggestion = foreignKeywords.get(text) ?? suggest(text, keywords);
  if (text === "message") cursor.fail("renamed-keyword", {}, span, replaceFix(cursor, "struct", span));
  else if (suggestion === undefined) return cursor.fail("unknown-keyword", { word: text }, span);
  else {
    const advice = `Did you mean "${suggestion}"?`;
    cursor.fail("unknown-keyword", { word: text }, span, { advice, ...replaceFix(cursor, suggestion, span) });
  }
  return suggestion as Keyword;
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
  ["rpc", "service"],
  ["api", "service"],
  ["typedef", "type"],
  ["alias", "type"],
  ["exception", "error"],
  ["include", "import"],
  ["using", "import"],
]);

/** Reports a byte order mark and skips it, so that the first declaration is parsed. */
function skipByteOrderMark(cursor: Cursor): boolean {
  if (cursor.start !== 0 || cursor.text !== "\uFEFF") return false;
  const edits = [{ span: cursor.span, text: "" }];
  cursor.fail("byte-order-mark", {}, cursor.span, {
    fix: { title: "Remove the byte order mark", file: cursor.file, edits },
  });
  cursor.advance();
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

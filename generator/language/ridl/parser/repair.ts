import { asSuggestion, type DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import { adviseResponse, adviseType, nameFor, readForeignType, splitAt } from "../../syntax/foreign-types.ts";
import { TokenKind } from "../lexer.ts";

/** The part of the cursor that repairs need. */
interface RepairCursor {
  readonly file: SourceFile;
  readonly kind: TokenKind;
  readonly start: number;
  readonly span: Span;
  readonly lineForm: LineForm;
  skipLine(): void;
  advance(): void;
  failUnexpected(expected: string, extra: DiagnosticExtras): undefined;
}

/** Builds a fix that replaces the text in a span, or removes it if `text` is empty. */
export function replaceFix({ file }: Pick<RepairCursor, "file">, text: string, span: Span): DiagnosticExtras {
  const title =
    text.trim() === ""
      ? `Remove "${file.text.slice(span.start, span.end).trim()}"`
      : `Write "${text.trim()}"`;
  return { fix: { title, file, edits: [{ span, text }] } };
}

export function insertFix({ file }: Pick<RepairCursor, "file">, text: string, at: number): DiagnosticExtras {
  const edits = [{ span: { start: at, end: at }, text }];
  return { fix: { title: `Add "${text.trim()}"`, file, edits } };
}

/** Returns the rest of the line from the current position, comments included. A NUL ends it, as it ends the schema. */
export function restOfLine({ file, start }: Pick<RepairCursor, "file" | "start">): string {
  const end = file.text.indexOf("\n", start);
  const line = file.text.slice(start, end === -1 ? undefined : end);
  const nul = line.indexOf("\0");
  return nul === -1 ? line : line.slice(0, nul);
}

/** Advances to an offset. Stops earlier if the cursor is at the end, to which it jumps after `maxDiagnostics` diagnostics. */
export function skipTo(cursor: Pick<RepairCursor, "kind" | "start" | "advance">, offset: number): void {
  while (cursor.kind !== TokenKind.end && cursor.start < offset) cursor.advance();
}

/** Returns where the text before the current position ends, without trailing blanks. */
export function previousTokenEnd({ file, start }: Pick<RepairCursor, "file" | "start">): number {
  let end = start;
  while (end > 0 && /[ \t\r]/.test(file.text.charAt(end - 1))) end--;
  return end;
}

/**
 * Builds a fix for characters that other languages put at the end of a line: `;`, `,`, a brace, a `//` comment. Other comments, and
 * annotations and meta keys in a wrong place, get advice.
 */
export function lineEndFix(cursor: RepairCursor): DiagnosticExtras {
  const rest = restOfLine(cursor);
  if (/^@\w/.test(rest))
    return { advice: (cursor.lineForm === "field" ? habitAdvice(cursor) : undefined) ?? annotationAdvice };
  if (/^\+[ \t]*\w/.test(rest)) return { advice: metaAdvice };
  const slashes = /^\/{2,}/.exec(rest)?.[0];
  if (slashes !== undefined)
    return replaceFix(cursor, "#", { start: cursor.start, end: cursor.start + slashes.length });
  if (rest.startsWith("/*")) return { advice: 'A comment starts with "#", on each of its lines.' };
  const ending = /^[;,{}]+(?=[ \t\r]*(#|$))/.exec(rest)?.[0];
  if (ending === undefined) return {};
  const span = { start: previousTokenEnd(cursor), end: cursor.start + ending.length };
  // Directly behind a word, "#" would be a part of it.
  const extra = replaceFix(cursor, rest.charAt(ending.length) === "#" ? " " : "", span);
  // A brace behind an item starts an object, or the code of a method.
  return ending.includes("{") && isItem.has(cursor.lineForm) ? asSuggestion(extra) : extra;
}

const isItem: ReadonlySet<LineForm> = new Set<LineForm>(["field", "enumValue", "meta", "method", "route"]);

/** Reports characters that other languages put at the end of a line, and skips them, so that the next line is read. */
export function repairLineEnd(cursor: RepairCursor): boolean {
  const extra = lineEndFix(cursor);
  if (extra.fix === undefined) return false;
  cursor.failUnexpected("the end of the line", extra);
  cursor.skipLine();
  return true;
}

const typeRest: RegExp = /^[ \t]+((?:\[\])*[A-Za-z_]\w*(?:<[^()]*>)?)[ \t\r]*([,)#]|$)/;

/**
 * Whether the word before the current position must be the name of what follows, a type: `id uint64`, but not `stream Order`,
 * `string name` or `Order order`. A name in capitals may be an imported type.
 */
function isNamedType({ file, start, lineForm }: RepairCursor, typeText: string): boolean {
  const types = declaredTypes(file);
  const isKnown = /^(\[\]|\w+<|\w+\[\])/.test(typeText) || types.has(typeText) || coreName.test(typeText);
  if (!isKnown) return false;
  if (lineForm === "type" || lineForm === "enum") return true;
  const [, name = ""] = /(\w+)\??[ \t]*$/.exec(file.text.slice(Math.max(0, start - 200), start)) ?? [];
  if (modifiers.has(name.toLowerCase()) || coreName.test(name) || types.has(name)) return false;
  return !/^[A-Z]/.test(name) || !/^[ \t]*import\b/m.test(file.text);
}

const coreName: RegExp =
  /^(bool(ean)?|string|u?int(eger|\d+)?|float(\d+)?|double|long|bytes?|bigint|timestamp|any)$/i;

function declaredTypes({ text }: SourceFile): ReadonlySet<string> {
  const declarations = text.matchAll(/^[ \t]*(?:struct|enum|type)[ \t]+(\w+)/gm);
  return new Set([...declarations].map(([, name = ""]) => name));
}

/** Words that other languages write before a type or a name. */
const modifiers: ReadonlySet<string> = new Set(
  [
    "stream repeated optional required nullable maybe option oneof reserved extend",
    "const readonly immutable mutable mut final static var let val in out inout ref own dyn impl move box",
    "public private protected internal pub open abstract virtual override extern export declare async lazy",
    "unsigned signed short volatile transient memory calldata storage indexed payable",
    "list array set vec map slice seq sequence iterable iterator observable promise future",
    "struct enum type class interface union message input param returns",
  ]
    .join(" ")
    .split(" "),
);

const annotationAdvice =
  'Write an annotation above a method. Other declarations have comments, and fields have meta keys, such as "+ deprecated = true" on the next line.';

const metaAdvice =
  'A line with "+" belongs below a field, an enum value or an alias. Methods have annotations instead, such as @deprecated on the line above.';

/**
 * Reports a missing or wrong symbol with a fix, and continues as if it were right, provided that the rest of the line fits. `- id
 * uint64` and `- id= uint64` → `- id: uint64`.
 */
export function repairSymbol(cursor: RepairCursor, symbol: ":" | "="): boolean {
  const { kind, span } = cursor;
  const other = symbol === ":" ? TokenKind.equal : TokenKind.colon;
  const expected = `"${symbol}"`;
  const rest = restOfLine(cursor);
  if (kind === other) {
    // A default value may follow "=", or the body of a declaration.
    const type = /^=[ \t]*((?:\[\])*[A-Za-z_][^={}"'|,)#]*?)[ \t\r]*([,)#]|$)/.exec(rest)?.[1];
    if (symbol === ":" && (type === undefined || !isNamedType(cursor, type))) return false;
    cursor.failUnexpected(expected, replaceFix(cursor, symbol, span));
    cursor.advance();
    return true;
  }
  const type = typeRest.exec(rest)?.[1];
  const restFits =
    symbol === ":"
      ? type !== undefined && isNamedType(cursor, type)
      : /^([\w/][^\s"\\#=:?!,()[\]<>{}]*|"[^"\\]+")[ \t\r]*(#|$)/.test(rest);
  if (!restFits) return false;
  cursor.failUnexpected(expected, insertFix(cursor, symbol === ":" ? ":" : "= ", cursor.start));
  return true;
}

/** Returns how RIDL writes what other languages write on the current line. Undefined if the line has none of their forms. */
export function habitAdvice({ file, start, lineForm }: RepairCursor): string | undefined {
  const lineStart = file.text.lastIndexOf("\n", start - 1) + 1;
  const whole = /^[^\n]{0,400}/.exec(file.text.slice(lineStart))?.[0] ?? "";
  const line = whole.replace(/[ \t\r]+((#|\/\/).*)?$/, "");
  if (/^[ \t]*--/.test(line)) return 'A comment starts with "#".';
  return lineAdvice[lineForm]?.(line, start - lineStart, file);
}

type LineAdvice = (line: string, column: number, file: SourceFile) => string | undefined;

const lineAdvice: Partial<Readonly<Record<LineForm, LineAdvice>>> = {
  declaration: (line, column, file) => adviseAlias(line, column, file) ?? adviseDeclaration(line),
  type: adviseAlias,
  field: (line, _, file) =>
    adviseEmbedded(line, file) ??
    adviseTyped("field", withDecoratorsLast(line), file) ??
    adviseQuotedName(line),
  struct: (line, _, file) =>
    /^[ \t]*\w+[ \t]+\w+[ \t]*<[A-Z]\w?[ \t]*[,>]/.test(line)
      ? "Structs have no type parameters: declare a struct for each type."
      : (adviseBody(line, file) ?? adviseBase(line, baseOfStruct) ?? adviseEmbedded(line, file)),
  enum: adviseEnum,
  enumValue: adviseEnumValue,
  error: adviseError,
  method: (line, column, file) => adviseMethodWords(line) ?? adviseMethod(line, column, file),
  annotation: (line) => {
    const [, name, value = ""] = /^[ \t]*@(\w+)[ \t]*[(=][ \t]*["'`]?([^"'`()]*)["'`]?\)?$/.exec(line) ?? [];
    const text = /\W/.test(value) ? `"${value}"` : value;
    return name && `Write '@${name}${value === "" ? "" : `:${text}`}'.`;
  },
  route: (line) => {
    const [, verb, path = ""] = /^[ \t]*(\w+)[ \t]+(\/.*)$/.exec(line) ?? [];
    const written = path.replaceAll(/:(\w+)|<(?:\w+:)?(\w+)>|\[(\w+)\]/g, "{$1$2$3}");
    return written === path ? undefined : `Write "${verb} ${written}".`;
  },
  import: (line) => {
    const path = /["'<]([\w./-]+)["'>]/.exec(line)?.[1];
    return path && `Write "import ${path}".`;
  },
  meta: (line) => {
    const key = /^[ \t]*[+][ \t]*([\w.]+)$/.exec(line)?.[1];
    return key && `Write "+ ${key} = true", or another value.`;
  },
};

const methodWords =
  "async|fn|func|fun|def|function|rpc|op|operation|query|mutation|subscription|public|static";

/** `package shop` and `op getOrder(…)`, outside of other declarations. */
function adviseDeclaration(line: string): string | undefined {
  if (/^[ \t]*(package|namespace|module|syntax|option|edition)\b/.test(line))
    return 'Remove the line: "name = shop" at the top names a schema.';
  return new RegExp(`^[ \\t]*(?:${methodWords})[ \\t]+\\w+[ \\t]*\\(`).test(line)
    ? 'A method belongs below a service, such as "service Shop", as a line "- GetOrder(id: uint64) => (order: Order)".'
    : undefined;
}

/** `struct Order { id: ID! }` */
function adviseBody(line: string, file: SourceFile): string | undefined {
  const [, name, body = ""] = /^[ \t]*\w+[ \t]+(\w+)[ \t]*=?[ \t]*\{[ \t]*(.+?)[ \t]*\}$/.exec(line) ?? [];
  const fields = splitAt(body.replaceAll(";", ","), ",").map((field) => field.trim());
  const lines = fields.flatMap((field) => {
    const [, start = "", type = field] = /^(\w+\??:[ \t]*)(.+)$/.exec(field) ?? [];
    const foreign = readForeignType(type, { name: "", isError: isErrorIn(file) });
    const isWhole = foreign?.meta?.length === 0 || foreign?.meta === undefined;
    return field === "" ? [] : [`"- ${start}${foreign !== undefined && isWhole ? foreign.type : type}"`];
  });
  return name && `Write "struct ${name}", and below it a line for each field: ${lines.join(", ")}.`;
}

/** `"n": int32` */
function adviseQuotedName(line: string): string | undefined {
  const [, name, type] = /^[ \t]*-?[ \t]*["'`](\w+\??)["'`][ \t]*:[ \t]*(.+)$/.exec(line) ?? [];
  return name && `Write "- ${name}: ${type}".`;
}

/** `@min(1) "n": int32` → `n: int32 @min(1)` */
function withDecoratorsLast(line: string): string {
  const unquoted = line.replace(/^([ \t]*-?[ \t]*)(["'`])(\w+\??)\2/, "$1$3");
  return unquoted.replace(/^([ \t]*-?[ \t]*)((?:@\w+(?:\([^()]*\))?[ \t]+)+)(.+)$/, "$1$3 $2").trimEnd();
}

/** `async Get()`, `GET /orders Get()`, `@get("/orders") Get()`, `Get({ id: string })`. */
function adviseMethodWords(line: string): string | undefined {
  const word = new RegExp(`^[ \\t]*-[ \\t]*(${methodWords})[ \\t]+\\w`).exec(line)?.[1];
  if (word !== undefined) return `Remove "${word}": a method starts with its name.`;
  const [, verb = "", path] =
    /^[ \t]*-[ \t]*@?(get|post|put|patch|delete)[ \t(]+["'`]?(\/[^\s"'`()]*)/i.exec(line) ?? [];
  if (path !== undefined) return `Write the route below the method, as "${verb.toUpperCase()} ${path}".`;
  const fields = /^[^(]*\([ \t]*\{([^{}]*)\}[ \t]*\)/.exec(line)?.[1];
  return fields === undefined ? undefined : `Write "(${fields.trim()})".`;
}

/** Whether a name in a type is that of an error. */
function isErrorIn({ text }: SourceFile): (name: string) => boolean {
  return (name) =>
    /^\w+(Error|Exception|NotFound)$/.test(name) ||
    (/^\w+$/.test(name) && new RegExp(`^[ \\t]*error[ \\t]+\\d+[ \\t]+${name}\\b`, "m").test(text));
}

/** `type Pet = Cat | Dog`, `union Pet = Cat | Dog`. */
function adviseAlias(line: string, _: number, file: SourceFile): string | undefined {
  const [, name, sign, type = ""] =
    /^[ \t]*(?:export[ \t]+)?(?:type|union|newtype|alias|using|oneof)[ \t]+(\w+)[ \t]*([:=])[ \t]*(.+)$/.exec(
      line,
    ) ?? [];
  if (name === undefined) return undefined;
  const foreign = readForeignType(type.replace(/^\|/, ""), { name, isError: isErrorIn(file) });
  return foreign && (sign === "=" || foreign.type !== type)
    ? adviseType(foreign, { kind: "alias", name, optional: false }, "ridl")
    : undefined;
}

/** Reads `optional id: string`, `repeated string tags` and `name VARCHAR(20) NOT NULL`. */
function adviseTyped(kind: "field" | "argument", text: string, file: SourceFile): string | undefined {
  const [, words = "", named, mark = "", rest = ""] =
    /^[ \t]*-?[ \t]*(?:\.\.\.)?((?:\w+[ \t]+)*)(\w+)(\??)[ \t]*:[ \t]*(.+)$/.exec(text) ?? [];
  const read = (name: string, type: string): string | undefined => {
    const foreign = readForeignType(type, { name, isError: isErrorIn(file) });
    if (foreign === undefined || (named !== undefined && foreign.type === type && foreign.optional !== true))
      return undefined;
    const isType =
      named !== undefined ||
      foreign.declared !== undefined ||
      !/^[A-Z]?\w+$/.test(foreign.type) ||
      coreName.test(foreign.type);
    return isType ? adviseType(foreign, { kind, name, optional: mark !== "" }, "ridl") : undefined;
  };
  if (named !== undefined) return read(named, `${words}${rest}`);
  const [, type = "", last = ""] =
    /^[ \t]*-?[ \t]*(.+?)[ \t]+(\w+)(?:[ \t]*=[ \t]*\d+)?[ \t]*;?$/.exec(text) ?? [];
  const [, first = "", behind = ""] = /^[ \t]*-?[ \t]*(\w+)[ \t]+(.+)$/.exec(text) ?? [];
  return (coreName.test(last) ? undefined : read(last, type)) ?? read(first, behind);
}

const baseOfStruct: RegExp =
  /^[ \t]*\w+[ \t]+\w+[ \t]*(?:<:|extends\b|implements\b|includes?\b|inherits\b|with\b|[:<(&+])[ \t]*(\w+)/;

/** `...Order`, `include Order` and, if the name is declared, `- Order`. */
function adviseEmbedded(line: string, file: SourceFile): string | undefined {
  const form = /^[ \t]*-?[ \t]*(?:\.\.\.|<<[ \t]*:|include\b|embeds?\b|extends\b|\*)[ \t]*\*?([A-Z]\w*)$/;
  const name = /^[ \t]*-[ \t]*([A-Z]\w*)$/.exec(line)?.[1];
  return name !== undefined && declaredTypes(file).has(name)
    ? adviseBase(line, /([A-Z]\w*)$/)
    : adviseBase(line, form);
}

function adviseBase(line: string, form: RegExp): string | undefined {
  const base = form.exec(line)?.[1];
  if (base === undefined) return undefined;
  return `Structs do not inherit: repeat the fields of "${base}", or write a field "- ${nameFor(base)}: ${base}".`;
}

/** `enum Status { OPEN, CLOSED }`, `enum Status = "open" | "closed"`. */
function adviseEnum(line: string): string | undefined {
  const [, name, list = ""] =
    /^[ \t]*enum[ \t]+(\w+)[ \t]*(?::[ \t]*(?:u?int\d*|string)\b)?[ \t]*[=:{([]*[ \t]*(.*?)[\])};]*$/.exec(
      line,
    ) ?? [];
  const values = list.match(/[\w-]+/g);
  if (name === undefined) return undefined;
  if (values === null) return `Write "enum ${name}: string", and below it a line "- VALUE" for each value.`;
  return `Write "enum ${name}: string", and below it a line for each value: ${values.map((value) => `"- ${value}"`).join(", ")}.`;
}

/** `Open = 'open'`, `OPEN("open")`, `"open"`. */
function adviseEnumValue(line: string): string | undefined {
  const [, name, value] =
    /^[ \t]*-?[ \t]*["'`]?(\w+)["'`]?[ \t]*(?:(?:=>?|->|:|\()[ \t]*["'`]?([\w.-]+)["'`]?\)?)?[ \t]*[,;|]?$/.exec(
      line,
    ) ?? [];
  const names = line.match(/\w+/g) ?? [];
  const text = /^[ \t]*-?[ \t]*(["'`])([\w-]+(?: [\w-]+)*)\1[ \t]*[,;]?$/.exec(line)?.[2];
  if (text !== undefined && /\W/.test(text)) return `Write '- ${text.replaceAll(/\W/g, "_")} = "${text}"'.`;
  if (/^[ \t]*-?[ \t]*\w+([ \t]*[,|][ \t]*\w+)+/.test(line))
    return `Write a line for each value: ${names.map((each) => `"- ${each}"`).join(", ")}.`;
  return name && `Write "- ${name}${value === undefined ? "" : ` = ${value}`}".`;
}

/** `error NotFound 404 "no such order"`, `exception NotFound(404)`. */
function adviseError(line: string, _: number, { text }: SourceFile): string | undefined {
  const name = /\b(?!HTTP\b)[A-Z]\w*/.exec(line.replaceAll(/(["'`]).*?\1/g, ""))?.[0];
  if (name === undefined) return undefined;
  const numbers = line.replaceAll(/(["'`]).*?\1/g, "").match(/\b\d+\b/g) ?? [];
  const status = numbers.findLast((number) => /^[45]\d\d$/.test(number)) ?? "400";
  const codes = [...text.replace(line, "").matchAll(/^[ \t]*error[ \t]+(\d{1,9})[ \t]/gm)].map(([, code]) =>
    Number(code),
  );
  const given = numbers.length > 1 || numbers[0] !== status ? numbers[0] : undefined;
  const code = given ?? Math.max(99, ...codes) + 1;
  const message = /(["'`])(.+?)\1/.exec(line)?.[2] ?? "what went wrong";
  const data = /[({].*\w[ \t]*:/.test(line)
    ? ` The data of an error is an alias of a struct, with "+ errorData = ${name}" below it.`
    : "";
  return `Write 'error ${code} ${name} "${message}" HTTP ${status}'.${data}`;
}

function adviseMethod(line: string, column: number, file: SourceFile): string | undefined {
  const open = line.indexOf("(");
  let close = open;
  for (let depth = 0; close < line.length; close++) {
    if ("([{<".includes(line.charAt(close))) depth++;
    else if (")]}>".includes(line.charAt(close)) && !/[=-]/.test(line.charAt(close - 1)) && --depth === 0)
      break;
  }
  if (open < 0 || column > close) {
    const [, response = ""] =
      /^[ \t]*(?:=>|->|:|=|returns\b)?[ \t]*(.*?)[ \t]*[;{]?$/.exec(line.slice(close + 1)) ?? [];
    return open < 0 ? undefined : adviseResponse(response, isErrorIn(file));
  }
  let end = open;
  for (const part of splitAt(line.slice(open + 1, close), ",")) {
    end += part.length + 1;
    if (column <= end) return adviseTyped("argument", part, file);
  }
  return undefined;
}

/** How each kind of line is written: the advice of syntax errors that have no fix. */
export const lineForms = {
  declaration:
    "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  item: 'A line with "-" belongs below an import, an enum, a struct or a service.',
  metaItem: 'A line with "+" belongs below a field, an enum value or an alias.',
  webrpc: 'Write the line as "webrpc = v1".',
  name: 'Write the line as "name = shop".',
  version: 'Write the line as "version = v1.0.0".',
  basepath: 'Write the line as "basepath = /".',
  import:
    'Write an import as "import types.ridl", or as "import" and below it a line "- types.ridl" for each file.',
  enum: 'Write an enum as "enum Status: string", and below it a line "- ACTIVE" for each value.',
  enumValue: 'Write an enum value as "- ACTIVE" or "- ACTIVE = 1".',
  struct: 'Write a struct as "struct Order", and below it a line "- id: uint64" for each field.',
  field: 'Write a field as "- id: uint64", or as "- note?: string" if it is optional.',
  meta: 'Write a meta key as "+ json = order_id".',
  type: 'Write an alias as "type OrderId: uint64".',
  error: `Write an error as 'error 101 OutOfStock "The item is sold out" HTTP 409'.`,
  service: 'Write a service as "service Shop", and below it a line "- GetOrder(id: uint64)" for each method.',
  method: 'Write a method as "- GetOrder(id: uint64) => (order: Order)", or with "=> stream (order: Order)".',
  route: 'Write a route as "GET /orders/{id}", below its method.',
  servicePath: 'Write the path of a service as "path = /shop", above its methods.',
  annotation: 'Write an annotation above a method, as @name, @name:value or @name:"some text".',
} as const;

export type LineForm = keyof typeof lineForms;

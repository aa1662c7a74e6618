import { asSuggestion, type DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import { suggest } from "../../diagnostics/suggest.ts";
import type { Span } from "../../source/span.ts";
import { isRouteVerb, routeVerbs } from "../../syntax/route-verbs.ts";
import type {
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  MethodNode,
  Name,
  RouteNode,
  ServiceNode,
  Text,
} from "../../syntax/tree.ts";
import { TokenKind } from "../lexer.ts";
import { type Cursor, isKeyword } from "./cursor.ts";
import { parseLiteral, parseString } from "./literals.ts";
import { insertFix, previousTokenEnd, replaceFix, restOfLine, skipTo } from "./repair.ts";
import { type ItemParsers, isFirstOnLine, parseItems } from "./struct.ts";
import { parseType } from "./types.ts";

/** `service = "service" value eol [ path ] { annotation | method | route }`. */
export function parseService(cursor: Cursor): ServiceNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = parseLiteral(cursor, '"service"');
  if (name === undefined) return undefined;
  if (!cursor.expectLineEnd()) cursor.skipLine();
  const list: MethodList = { path: undefined, routeEnd: 0, methods: [], annotations: [], areAllParsed: true };
  const areItems = parseItems(cursor, list, methodParsers);
  const trailing = warnAboutTrailing(cursor, list);
  const { path, routeEnd, methods, annotations, areAllParsed } = list;
  for (const annotation of annotations)
    if (!trailing.includes(annotation))
      cursor.warn("dangling-annotation", { name: annotation.name.text }, annotation.span);
  const end = Math.max((methods.at(-1) ?? path ?? name).span.end, routeEnd);
  const node: ServiceNode = { kind: "service", name, path, methods, span: { start, end } };
  if (!areAllParsed || !areItems) cursor.unparsed.services.add(node);
  return node;
}

interface MethodList {
  path: Text | undefined;
  /** End of the last route. */
  routeEnd: number;
  readonly methods: MethodNode[];
  /** Annotations of the next method. */
  annotations: AnnotationNode[];
  areAllParsed: boolean;
}

const methodParsers: ItemParsers<MethodList> = {
  [TokenKind.at]: (cursor, { annotations }) => {
    const more = parseAnnotations(cursor);
    for (const annotation of more ?? []) annotations.push(annotation);
    return more !== undefined;
  },
  [TokenKind.minus]: (cursor, list) => {
    warnAboutTrailing(cursor, list);
    const method = parseMethod(cursor, list.annotations);
    list.annotations = [];
    if (method !== undefined) list.methods.push(method);
    list.areAllParsed &&= method !== undefined;
    return method !== undefined;
  },
  [TokenKind.word]: (cursor, list) => {
    if (startsServicePath(cursor)) return addPath(cursor, list);
    if (startsRoute(cursor)) return addRoute(cursor, list);
    return repairProtobufMethod(cursor) ? methodParsers[TokenKind.minus]?.(cursor, list, false) : undefined;
  },
};

/** Reports `rpc Get(…)`, the syntax of Protocol Buffers for `- Get(…)`, and skips the keyword. */
function repairProtobufMethod(cursor: Cursor): boolean {
  const keyword = /^rpc[ \t]+(?=\w+[ \t]*\()/.exec(restOfLine(cursor))?.[0];
  if (keyword === undefined || !isFirstOnLine(cursor)) return false;
  const span = { start: cursor.start, end: cursor.start + keyword.length };
  cursor.fail("missing-dash", { word: cursor.text }, cursor.span, replaceFix(cursor, "- ", span));
  skipTo(cursor, span.end);
  return true;
}

/**
 * Annotations behind a method, on the same line, belong to the next method. If that one is on another line, they were
 * probably meant for the method that they follow: the suggestion moves them above it. Returns them.
 */
function warnAboutTrailing(cursor: Cursor, { methods, annotations }: MethodList): readonly AnnotationNode[] {
  const method = methods.at(-1);
  if (method === undefined) return [];
  const { file, start } = cursor;
  const isSameLine = (from: number, to: number): boolean => !file.text.slice(from, to).includes("\n");
  const trailing = annotations.filter(({ span }) => isSameLine(method.span.end, span.start));
  const [first, last] = [trailing[0], trailing.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (cursor.kind === TokenKind.minus && isSameLine(last.span.end, start)) return [];
  const names = trailing.map(({ name }) => `"@${name.text}"`).join(" and ");
  const span = { start: first.span.start, end: last.span.end };
  cursor.warn(
    "trailing-annotation",
    { names, method: method.name.text },
    span,
    suggestMove(cursor, method, trailing, span),
  );
  return trailing;
}

/** Moves annotations above their method, behind those that it has, unless it has one of them. */
function suggestMove(
  { file }: Cursor,
  method: MethodNode,
  moved: readonly AnnotationNode[],
  { start, end }: Span,
): DiagnosticExtras {
  const present = new Set(method.annotations.map(({ name }) => name.text));
  if (moved.some(({ name }) => present.has(name.text))) return {};
  const { text } = file;
  const words = moved.map(({ span }) => text.slice(span.start, span.end)).join(" ");
  const indent = /(?:^|\n)([ \t]*)$/.exec(text.slice(0, method.span.start))?.[1];
  if (indent === undefined && method.annotations.length === 0) return {};
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const above = method.annotations.at(-1);
  const at = above?.span.end ?? method.span.start;
  const inserted = above === undefined ? `${words}${lineBreak}${indent}` : ` ${words}`;
  const edits = [
    { span: { start: at, end: at }, text: inserted },
    { span: { start: previousTokenEnd({ file, start }), end }, text: "" },
  ];
  return { suggestion: { title: `Move ${words} above "${method.name.text}"`, file, edits } };
}

function addPath(cursor: Cursor, list: MethodList): boolean {
  const { start } = cursor;
  const path = parseServicePath(cursor);
  if (path === undefined) return false;
  const span = { start, end: path.span.end };
  if (list.path !== undefined)
    cursor.fail("duplicate-service-path", {}, span, notesAt(cursor, list.path.span));
  else if (list.methods.length > 0) cursor.fail("late-service-path", {}, span);
  list.path ??= path;
  return cursor.expectLineEnd();
}

/** Adds the route to the last method. Annotations of the next method may already have been read. */
function addRoute(cursor: Cursor, list: MethodList): boolean {
  const route = parseRoute(cursor);
  if (route === undefined) return false;
  list.routeEnd = route.span.end;
  const method = list.methods.at(-1);
  if (method === undefined) {
    // A method that failed is already reported.
    if (list.areAllParsed) cursor.fail("route-before-method", { verb: route.verb.text }, route.span);
  } else if (method.route !== undefined)
    cursor.fail(
      "duplicate-route",
      { method: method.name.text },
      route.span,
      notesAt(cursor, method.route.span),
    );
  else list.methods[list.methods.length - 1] = { ...method, route };
  return cursor.expectLineEnd();
}

function notesAt({ file }: Cursor, span: Span): DiagnosticExtras {
  return { notes: [{ message: "First given here.", at: { file, span } }] };
}

/**
 * `method = "-" [ "stream" ] word args [ "=>" [ "stream" ] args ] [ "errors" word { "|" word } ]`, or
 * `method = "-" "proxy" word`.
 */
function parseMethod(cursor: Cursor, annotations: readonly AnnotationNode[]): MethodNode | undefined {
  const { start } = cursor.span;
  cursor.lineForm = "method";
  if (!areDistinct(cursor, annotations)) return undefined;
  cursor.take(TokenKind.minus);
  cursor.skipBlank();
  const first = cursor.expectWord("the name of a method");
  if (first === undefined) return undefined;
  const stream = first.text === "stream";
  const proxy = first.text === "proxy";
  if (stream || proxy) cursor.skipBlank();
  const name = stream || proxy ? cursor.expectWord("the name of a method") : first;
  if (name === undefined) return undefined;
  const noArguments: ArgumentsNode = { stream: false, succinct: undefined, list: [], span: name.span };
  if (proxy) {
    const span = { start, end: name.span.end };
    return {
      kind: "method",
      name,
      proxy,
      annotations,
      input: noArguments,
      output: noArguments,
      errors: [],
      span,
    };
  }
  const input = parseArguments(cursor, stream);
  if (input === undefined) return undefined;
  const output = parseOutput(cursor, input);
  if (output === undefined) return undefined;
  if (output.succinct !== undefined) skipAfterSuccinct(cursor);
  const errors = parseErrors(cursor, output.succinct !== undefined);
  if (errors === undefined) return undefined;
  const span = { start, end: errors.at(-1)?.span.end ?? output.span.end };
  return { kind: "method", name, proxy, annotations, input, output, errors, span };
}

function parseOutput(cursor: Cursor, { succinct, span }: ArgumentsNode): ArgumentsNode | undefined {
  const lacksBlank = succinct !== undefined && startOfOutput.test(restOfLine(cursor));
  if (succinct !== undefined && !lacksBlank) skipAfterSuccinct(cursor);
  const mark = cursor.mark();
  cursor.skipBlank();
  if ((lacksBlank || !cursor.take(TokenKind.arrow)) && !repairArrow(cursor)) {
    cursor.reset(mark);
    return { stream: false, succinct: undefined, list: [], span };
  }
  cursor.skipBlank();
  if (cursor.kind !== TokenKind.word) return parseArguments(cursor, false);
  if (cursor.text !== "stream") {
    if (cursor.nextKind === TokenKind.colon && restOfLine(cursor).includes(")"))
      return parseUnopenedArguments(cursor);
    return cursor.failUnexpected('"(" or "stream ("');
  }
  cursor.advance();
  cursor.skipBlank();
  return parseArguments(cursor, true);
}

const startOfOutput: RegExp = /^(=>|->|:|=|returns)?(?=[ \t]*(\(|stream[ \t]*\())/;

/**
 * Reports `->`, `:`, `=`, `returns` or nothing in place of "=>", and reads it as the arrow. Directly behind the succinct form, where
 * webrpc skips a token, also reports the arrow.
 */
function repairArrow(cursor: Cursor): boolean {
  const written = startOfOutput.exec(restOfLine(cursor))?.[0];
  if (written === undefined || (cursor.kind === TokenKind.word && written !== "returns")) return false;
  const span = { start: cursor.start, end: cursor.start + written.length };
  const { text } = cursor.file;
  const arrow = `${blankUnless(text.charAt(span.start - 1))}=>${blankUnless(text.charAt(span.end))}`;
  const extra = written === "" ? insertFix(cursor, arrow, span.start) : replaceFix(cursor, arrow, span);
  cursor.failUnexpected(written === "=>" ? "a space" : '"=>"', extra);
  skipTo(cursor, span.end);
  return true;
}

function blankUnless(neighbor: string): string {
  return /[ \t]/.test(neighbor) ? "" : " ";
}

/** Parses the `errors` clause. A keyword ends the service; any other word is reported and skipped. */
function parseErrors(cursor: Cursor, afterSuccinct: boolean): Name[] | undefined {
  const mark = cursor.mark();
  const previousCharacter = cursor.slice(cursor.start - 1, cursor.start);
  cursor.skipBlank();
  const { text } = cursor;
  if (cursor.kind !== TokenKind.word) {
    cursor.reset(mark);
    return [];
  }
  if (startsRoute(cursor) || startsServicePath(cursor)) return [];
  const wrongWord = text === "errors" ? undefined : wordForErrors(cursor, previousCharacter === "\n");
  if (wrongWord !== undefined) {
    const extra = replaceFix(cursor, "errors", cursor.span);
    cursor.failUnexpected('"errors"', wrongWord === "synonym" ? extra : asSuggestion(extra));
    if (wrongWord === "other") return [];
  } else if (text !== "errors") {
    const isBelow = previousCharacter === "\n";
    if (isKeyword(text) && (!canBeSkipped(cursor) || text === "import")) {
      if (afterSuccinct || !isBelow)
        cursor.warn("blank-line-needed", { word: text }, cursor.span, emptyLineFix(cursor, isBelow));
    } else {
      const span = { start: previousTokenEnd(cursor), end: cursor.end };
      cursor.fail("stray-word", { word: text }, cursor.span, asSuggestion(strayFix(cursor, span)));
      cursor.advance();
    }
    return [];
  }
  cursor.advance();
  cursor.skipBlank();
  const first = cursor.expectWord("the name of an error");
  if (first === undefined) return undefined;
  const names = [first];
  for (let next = parseAlternative(cursor); next !== undefined; next = parseAlternative(cursor))
    names.push(next);
  return names;
}

/** Adds an empty line above a declaration, which is below the method or behind it. */
function emptyLineFix({ file, start }: Cursor, isBelow: boolean): DiagnosticExtras {
  const lineBreak = file.text.includes("\r\n") ? "\r\n" : "\n";
  const at = isBelow ? file.text.lastIndexOf("\n", start) + 1 : start;
  const edits = [{ span: { start: at, end: at }, text: isBelow ? lineBreak : lineBreak.repeat(2) }];
  return { fix: { title: "Add an empty line", file, edits } };
}

/** `stream =>` → `=> stream`; any other word has no effect, so it can be removed. */
function strayFix(cursor: Cursor, span: Span): DiagnosticExtras {
  const arrow = cursor.text === "stream" ? /^stream[ \t]*=>/.exec(restOfLine(cursor))?.[0] : undefined;
  if (arrow === undefined) return replaceFix(cursor, "", span);
  return replaceFix(cursor, "=> stream", { start: cursor.start, end: cursor.start + arrow.length });
}

/**
 * Whether a word before an error's name stands for "errors": a synonym, or another word, which may be misspelled. The reference parser
 * would skip the word and fail at the name. `error` counts only on the method's own line, because on another line it can start a
 * declaration.
 */
function wordForErrors({ file, start }: Cursor, startsLine: boolean): "synonym" | "other" | undefined {
  const [, word = "", next = ""] = /^(\w+)[ \t]+(\w+)/.exec(restOfLine({ file, start })) ?? [];
  if (word === "" || isKeyword(next)) return undefined;
  if (/^(errors?|throws|raises)$/i.test(word) && !startsLine)
    return /^[A-Za-z]/.test(next) ? "synonym" : undefined;
  return isKeyword(word) ? undefined : "other";
}

/** Whether releases up to v0.47 can continue after skipping the word: with an item of the service or a declaration. */
function canBeSkipped(cursor: Cursor): boolean {
  const mark = cursor.mark();
  cursor.advance();
  cursor.skipBlank();
  const { kind, text } = cursor;
  cursor.reset(mark);
  return kind === TokenKind.word ? isKeyword(text) : tokensAfterMethod.has(kind);
}

const tokensAfterMethod: ReadonlySet<TokenKind> = new Set([
  TokenKind.newline,
  TokenKind.end,
  TokenKind.hash,
  TokenKind.minus,
  TokenKind.at,
]);

/** `"|" word`, or nothing. */
function parseAlternative(cursor: Cursor): Name | undefined {
  const mark = cursor.mark();
  cursor.skipBlank();
  if (cursor.take(TokenKind.bar)) {
    cursor.skipBlank();
    const name = cursor.takeWord();
    if (name !== undefined) return name;
  } else if (cursor.kind === TokenKind.comma) return parseAfterComma(cursor);
  cursor.reset(mark);
  return undefined;
}

/** `errors Lost, Gone`: reports the comma and reads it as "|". */
function parseAfterComma(cursor: Cursor): Name | undefined {
  const blank = /^,([ \t]*)\w/.exec(restOfLine(cursor))?.[1];
  if (blank === undefined) return undefined;
  const { start, end } = cursor.span;
  const before = previousTokenEnd(cursor);
  cursor.failUnexpected('"|"', replaceFix(cursor, blank === "" ? " | " : " |", { start: before, end }));
  skipTo(cursor, start + 1 + blank.length);
  return cursor.takeWord();
}

/**
 * `args = "(" ")" | "(" word ")" | "(" arg { ( "," | "|" | blank ) arg } [ "," ] ")"`, `arg = word [ "?" ] ":" type`. The
 * reference parser accepts another "stream" here, so `=> stream stream (x: int)` is valid.
 */
function parseArguments(cursor: Cursor, stream: boolean): ArgumentsNode | undefined {
  if (cursor.kind === TokenKind.word) {
    if (cursor.text !== "stream") return cursor.failUnexpected('"("');
    cursor.advance();
    cursor.skipBlank();
  }
  const { start } = cursor.span;
  if (!cursor.expect(TokenKind.openParen, "(")) return undefined;
  return parseList(cursor, stream, start);
}

/** Reports and parses an output whose opening parenthesis is missing: `=> pet: Pet)`. */
function parseUnopenedArguments(cursor: Cursor): ArgumentsNode | undefined {
  cursor.failUnexpected('"("', insertFix(cursor, "(", cursor.start));
  return parseList(cursor, false, cursor.start);
}

function parseList(cursor: Cursor, stream: boolean, start: number): ArgumentsNode | undefined {
  const list: ArgumentNode[] = [];
  for (;;) {
    switch (cursor.kind) {
      case TokenKind.blank:
      case TokenKind.comma:
      case TokenKind.bar:
        cursor.advance();
        break;
      case TokenKind.closeParen:
        cursor.advance();
        return { stream, succinct: undefined, list, span: { start, end: cursor.start } };
      case TokenKind.word: {
        if (isErrorsClause(cursor))
          return closeArguments(cursor, { stream, succinct: undefined, list, start });
        if (cursor.nextKind === TokenKind.closeParen) return parseSuccinct(cursor, stream, list, start);
        const argument = parseArgument(cursor);
        if (argument === undefined) return undefined;
        list.push(argument);
        break;
      }
      case TokenKind.arrow:
      case TokenKind.newline:
      case TokenKind.end:
        return closeArguments(cursor, { stream, succinct: undefined, list, start });
      default:
        return cursor.failUnexpected('an argument or ")"');
    }
  }
}

/** Whether the next line with content starts an item of the service, a route or a declaration. */
function isLastLine(cursor: Cursor): boolean {
  const { text } = cursor.file;
  const [line = ""] = /^(?:[ \t\r]*(?:#.*)?\n)*.*/.exec(text.slice(cursor.start)) ?? [];
  const next = line.slice(line.lastIndexOf("\n") + 1).trimEnd();
  const [, indent = "", word = ""] = /^([ \t]*)(\w*)/.exec(next) ?? [];
  return /^[ \t]*([-@]|$)/.test(next) || isRouteVerb(word) || (indent === "" && isKeyword(word));
}

/** Reports a missing ")" and ends the list here, so that the rest of the method can be parsed. */
function closeArguments(
  cursor: Cursor,
  { stream, succinct, list, start }: Omit<ArgumentsNode, "span"> & { readonly start: number },
): ArgumentsNode {
  const at = previousTokenEnd(cursor);
  const isLineEnd = cursor.kind === TokenKind.newline || cursor.kind === TokenKind.end;
  // In other languages, arguments may continue on the next line.
  const isComplete = list.length > 0 && !/[,|(]/.test(cursor.file.text.charAt(at - 1)) && isLastLine(cursor);
  const fix = insertFix(cursor, ")", at);
  cursor.fail(
    "unexpected",
    { expected: '")"', found: cursor.foundText() },
    cursor.span,
    isLineEnd && !isComplete ? asSuggestion(fix) : fix,
  );
  return { stream, succinct, list, span: { start, end: at } };
}

function isErrorsClause(cursor: Cursor): boolean {
  return cursor.text === "errors" && /^errors[ \t]+\w/.test(restOfLine(cursor));
}

/** `Name ")"`. */
function parseSuccinct(
  cursor: Cursor,
  stream: boolean,
  list: readonly ArgumentNode[],
  start: number,
): ArgumentsNode | undefined {
  const succinct = cursor.takeWord() as Name;
  if (list.length > 0) return cursor.fail("succinct-alone", { name: succinct.text }, succinct.span);
  cursor.advance();
  return { stream, succinct, list: [], span: { start, end: cursor.start } };
}

/**
 * Skips the token behind the succinct form, as the reference parser does without a check. Usually, that token is a blank. It can
 * also be the line break that should end the method above a declaration.
 */
function skipAfterSuccinct(cursor: Cursor): void {
  if (cursor.kind !== TokenKind.blank && cursor.kind !== TokenKind.newline && cursor.kind !== TokenKind.end)
    cursor.warn("succinct-swallows", { what: `"${cursor.text}"` }, cursor.span, swallowedFix(cursor));
  cursor.advance();
}

function swallowedFix(cursor: Cursor): DiagnosticExtras {
  const { file, start, span } = cursor;
  const arrows = /^=>[ \t]*=>/.exec(restOfLine(cursor))?.[0];
  if (arrows !== undefined) {
    const end = start + arrows.length;
    return replaceFix(cursor, ` =>${blankUnless(file.text.charAt(end))}`, { start, end });
  }
  // Without it, the line break is skipped instead, which is harmless unless a word starts the next line.
  const isNoise = /^[;,][ \t\r]*(\n[ \t\r]*([-@#\n]|$)|[ \t]#|$)/.test(file.text.slice(start));
  return isNoise ? replaceFix(cursor, "", span) : asSuggestion(insertFix(cursor, " ", start));
}

function parseArgument(cursor: Cursor): ArgumentNode | undefined {
  const name = cursor.takeWord() as Name;
  const optional = cursor.take(TokenKind.question);
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  return type && { name, optional, type, span: { start: name.span.start, end: type.span.end } };
}

/** Whether the cursor is at a route, `GET /pets`, perhaps with an unknown verb. Imports may follow a service. */
function startsRoute(cursor: Cursor): boolean {
  return isRouteVerb(cursor.text) || /^(?!import\b)\w+[ \t]+\//.test(restOfLine(cursor));
}

/** Whether the cursor is at the path of a service: `path = /pets`. Elsewhere "path" is a name like any other. */
function startsServicePath(cursor: Cursor): boolean {
  return cursor.text === "path" && /^path[ \t]*=(?!>)/.test(restOfLine(cursor));
}

/** `route = verb path`. */
function parseRoute(cursor: Cursor): RouteNode | undefined {
  const { span } = cursor;
  cursor.lineForm = "route";
  const text = isRouteVerb(cursor.text) ? cursor.text : repairVerb(cursor);
  if (text === undefined) return undefined;
  cursor.advance();
  cursor.skipBlank();
  const path = parseRoutePath(cursor, `"${text}"`);
  return path && { verb: { text, span }, path, span: { start: span.start, end: path.span.end } };
}

/** `servicePath = "path" "=" path`. */
function parseServicePath(cursor: Cursor): Text | undefined {
  cursor.lineForm = "servicePath";
  cursor.advance();
  cursor.skipBlank();
  cursor.advance();
  cursor.skipBlank();
  return parseRoutePath(cursor, '"path ="');
}

/** Reports a word that is not a verb. Returns the verb if only the letter case differs. */
function repairVerb(cursor: Cursor): string | undefined {
  const { text, span } = cursor;
  const verb = text.toUpperCase();
  if (isRouteVerb(verb)) {
    cursor.fail("route-verb", { verb: text }, span, replaceFix(cursor, verb, span));
    return verb;
  }
  // Two typos are too many for such short words: "FETCH" is no misspelled "PATCH", and "path" may lack its "=".
  const suggestion = verb === "PATH" ? "path =" : suggest(verb, routeVerbs, 1);
  const extra =
    suggestion === undefined
      ? {}
      : { advice: `Did you mean "${suggestion}"?`, ...asSuggestion(replaceFix(cursor, suggestion, span)) };
  return cursor.fail("route-verb", { verb: text }, span, extra);
}

/** `path = { word | "/" | "." | "{" | "}" }`, without blanks. A rule of the model checks the segments. */
function parseRoutePath(cursor: Cursor, after: string): Text | undefined {
  const { start } = cursor;
  const quoted = /^"([^"]+)"/.exec(restOfLine(cursor));
  if (quoted !== null) {
    const [whole, inside = ""] = quoted;
    const span = { start, end: start + whole.length };
    const isPath =
      /^[\w./{}-]+$/.test(inside) && /^[ \t\r]*(#|$)/.test(restOfLine(cursor).slice(whole.length));
    const extra = replaceFix(cursor, inside, span);
    cursor.failUnexpected("a path without quotes", isPath ? extra : asSuggestion(extra));
    skipTo(cursor, span.end);
    return isPath ? { value: inside, quoted: false, span } : undefined;
  }
  while (isPathPart(cursor)) cursor.advance();
  const value = cursor.slice(start, cursor.start);
  if (value === "") return cursor.fail("missing-value", { after });
  const span = { start, end: cursor.start };
  if (!endsPath.has(cursor.kind)) return cursor.failUnexpected("a blank or the end of the line");
  return { value, quoted: false, span };
}

function isPathPart({ kind, text }: Cursor): boolean {
  if (kind === TokenKind.word || kind === TokenKind.slash || kind === TokenKind.dot) return true;
  return kind === TokenKind.other && (text === "{" || text === "}");
}

const endsPath: ReadonlySet<TokenKind> = new Set([
  TokenKind.blank,
  TokenKind.newline,
  TokenKind.hash,
  TokenKind.end,
]);

/**
 * `annotation = "@" word [ ":" [ word | string ] ]`. Parses consecutive annotations without blanks between them; the parser of
 * services joins these runs. Like the reference parser, skips the token after a value without a check. Usually, that token is a
 * blank or a line break.
 */
function parseAnnotations(cursor: Cursor): AnnotationNode[] | undefined {
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
        return cursor.failUnexpected("the end of the line", asSuggestion(quotesFix(cursor, value)));
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
function areDistinct(cursor: Cursor, annotations: readonly AnnotationNode[]): boolean {
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

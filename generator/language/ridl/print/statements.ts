import { cover, type Span } from "../../source/span.ts";
import type {
  AliasNode,
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  Declaration,
  EnumNode,
  ErrorNode,
  FieldNode,
  Header,
  Import,
  MetaNode,
  MethodNode,
  Name,
  RouteNode,
  SchemaFile,
  ServiceNode,
  StructNode,
  Text,
} from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";

/** One line of canonical RIDL without its comments. */
export interface Statement {
  readonly text: string;
  /** 0 for a top-level line, 1 for a line of its body, 2 for meta lines. Each level indents by two spaces. */
  readonly level: 0 | 1 | 2;
  readonly kind: StatementKind;
  /** Kind of the top-level line that it belongs to. */
  readonly root: RootKind;
  readonly hasBody: boolean;
  /** Its span in the RIDL text. */
  readonly span: Span;
  /** Whether the reference tool looks for comments on this line and the lines above it. */
  readonly takesComments: boolean;
  /** Documentation of a tree without RIDL text. */
  readonly docs: readonly string[];
  /** Comments above the documentation that are not part of it, "#" included. */
  readonly otherComments: readonly string[];
  /** Columns to align with those of neighboring lines; they replace `text`. */
  readonly cells?: readonly string[];
}

export type RootKind = "header" | "import" | "alias" | "enum" | "struct" | "error" | "service";
export type StatementKind = RootKind | "item" | "annotations" | "method" | "meta" | "path" | "route";

/** The position of a value decides which characters need quotes. */
export type ValuePosition = "literal" | "path" | "word" | "message" | "meta";

export interface TextPrinter {
  value(text: Text, position: ValuePosition): string;
  key(name: Name): string;
}

/** Prints values as the RIDL text spells them, including quotes and escapes. A tree without RIDL text has only the values. */
function textPrinter(file: SchemaFile): TextPrinter {
  if (!isRidlText(file)) return { value: printValue, key: ({ text }) => escaped(text) };
  const { text } = file.source;
  const written = ({ span }: Text | Name): string => text.slice(span.start, span.end);
  return { value: written, key: written };
}

/** Whether the spans and comments of a tree refer to a RIDL text. */
export function isRidlText({ format, docs }: SchemaFile): boolean {
  return format === "ridl" && docs === undefined;
}

function printValue({ value }: Text, position: ValuePosition): string {
  const isBare =
    barePatterns[position].test(value) || isBareMeta(value, position) || isBareWord(value, position);
  return isBare ? value : `"${escaped(value)}"`;
}

/** In a quoted string, a quote after a letter cannot be written: the backslash before it would become part of the word. */
function isBareMeta(value: string, position: ValuePosition): boolean {
  return position === "meta" && /[\w.]"/.test(value) && /^[^\s"\\#][^\s\\]*$/.test(value);
}

/** A bare word is taken literally, so it can hold a backslash. A quoted string cannot. */
function isBareWord(value: string, position: ValuePosition): boolean {
  const takesWord = position === "message" || position === "word";
  return takesWord && value.includes("\\") && /^[A-Za-z0-9_][^\s[\]()<>{}=:\u00bf?\u00a1!,"]*$/.test(value);
}

/** Values that are printed without quotes. Narrower than what the parser accepts, to keep the output obvious. */
const barePatterns: Readonly<Record<ValuePosition, RegExp>> = {
  literal: /^[A-Za-z0-9_][\w./-]*$|^\/[\w./-]*$/,
  path: /^[\w./-]*[\w/]$/,
  word: /^[A-Za-z0-9_][\w./-]*$/,
  message: /^(?!)/,
  meta: /^[\w.,:/*-]+\??$/,
};

function escaped(value: string): string {
  return value.replace(/["\n\t]/g, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", '"': '\\"' };

/** Returns the lines of a tree in print order: that of the source, or headers and imports first if there is no RIDL text. */
export function statementsOf(file: SchemaFile): Statement[] {
  const print: Printer = {
    file,
    text: textPrinter(file),
    docsOf: (node) => file.docs?.get(node) ?? [],
    otherCommentsOf: (node) => file.otherComments?.get(node) ?? [],
  };
  const statements = [
    ...file.headers.map((header) => headerStatement(header, print)),
    ...importStatements(file.imports, print),
    ...file.declarations.flatMap((node) => declarationStatements(node, print)),
  ];
  return isRidlText(file) ? statements.sort((a, b) => a.span.start - b.span.start) : statements;
}

interface Printer {
  readonly file: SchemaFile;
  readonly text: TextPrinter;
  readonly docsOf: (node: object) => readonly string[];
  readonly otherCommentsOf: (node: object) => readonly string[];
}

function commentsFor(node: object, print: Printer): Pick<Statement, "docs" | "otherComments"> {
  return { docs: print.docsOf(node), otherComments: print.otherCommentsOf(node) };
}

type Line = Pick<Statement, "text" | "span"> & Partial<Statement>;

function statement(root: Statement["root"], line: Line): Statement {
  return {
    level: 0,
    kind: root,
    root,
    hasBody: false,
    takesComments: true,
    docs: [],
    otherComments: [],
    ...line,
  };
}

/** Prints `name = example`. */
function headerStatement(node: Header, print: Printer): Statement {
  const text = `${node.key} = ${print.text.value(node.value, "literal")}`;
  return statement("header", { text, span: node.span, ...commentsFor(node, print) });
}

/**
 * Prints `import path` for each import, and listed imports as one list. Without RIDL text, several imports without members become
 * one list.
 */
function importStatements(imports: readonly Import[], print: Printer): Statement[] {
  const isOneList = !isRidlText(print.file) && imports.length > 1 && imports.every(importsAll);
  if (isOneList) {
    const [{ span }] = imports as readonly [Import];
    return [importHeadStatement(span), ...imports.map((node) => importItemStatement(node, print))];
  }
  return imports.flatMap((node, index) => {
    if (node.listKeywordSpan === undefined) return importPathStatements(node, print);
    const isFirst = imports[index - 1]?.listKeywordSpan?.start !== node.listKeywordSpan.start;
    const item = importItemStatement(node, print);
    return isFirst ? [importHeadStatement(node.listKeywordSpan), item] : [item];
  });
}

function importsAll({ members }: Import): boolean {
  return members.length === 0;
}

/** Prints `import`. */
function importHeadStatement(span: Statement["span"]): Statement {
  return statement("import", { text: "import", span, hasBody: true, takesComments: false });
}

/** Prints `- types/order.ridl`. */
function importItemStatement(node: Import, print: Printer): Statement {
  const { path, span } = node;
  const text = `- ${print.text.value(path, "path")}`;
  const line = { text, span, kind: "item", level: 1, takesComments: false } as const;
  return statement("import", { ...line, ...commentsFor(node, print) });
}

/**
 * Prints:
 *
 *     import types/order.ridl
 *       - Order
 */
function importPathStatements(node: Import, print: Printer): Statement[] {
  const { path, members, span } = node;
  const head = { text: `import ${print.text.value(path, "path")}`, span, hasBody: members.length > 0 };
  const items = members.map((member) => {
    const text = `- ${print.text.value(member, "literal")}`;
    return statement("import", { text, span: member.span, kind: "item", level: 1, takesComments: false });
  });
  return [statement("import", { ...head, takesComments: false, ...commentsFor(node, print) }), ...items];
}

function declarationStatements(node: Declaration, print: Printer): Statement[] {
  switch (node.kind) {
    case "alias":
      return aliasStatements(node, print);
    case "enum":
      return enumStatements(node, print);
    case "struct":
      return structStatements(node, print);
    case "error":
      return [errorStatement(node, print)];
    case "service":
      return serviceStatements(node, print);
  }
}

/**
 * Prints:
 *
 *     type UserId: string
 *       + example = "17"
 */
function aliasStatements(node: AliasNode, print: Printer): Statement[] {
  const text = `type ${node.name.text}: ${typeText(node.type)}`;
  const hasBody = node.meta.length > 0;
  const head = statement("alias", { text, span: headSpan(node), hasBody, ...commentsFor(node, print) });
  return [head, ...node.meta.map((meta) => ({ ...metaStatement("alias", meta, print), level: 1 as const }))];
}

/**
 * Prints:
 *
 *     enum Kind: uint8
 *       - USER = 1
 *         + json = user
 */
function enumStatements(node: EnumNode, print: Printer): Statement[] {
  const text = `enum ${node.name.text}: ${node.base.text}`;
  const hasBody = node.values.length > 0;
  const values = node.values.flatMap((value) => {
    const right = value.value === undefined ? "" : ` = ${print.text.value(value.value, "literal")}`;
    const span = { start: value.span.start, end: (value.value ?? value.name).span.end };
    const line = { text: `- ${value.name.text}${right}`, span, ...commentsFor(value, print) };
    return [
      statement("enum", { ...line, kind: "item", level: 1, hasBody: value.meta.length > 0 }),
      ...value.meta.map((meta) => metaStatement("enum", meta, print)),
    ];
  });
  return [statement("enum", { text, span: headSpan(node), hasBody, ...commentsFor(node, print) }), ...values];
}

/**
 * Prints:
 *
 *     struct User
 *       - id?: uint64
 *         + json = user_id
 */
function structStatements(node: StructNode, print: Printer): Statement[] {
  const hasBody = node.fields.length > 0;
  const head = statement("struct", {
    text: `struct ${node.name.text}`,
    span: headSpan(node),
    hasBody,
    ...commentsFor(node, print),
  });
  return [head, ...node.fields.flatMap((field) => fieldStatements(field, print))];
}

function fieldStatements(node: FieldNode, print: Printer): Statement[] {
  const text = `- ${node.name.text}${node.optional ? "?" : ""}: ${typeText(node.type)}`;
  const span = { start: node.span.start, end: node.type.span.end };
  const line = { text, span, hasBody: node.meta.length > 0, ...commentsFor(node, print) };
  return [
    statement("struct", { ...line, kind: "item", level: 1 }),
    ...node.meta.map((meta) => metaStatement("struct", meta, print)),
  ];
}

/** Prints `+ json = user_id`. */
function metaStatement(root: Statement["root"], { key, value, span }: MetaNode, print: Printer): Statement {
  const text = `+ ${print.text.key(key)} = ${print.text.value(value, "meta")}`;
  return statement(root, { text, span, kind: "meta", level: 2, takesComments: false });
}

/** Prints `error 404 NotFound "not found" HTTP 404`. */
function errorStatement(node: ErrorNode, print: Printer): Statement {
  const cells = [`error ${node.code.text}`, node.name.text, print.text.value(node.message, "message")];
  if (node.httpStatus !== undefined) cells.push(`HTTP ${node.httpStatus.text}`);
  const line = { text: cells.join(" "), cells, span: node.span, ...commentsFor(node, print) };
  return statement("error", { ...line, takesComments: false });
}

/** Prints `service Users`. */
function serviceStatements(node: ServiceNode, print: Printer): Statement[] {
  const text = `service ${print.text.value(node.name, "literal")}`;
  const span = { start: node.span.start, end: node.name.span.end };
  const head = statement("service", {
    text,
    span,
    hasBody: node.methods.length > 0 || node.path !== undefined,
    ...commentsFor(node, print),
  });
  const { path } = node;
  const line = path && ({ text: `path = ${path.value}`, span: path.span, kind: "path", level: 1 } as const);
  const paths = line === undefined ? [] : [statement("service", { ...line, takesComments: false })];
  return [head, ...paths, ...node.methods.flatMap((method) => methodStatements(method, print))];
}

/**
 * Prints:
 *
 *     @public
 *     - GetUser(id: uint64) => (user: User) errors NotFound
 *       GET /{id}
 */
function methodStatements(node: MethodNode, print: Printer): Statement[] {
  const comments = commentsFor(node, print);
  const lines = annotationLines(node.annotations, print);
  const annotations = lines.map((line, index) => ({
    text: line.map((one) => printAnnotation(one, print)).join(" "),
    span: cover((line[0] as AnnotationNode).span, (line.at(-1) as AnnotationNode).span),
    takesComments: index === lines.length - 1,
    ...(index === 0 ? comments : {}),
  }));
  const line = { text: printMethod(node), span: node.span, ...(lines.length === 0 ? comments : {}) };
  return [
    ...annotations.map((one) => statement("service", { ...one, kind: "annotations", level: 1 })),
    statement("service", { ...line, kind: "method", level: 1, takesComments: lines.length === 0 }),
    ...(node.route === undefined ? [] : [routeStatement(node.route)]),
  ];
}

/** Prints `GET /{id}`. */
function routeStatement({ verb, path, span }: RouteNode): Statement {
  const line = { text: `${verb.text} ${path.value}`, span, kind: "route", level: 2 } as const;
  return statement("service", { ...line, takesComments: false });
}

/**
 * Keeps annotations on their lines: joining two lines would give the method comments that the reference tool drops. A tree
 * without RIDL text has all annotations on one line.
 */
function annotationLines(annotations: readonly AnnotationNode[], { file }: Printer): AnnotationNode[][] {
  const lines: AnnotationNode[][] = [];
  let last = 0;
  for (const annotation of annotations) {
    const line = isRidlText(file) ? file.source.lineAt(annotation.span.start) : 1;
    if (line === last) lines.at(-1)?.push(annotation);
    else lines.push([annotation]);
    last = line;
  }
  return lines;
}

function printAnnotation({ name, value }: AnnotationNode, print: Printer): string {
  return value === undefined ? `@${name.text}` : `@${name.text}:${print.text.value(value, "word")}`;
}

function printMethod({ name, proxy, input, output, errors }: MethodNode): string {
  if (proxy) return `- proxy ${name.text}`;
  const left = `${input.stream ? "stream " : ""}${name.text}${printArguments(input)}`;
  const isEmptyOutput = !output.stream && output.succinct === undefined && output.list.length === 0;
  const right = isEmptyOutput ? "" : ` => ${output.stream ? "stream " : ""}${printArguments(output)}`;
  const clause = errors.length === 0 ? "" : ` errors ${errors.map(({ text }) => text).join(" | ")}`;
  return `- ${left}${right}${clause}`;
}

function printArguments({ succinct, list }: ArgumentsNode): string {
  return `(${succinct === undefined ? list.map(printArgument).join(", ") : succinct.text})`;
}

function printArgument({ name, optional, type }: ArgumentNode): string {
  return `${name.text}${optional ? "?" : ""}: ${typeText(type)}`;
}

/** The span of a declaration's first line, without its body. */
function headSpan(node: AliasNode | EnumNode | StructNode): Statement["span"] {
  const last = node.kind === "alias" ? node.type : node.kind === "enum" ? node.base : node.name;
  return { start: node.span.start, end: last.span.end };
}

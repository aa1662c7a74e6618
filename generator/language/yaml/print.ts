import type {
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  Declaration,
  EnumNode,
  EnumValueNode,
  ErrorNode,
  FieldNode,
  Import,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  StructNode,
  Text,
  TypeNode,
} from "../syntax/tree.ts";
import { isMetaKey, mayRepeat } from "./parser/types.ts";

/**
 * Prints a detached tree as YAML: headers, imports, types in the order of the IR, errors, services. Documentation becomes
 * comments, as in RIDL. Parsing the output gives the same IR.
 */
export function printYaml(file: SchemaFile): string {
  const out = new Output(file);
  for (const header of file.headers) {
    out.comments(header, 0);
    out.line(0, `${header.key}: ${valueScalar(header.value)}`);
  }
  section(out, "imports", file.imports, (node) => printImport(node, out));
  const { declarations } = file;
  section(out, "types", typesInOrder(file), (node) => printType(node, out));
  section(out, "errors", ofKind(declarations, "error"), (node) => printError(node, out));
  section(out, "services", ofKind(declarations, "service"), (node) => printService(node, out));
  out.otherComments(file.source, 0);
  return out.text;
}

function section<Item>(out: Output, key: string, items: readonly Item[], print: (item: Item) => void): void {
  if (items.length === 0) return;
  out.blankLine(0);
  out.line(0, `${key}:`);
  for (const item of items) print(item);
}

function ofKind<Kind extends Declaration["kind"]>(
  declarations: readonly Declaration[],
  kind: Kind,
): Extract<Declaration, { kind: Kind }>[] {
  return declarations.filter((node): node is Extract<Declaration, { kind: Kind }> => node.kind === kind);
}

/**
 * RIDL's IR lists aliases, then enums, then structs. YAML keeps its own order in the IR, so types are printed in the IR's order.
 */
function typesInOrder({ declarations, format }: SchemaFile): TypeDeclaration[] {
  if (format !== "ridl")
    return declarations.filter(
      (node): node is TypeDeclaration => node.kind !== "error" && node.kind !== "service",
    );
  return [
    ...ofKind(declarations, "alias"),
    ...ofKind(declarations, "enum"),
    ...ofKind(declarations, "struct"),
  ];
}

/**
 * Prints:
 *
 *     - types/order.yaml
 *     - types/chain.yaml: [Address, Hash]
 */
function printImport(node: Import, out: Output): void {
  out.comments(node, 1);
  const path = scalar(node.path.value);
  const members = node.members.map(({ value }) => scalar(value, true));
  out.line(1, members.length === 0 ? `- ${path}` : `- ${path}: [${members.join(", ")}]`);
}

/** Prints `NotFound: { code: 404, message: Not found, status: 404 }`. */
function printError(node: ErrorNode, out: Output): void {
  if (out.hasComments(node)) out.blankLine(1);
  out.comments(node, 1);
  const parts = [`code: ${node.code.text}`, `message: ${valueScalar(node.message, true)}`];
  if (node.httpStatus !== undefined) parts.push(`status: ${node.httpStatus.text}`);
  out.line(1, `${scalar(node.name.text)}: { ${parts.join(", ")} }`);
}

function printService(node: ServiceNode, out: Output): void {
  out.blankLine(1);
  out.comments(node, 1);
  out.line(1, `${scalar(node.name.value)}:`);
  if (node.path !== undefined) out.line(2, `path: ${scalar(node.path.value)}`);
  out.line(2, "methods:");
  for (const method of node.methods) printMethod(method, out);
}

/**
 * Prints:
 *
 *     GetOrder:
 *       annotations: [auth: accessKey, readonly]
 *       input: { id: OrderId }
 *       output: Order
 *       errors: [NotFound]
 */
function printMethod(node: MethodNode, out: Output): void {
  out.blankLine(3);
  out.comments(node, 3);
  out.line(3, `${scalar(node.name.text)}:`);
  if (node.annotations.length > 0)
    out.line(4, `annotations: [${node.annotations.map(printAnnotation).join(", ")}]`);
  const { input, output, route } = node;
  if (route !== undefined) out.line(4, `route: ${scalar(`${route.verb.text} ${route.path.value}`)}`);
  if (node.proxy) {
    out.line(4, "proxy: true");
    return;
  }
  printSide("input", input, out);
  printSide("output", output, out);
  if (input.stream || output.stream)
    out.line(4, `stream: ${input.stream && output.stream ? "both" : input.stream ? "input" : "output"}`);
  if (node.errors.length > 0)
    out.line(4, `errors: [${node.errors.map(({ text }) => scalar(text, true)).join(", ")}]`);
}

function printAnnotation({ name, value }: AnnotationNode): string {
  const text = scalar(name.text, true);
  return value === undefined ? text : `${text}: ${valueScalar(value, true)}`;
}

function printSide(key: string, { succinct, list }: ArgumentsNode, out: Output): void {
  if (succinct !== undefined) {
    out.line(4, `${key}: ${scalar(succinct.text)}`);
    return;
  }
  if (list.length === 0) return;
  const isMap = new Set(list.map(argumentName)).size === list.length;
  const items = list.map((one) => `${scalar(argumentName(one), true)}: ${scalar(typeText(one.type), true)}`);
  const text = isMap ? `{ ${items.join(", ")} }` : `[${items.join(", ")}]`;
  if (key.length + text.length <= maxWidth - 10) {
    out.line(4, `${key}: ${text}`);
    return;
  }
  out.line(4, `${key}:`);
  for (const one of list)
    out.line(5, `${isMap ? "" : "- "}${scalar(argumentName(one))}: ${printTypeText(one.type)}`);
}

function argumentName({ name, optional }: ArgumentNode): string {
  return `${name.text}${optional ? "?" : ""}`;
}

export type TypeDeclaration = Exclude<Declaration, ErrorNode | ServiceNode>;

function printType(node: TypeDeclaration, out: Output): void {
  switch (node.kind) {
    case "alias":
      printTyped(node, 1, "", out);
      break;
    case "enum":
      printEnum(node, out);
      break;
    case "struct":
      printStruct(node, out);
      break;
  }
}

/**
 * Prints:
 *
 *     OrderSide:
 *       enum: uint8
 *       values: { unknown: 0, listing: 1 }
 */
function printEnum(node: EnumNode, out: Output): void {
  out.blankLine(1);
  out.comments(node, 1);
  out.line(1, `${scalar(node.name.text)}:`);
  out.line(2, `enum: ${scalar(node.base.text)}`);
  if (node.values.length === 0) return;
  const onOneLine = node.values.every((value) => !out.hasComments(value) && value.meta.length === 0)
    ? valuesInBrackets(node.values)
    : undefined;
  if (onOneLine !== undefined) {
    out.line(2, `values: ${onOneLine}`);
    return;
  }
  out.line(2, "values:");
  const isMap = new Set(node.values.map(({ name }) => name.text)).size === node.values.length;
  for (const value of node.values) {
    out.comments(value, 3);
    const name = scalar(value.name.text);
    if (value.meta.length > 0) {
      const level = isMap ? 4 : 5;
      out.line(3, `${isMap ? "" : "- "}${name}:`);
      if (value.value !== undefined) out.line(level, `value: ${valueScalar(value.value)}`);
      printMeta(value.meta, level, out, (key) => key === "json" || key.includes("."));
      continue;
    }
    const right = value.value === undefined ? "" : ` ${valueScalar(value.value)}`;
    const isBare = right === "" && !isMap;
    out.line(3, `${isMap ? "" : "- "}${name}${isBare ? "" : ":"}${right}`);
  }
}

/** `[cat, dog]` if values are implicit, `{ small: 1, large: 2 }` if all are explicit. Undefined if longer than a line. */
function valuesInBrackets(values: readonly EnumValueNode[]): string | undefined {
  const written = values.filter(({ value }) => value !== undefined).length;
  const items = values.map(({ name, value }) =>
    value === undefined
      ? scalar(name.text, true)
      : `${scalar(name.text, true)}: ${scalar(value.value, true)}`,
  );
  const isList = written < values.length || new Set(values.map(({ name }) => name.text)).size < values.length;
  const text = isList ? `[${items.join(", ")}]` : `{ ${items.join(", ")} }`;
  return text.length <= maxWidth - 12 ? text : undefined;
}

/**
 * Prints:
 *
 *     Order:
 *       fields:
 *         id: OrderId
 */
function printStruct(node: StructNode, out: Output): void {
  out.blankLine(1);
  out.comments(node, 1);
  const name = scalar(node.name.text);
  if (node.fields.length === 0) {
    out.line(1, `${name}: { fields: {} }`);
    return;
  }
  out.line(1, `${name}:`);
  out.line(2, "fields:");
  for (const field of node.fields) printTyped(field, 3, field.optional ? "?" : "", out);
}

/** Prints a field or an alias: its type alone, or a map with its meta keys. */
function printTyped(
  node: FieldNode | Extract<TypeDeclaration, { kind: "alias" }>,
  level: number,
  mark: string,
  out: Output,
): void {
  const isAlias = node.kind === "alias";
  if (isAlias && (out.hasComments(node) || node.meta.length > 0)) out.blankLine(level);
  out.comments(node, level);
  const name = `${scalar(node.name.text + mark)}:`;
  if (node.meta.length === 0) {
    out.line(level, `${name} ${printTypeText(node.type)}`);
    return;
  }
  out.line(level, name);
  out.line(level + 1, `type: ${printTypeText(node.type)}`);
  printMeta(node.meta, level + 1, out);
}

/**
 * Prints ridlkit's meta keys next to the type. If there are other keys, or if a key repeats that takes one value or has another key in
 * between, prints all keys as a list under `meta`, which keeps their order.
 */
function printMeta(
  meta: readonly MetaNode[],
  level: number,
  out: Output,
  isDirect: (key: string) => boolean = isMetaKey,
): void {
  const runs = runsOf(meta);
  const isPlain =
    new Set(runs.map(([first]) => first?.key.text)).size === runs.length &&
    runs.every(([first, second]) => second === undefined || mayRepeat(first?.key.text ?? ""));
  if (isPlain && meta.every(({ key }) => isDirect(key.text))) {
    for (const run of runs) {
      const values = run.map(({ value }) => valueScalar(value, run.length > 1));
      const key = scalar(run[0]?.key.text ?? "");
      out.line(level, `${key}: ${values.length === 1 ? values[0] : `[${values.join(", ")}]`}`);
    }
    return;
  }
  out.line(level, "meta:");
  for (const { key, value } of meta) out.line(level + 1, `- ${scalar(key.text)}: ${valueScalar(value)}`);
}

function runsOf(meta: readonly MetaNode[]): MetaNode[][] {
  const runs: MetaNode[][] = [];
  for (const node of meta) {
    const last = runs.at(-1);
    if (last?.[0]?.key.text === node.key.text) last.push(node);
    else runs.push([node]);
  }
  return runs;
}

/** Maximum line width of bracketed lists. Longer lists get one line per item. */
const maxWidth = 100;

class Output {
  readonly #file: SchemaFile;
  readonly #lines: string[] = [];

  constructor(file: SchemaFile) {
    this.#file = file;
  }

  get text(): string {
    return this.#lines.length === 0 ? "" : `${this.#lines.join("\n")}\n`;
  }

  line(level: number, text: string): void {
    this.#lines.push(`${"  ".repeat(level)}${text}`);
  }

  /** Adds a blank line before an item, unless it is the first of a block or there is one already. */
  blankLine(level: number): void {
    const last = this.#lines.at(-1) ?? "";
    const indentation = last.length - last.trimStart().length;
    if (last !== "" && indentation >= level * 2) this.#lines.push("");
  }

  hasComments(node: object): boolean {
    return (
      (this.#file.docs?.get(node) ?? []).length > 0 || (this.#file.otherComments?.get(node) ?? []).length > 0
    );
  }

  /** Prints the comments above a node: other comments first, then its documentation. */
  comments(node: object, level: number): void {
    this.otherComments(node, level);
    for (const line of this.#file.docs?.get(node) ?? []) this.line(level, line === "" ? "#" : `# ${line}`);
  }

  /**
   * Private comments go where documentation does. Others are followed by a blank line, or they would be read as documentation.
   */
  otherComments(node: object, level: number): void {
    const otherComments = this.#file.otherComments?.get(node) ?? [];
    if (otherComments.some((text) => !text.startsWith("#!"))) this.blankLine(level);
    for (const [index, text] of otherComments.entries()) {
      if (text !== "") this.line(level, text);
      if (needsBlankLineAfter(text, otherComments[index + 1])) this.#lines.push("");
    }
  }
}

/** Whether a blank line follows a comment: before documentation, before private comments, and where the source had one. */
function needsBlankLineAfter(text: string, next: string | undefined): boolean {
  return text === "" || (!text.startsWith("#!") && (next?.startsWith("#!") ?? true));
}

/**
 * Writes a string as a YAML scalar, without quotes if possible: `two words` → unchanged, `a: b` → `"a: b"`, `^\d+$` → `'^\d+$'`. In
 * brackets, commas and brackets need quotes as well.
 */
function scalar(text: string, inBrackets = false): string {
  if (isPlain(text) && !(inBrackets && /[,[\]{}]/.test(text))) return text;
  if (/[\\"]/.test(text) && !needsEscape.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(invisible, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * Writes a value. Other YAML parsers read an unquoted `0x1f` as a number and may read `no` as a boolean, so quoted values of this
 * kind stay quoted. Unquoted values stay unquoted, such as 50 in `maximum: 50`.
 */
function valueScalar({ value, quoted }: Text, inBrackets = false): string {
  return quoted && looksTyped(value) ? JSON.stringify(value) : scalar(value, inBrackets);
}

function looksTyped(text: string): boolean {
  return /^([-+]?[.]?[0-9][0-9a-zA-Z_.:+-]*|[-+]?[.](inf|nan)|true|false|yes|no|on|off|y|n)$/i.test(text);
}

/** Whether every YAML parser reads the text back unchanged without quotes. Words for null need quotes. */
function isPlain(text: string): boolean {
  if (text === "" || needsEscape.test(text) || /^\s|\s$/.test(text)) return false;
  if (/^(~|null)$/i.test(text) || /^(---|\.\.\.)/.test(text)) return false;
  if (/^[-?:](\s|$)|^[,[\]{}#&*!|>'"%@`]/.test(text)) return false;
  return !/:(\s|$)|\s#/.test(text);
}

/** Characters that JSON.stringify leaves alone, but YAML forbids or a reader cannot see. */
const invisible = /[\x7f-\x9f\u00a0\u2028\u2029\ufeff]/g;
const needsEscape: RegExp = /[\x00-\x1f\x7f-\x9f\u00a0\u2028\u2029\ufeff]|\p{Surrogate}/u;

function printTypeText(type: TypeNode): string {
  return scalar(typeText(type));
}

/** `[]map<string,[]Pet>` → `map<string,Pet[]>[]`: YAML would read a leading bracket as a list. */
function typeText(type: TypeNode): string {
  switch (type.kind) {
    case "named":
      return type.name;
    case "list":
      return `${typeText(type.element)}[]`;
    case "map":
      return `map<${typeText(type.key)},${typeText(type.value)}>`;
    case "missing":
      return "";
  }
}

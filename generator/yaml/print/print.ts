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
  TypeNode,
} from "../../syntax/tree.ts";
import { isMetaKey } from "../parser/meta.ts";
import { Output } from "./output.ts";
import { scalar, valueScalar } from "./scalar.ts";

/** Widest line with brackets; what is longer stands line by line. */
const maxWidth = 100;

/**
 * YAML for a tree that needs no text behind it: headers, imports, types in the order of the IR, errors, services. Documentation
 * becomes comments, as in RIDL. Reading it gives the same IR.
 */
export function printYaml(file: SchemaFile): string {
  const out = new Output(file);
  for (const header of file.headers) {
    out.spoken(header, 0);
    out.line(0, `${header.key}: ${valueScalar(header.value)}`);
  }
  section(out, "imports", file.imports, (node) => printImport(node, out));
  const { declarations } = file;
  section(out, "types", typesInOrder(file), (node) => printType(node, out));
  section(out, "errors", ofKind(declarations, "error"), (node) => printError(node, out));
  section(out, "services", ofKind(declarations, "service"), (node) => printService(node, out));
  out.remarks(file.source, 0);
  return out.text;
}

function section<Item>(out: Output, key: string, items: readonly Item[], print: (item: Item) => void): void {
  if (items.length === 0) return;
  out.gap(0);
  out.line(0, `${key}:`);
  for (const item of items) print(item);
}

function ofKind<Kind extends Declaration["kind"]>(
  declarations: readonly Declaration[],
  kind: Kind,
): Extract<Declaration, { kind: Kind }>[] {
  return declarations.filter((node): node is Extract<Declaration, { kind: Kind }> => node.kind === kind);
}

type TypeDeclaration = Exclude<Declaration, ErrorNode | ServiceNode>;

/** RIDL's aliases come first in the IR, then enums, then structs; in YAML types stand as the IR has them. */
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

//=   - types/order.yaml
//=   - types/chain.yaml: [Address, Hash]
function printImport(node: Import, out: Output): void {
  out.spoken(node, 1);
  const path = scalar(node.path.value);
  const members = node.members.map(({ value }) => scalar(value, true));
  out.line(1, members.length === 0 ? `- ${path}` : `- ${path}: [${members.join(", ")}]`);
}

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

//=   OrderSide:
//=     enum: uint8
//=     values: { unknown: 0, listing: 1 }
function printEnum(node: EnumNode, out: Output): void {
  out.gap(1);
  out.spoken(node, 1);
  out.line(1, `${scalar(node.name.text)}:`);
  out.line(2, `enum: ${scalar(node.base.text)}`);
  if (node.values.length === 0) return;
  const brackets = node.values.every((value) => !out.isSpoken(value))
    ? valuesInBrackets(node.values)
    : undefined;
  if (brackets !== undefined) {
    out.line(2, `values: ${brackets}`);
    return;
  }
  out.line(2, "values:");
  const isMap = new Set(node.values.map(({ name }) => name.text)).size === node.values.length;
  for (const value of node.values) {
    out.spoken(value, 3);
    const name = scalar(value.name.text);
    const right = value.value === undefined ? "" : ` ${valueScalar(value.value)}`;
    const isBare = right === "" && !isMap;
    out.line(3, `${isMap ? "" : "- "}${name}${isBare ? "" : ":"}${right}`);
  }
}

/** `[cat, dog]` where no value is written, `{ small: 1, large: 2 }` where all are; longer than a line it is neither. */
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

//=   Order:
//=     fields:
//=       id: OrderId
function printStruct(node: StructNode, out: Output): void {
  out.gap(1);
  out.spoken(node, 1);
  const name = scalar(node.name.text);
  if (node.fields.length === 0) {
    out.line(1, `${name}: { fields: {} }`);
    return;
  }
  out.line(1, `${name}:`);
  out.line(2, "fields:");
  for (const field of node.fields) printTyped(field, 3, field.optional ? "?" : "", out);
}

/** A field or an alias: its type alone, or with its meta lines below. */
function printTyped(
  node: FieldNode | Extract<TypeDeclaration, { kind: "alias" }>,
  level: number,
  mark: string,
  out: Output,
): void {
  const isAlias = node.kind === "alias";
  if (isAlias && (out.isSpoken(node) || node.meta.length > 0)) out.gap(level);
  out.spoken(node, level);
  const name = `${scalar(node.name.text + mark)}:`;
  if (node.meta.length === 0) {
    out.line(level, `${name} ${printTypeText(node.type)}`);
    return;
  }
  out.line(level, name);
  out.line(level + 1, `type: ${printTypeText(node.type)}`);
  printMeta(node.meta, level + 1, out);
}

/** Keys that ridlkit knows stand beside the type; keys that are repeated or need their order stand in a list. */
function printMeta(meta: readonly MetaNode[], level: number, out: Output): void {
  const runs = runsOf(meta);
  const isPlain = new Set(runs.map(([first]) => first?.key.text)).size === runs.length;
  if (isPlain && meta.every(({ key }) => isMetaKey(key.text))) {
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

/** Neighbours with the same key. */
function runsOf(meta: readonly MetaNode[]): MetaNode[][] {
  const runs: MetaNode[][] = [];
  for (const node of meta) {
    const last = runs.at(-1);
    if (last?.[0]?.key.text === node.key.text) last.push(node);
    else runs.push([node]);
  }
  return runs;
}

//=   NotFound: { code: 404, message: Not found, status: 404 }
function printError(node: ErrorNode, out: Output): void {
  if (out.isSpoken(node)) out.gap(1);
  out.spoken(node, 1);
  const parts = [`code: ${node.code.text}`, `message: ${valueScalar(node.message, true)}`];
  if (node.httpStatus !== undefined) parts.push(`status: ${node.httpStatus.text}`);
  out.line(1, `${scalar(node.name.text)}: { ${parts.join(", ")} }`);
}

function printService(node: ServiceNode, out: Output): void {
  out.gap(1);
  out.spoken(node, 1);
  out.line(1, `${scalar(node.name.value)}:`);
  out.line(2, "methods:");
  for (const method of node.methods) printMethod(method, out);
}

//=       GetOrder:
//=         annotations: [auth: accessKey, readonly]
//=         input: { id: OrderId }
//=         output: Order
//=         errors: [NotFound]
function printMethod(node: MethodNode, out: Output): void {
  out.gap(3);
  out.spoken(node, 3);
  out.line(3, `${scalar(node.name.text)}:`);
  if (node.annotations.length > 0)
    out.line(4, `annotations: [${node.annotations.map(printAnnotation).join(", ")}]`);
  if (node.proxy) {
    out.line(4, "proxy: true");
    return;
  }
  const { input, output } = node;
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

function printTypeText(type: TypeNode): string {
  return scalar(typeText(type));
}

/** `[]map<string,[]Pet>` → `map<string,Pet[]>[]`: YAML would take a bracket in front for a list. */
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

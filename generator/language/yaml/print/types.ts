import type {
  Declaration,
  EnumNode,
  EnumValueNode,
  ErrorNode,
  FieldNode,
  MetaNode,
  ServiceNode,
  StructNode,
} from "../../syntax/tree.ts";
import { isMetaKey } from "../parser/meta.ts";
import { maxWidth, type Output } from "./output.ts";
import { scalar, valueScalar } from "./scalar.ts";
import { printTypeText } from "./type-text.ts";

export type TypeDeclaration = Exclude<Declaration, ErrorNode | ServiceNode>;

export function printType(node: TypeDeclaration, out: Output): void {
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
 * Prints ridlkit's meta keys next to the type. If there are other keys, or if a key repeats with another one in between, prints all
 * keys as a list under `meta`, which keeps their order.
 */
function printMeta(
  meta: readonly MetaNode[],
  level: number,
  out: Output,
  isDirect: (key: string) => boolean = isMetaKey,
): void {
  const runs = runsOf(meta);
  const isPlain = new Set(runs.map(([first]) => first?.key.text)).size === runs.length;
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

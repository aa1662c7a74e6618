import type { Declaration, ErrorNode, Import, SchemaFile } from "../../syntax/tree.ts";
import { Output } from "./output.ts";
import { scalar, valueScalar } from "./scalar.ts";
import { printService } from "./services.ts";
import { printType, type TypeDeclaration } from "./types.ts";

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

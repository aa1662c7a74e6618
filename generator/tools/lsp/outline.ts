import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";
import type {
  Declaration,
  EnumValueNode,
  FieldNode,
  MethodNode,
  SchemaFile,
} from "../../language/syntax/tree.ts";

/** A declaration with its members. */
export interface OutlineItem {
  readonly name: string;
  readonly kind: Declaration["kind"] | "field" | "enum-value" | "method";
  readonly detail?: string;
  readonly span: Span;
  /** The span of the name. */
  readonly at: Span;
  readonly items: readonly OutlineItem[];
}

export function outlineOf({ declarations, source }: SchemaFile): readonly OutlineItem[] {
  return declarations.map((node) => itemOf(node, source));
}

function itemOf(node: Declaration, { text }: SourceFile): OutlineItem {
  const own = { kind: node.kind, span: node.span, at: node.name.span };
  const textAt = ({ start, end }: Span): string => text.slice(start, end);
  switch (node.kind) {
    case "struct": {
      const items = node.fields.map((field) => ({ ...leaf(field), detail: textAt(field.type.span) }));
      return { ...own, name: node.name.text, items };
    }
    case "enum":
      return { ...own, name: node.name.text, detail: node.base.text, items: node.values.map(leaf) };
    case "service":
      return { ...own, name: node.name.value, items: node.methods.map(leaf) };
    case "alias":
      return { ...own, name: node.name.text, detail: textAt(node.type.span), items: [] };
    case "error":
      return { ...own, name: node.name.text, detail: node.code.text, items: [] };
  }
}

function leaf({ kind, name, span }: FieldNode | EnumValueNode | MethodNode): OutlineItem {
  return { kind, name: name.text, span, at: name.span, items: [] };
}

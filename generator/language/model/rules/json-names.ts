import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { FieldNode, StructNode, Text } from "../../syntax/tree.ts";
import { replaceFix } from "../name-fixes.ts";
import { foldCase, isIdentifier } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";

/**
 * The wire name in `+ json` is an identifier or "-", and is unique within its struct, ignoring letter case.
 * Bad: `+ json = id,omitempty`. Good: `+ json = user_id`, and `+ go.tag.json = user_id,omitempty`.
 */
export const jsonNames: Rule = (scope, report) => {
  // Reused for all structs: clearing one map is cheaper than allocating thousands.
  const first = new Map<string, First>();
  for (const node of scope.file.declarations) {
    if (node.kind !== "struct" || !node.fields.some(isRenamed)) continue;
    first.clear();
    checkStruct(node, first, scope.file.source, report);
  }
};

function isRenamed({ meta }: FieldNode): boolean {
  return meta.some(({ key }) => key.text === "json");
}

/** The first field with a wire name, and where that name is set. */
interface First {
  readonly field: string;
  readonly span: Span;
}

function checkStruct(struct: StructNode, first: Map<string, First>, file: SourceFile, report: Report): void {
  for (const field of struct.fields) {
    let wireName = field.name.text;
    let { span } = field.name;
    for (const { key, value } of field.meta) {
      if (key.text !== "json" || value.value === "-") continue;
      if (!isIdentifier(value.value))
        report("json-name", { value: value.value }, value.span, withoutOptions(value, file));
      else ({ value: wireName, span } = value);
    }
    const folded = foldCase(wireName);
    const other = first.get(folded);
    if (other === undefined) first.set(folded, { field: field.name.text, span });
    else if (foldCase(other.field) !== foldCase(field.name.text)) {
      const notes = [{ message: `"${other.field}" already has this name.`, at: { file, span: other.span } }];
      report("duplicate-json-name", { kind: "fields", name: wireName, type: struct.name.text }, span, {
        notes,
      });
    }
  }
}

/** `created_at,omitempty` is Go's syntax; only the name before the comma is kept. */
function withoutOptions({ value, span }: Text, file: SourceFile): ReportExtra {
  const [, name = ""] = /^([^,]+),/.exec(value) ?? [];
  return isIdentifier(name) || name === "-" ? { fix: replaceFix(name, { file, span }) } : {};
}

/** Returns a field's name in JSON, or undefined if the field is never sent (`+ json = -`). */
export function wireNameOf(field: FieldNode): string | undefined {
  const last = field.meta.findLast(({ key }) => key.text === "json");
  if (last === undefined) return field.name.text;
  return last.value.value === "-" ? undefined : last.value.value;
}

import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { FieldNode, StructNode, Text } from "../../syntax/tree.ts";
import { replaceFix } from "../name-fixes.ts";
import { foldCase, isIdentifier } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";

/**
 * The name on the wire that `+ json` gives is a plain name or "-", and no two fields of a struct share one, letter case aside.
 * Bad: `+ json = id,omitempty`. Good: `+ json = user_id`, and `+ go.tag.json = user_id,omitempty`.
 */
export const jsonNames: Rule = (scope, report) => {
  // One map for all structs: making thousands of them costs more than emptying it.
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

/** The field that has a name on the wire, and where it gets it. */
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
      const notes = [{ message: `"${other.field}" has it already.`, at: { file, span: other.span } }];
      report("duplicate-json-name", { name: wireName, type: struct.name.text }, span, { notes });
    }
  }
}

/** `created_at,omitempty` is how Go writes it: the name alone is meant. */
function withoutOptions({ value, span }: Text, file: SourceFile): ReportExtra {
  const [, name = ""] = /^([^,]+),/.exec(value) ?? [];
  return isIdentifier(name) || name === "-" ? { fix: replaceFix(name, { file, span }) } : {};
}

/** The name of a field in JSON; undefined if it never leaves the server (`+ json = -`). */
export function wireNameOf(field: FieldNode): string | undefined {
  const last = field.meta.findLast(({ key }) => key.text === "json");
  if (last === undefined) return field.name.text;
  return last.value.value === "-" ? undefined : last.value.value;
}

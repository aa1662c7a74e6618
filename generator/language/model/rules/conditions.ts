import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/suggest.ts";
import type { MetaNode, StructNode } from "../../syntax/tree.ts";
import {
  conditionalFault,
  conditionLines,
  enumOf,
  kindFault,
  kindFieldOf,
  possibleConditions,
} from "../conditions.ts";
import { readCondition } from "../meta/keys.ts";
import { didYouMean } from "../names.ts";
import type { Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * A field with conditions may be absent, and each condition names a value of the same required enum field.
 * Bad: `+ when = amount.card`. Good: `- kind: PaymentKind` and `- number?: string` with `+ when = kind.card`.
 */
export const conditions: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "struct") continue;
    for (const field of node.fields) {
      const lines = conditionLines(field);
      const [first] = lines;
      if (first === undefined) continue;
      const fault = conditionalFault(field, scope);
      if (fault !== undefined) report("conditional-field", { name: field.name.text, fault }, first.key.span);
      const seen = new Set<string>();
      for (const line of lines) {
        const condition = line.value.value;
        const { value } = readCondition(condition);
        const wrong = seen.has(value) ? "it has another line for this kind" : faultOf(line, node, scope);
        seen.add(value);
        if (wrong !== undefined)
          report("condition-value", { condition, fault: wrong }, line.value.span, () =>
            suggestCondition(line, node, scope),
          );
      }
    }
  }
};

/** Returns why a condition has no effect. */
function faultOf({ value: text }: MetaNode, struct: StructNode, scope: Scope): string | undefined {
  const { kind, value } = readCondition(text.value);
  const field = struct.fields.find(({ name }) => name.text === kind);
  if (field === undefined) return `${struct.name.text} has no field "${kind}"`;
  const fault = kindFault(field, scope);
  if (fault !== undefined) return `"${kind}" cannot tell kinds apart: ${fault}`;
  const own = kindFieldOf(struct, scope);
  if (own !== undefined && own !== field) return `other fields depend on "${own.name.text}"`;
  const found = enumOf(field, scope)?.node;
  return found?.values.some(({ name }) => name.text === value)
    ? undefined
    : `${found?.name.text} has no value "${value}"`;
}

/** Suggests the possible condition that looks most like an invalid one. */
function suggestCondition({ value: text }: MetaNode, struct: StructNode, scope: Scope): DiagnosticExtras {
  const end = readCondition(text.value).isOptional ? "?" : "";
  const own = kindFieldOf(struct, scope);
  const fields = own === undefined ? struct.fields : [own];
  const near = nearest(
    text.value,
    possibleConditions(fields, scope).map((condition) => condition + end),
  );
  if (near?.word === text.value) return { advice: "Remove this line." };
  return near === undefined ? {} : didYouMean(near, { file: scope.file.source, span: text.span });
}

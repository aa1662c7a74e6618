import type { FieldNode } from "../../syntax/tree.ts";
import { groupLine, memberFault } from "../groups.ts";
import type { Rule } from "../rule.ts";

/**
 * A group has at least two fields, each of which may be absent.
 * Bad: `- card: Card` with `+ oneOf = method`. Good: `- card?: Card` and `- transfer?: Transfer`, both with that line.
 */
export const groups: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "struct") continue;
    const members = new Map<string, FieldNode[]>();
    for (const field of node.fields) {
      const line = groupLine(field);
      if (line === undefined) continue;
      const group = line.value.value;
      members.set(group, [...(members.get(group) ?? []), field]);
      const fault = memberFault(field, scope);
      if (fault !== undefined) report("group-member", { name: field.name.text, fault }, line.key.span);
    }
    for (const [group, fields] of members) {
      const [only] = fields;
      const line = only && groupLine(only);
      if (line !== undefined && fields.length === 1) report("group-of-one", { group }, line.value.span);
    }
  }
};

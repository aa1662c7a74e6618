/** Groups of fields (`oneOf`): exactly one field of each group is set. */
import type { FieldNode, MetaNode, StructNode } from "../syntax/tree.ts";
import { typeText } from "../syntax/type-text.ts";
import { fileForm } from "./files.ts";
import { aliasesOf, constraintsOf, isValid, linesFor } from "./meta/read.ts";
import { wireNameOf } from "./rules/names.ts";
import type { Scope } from "./scope.ts";

const noGroups: ReadonlyMap<FieldNode, string> = new Map();

/** Returns the group of each field that is in a valid one. */
export function groupsOf({ fields }: StructNode, scope: Scope): ReadonlyMap<FieldNode, string> {
  if (!fields.some(groupLine)) return noGroups;
  const members = fields.filter(
    (field) => fileForm(field.type) === undefined && memberFault(field, scope) === undefined,
  );
  const named = members.flatMap((field) => {
    const name = groupLine(field)?.value.value;
    return name === undefined ? [] : [[field, name] as const];
  });
  return new Map(named.filter(([, name]) => named.filter(([, other]) => other === name).length > 1));
}

/** Returns the valid line that puts a field in a group. */
export function groupLine({ meta }: FieldNode): MetaNode | undefined {
  return meta.findLast((line) => line.key.text === "oneOf" && isValid(line));
}

/** Returns why a field cannot be in a group: `it has a default`. Undefined if it can. */
export function memberFault(field: FieldNode, scope: Scope): string | undefined {
  const { default: value, nullable } = constraintsOf(linesFor(field.meta, field.type, scope));
  const type = aliasesOf(field.type, scope).at(-1)?.type ?? field.type;
  if (!field.optional) return "it is required";
  if (value !== undefined) {
    const isOwn = field.meta.some(({ key }) => key.text === "default" || key.text === "default.empty");
    return isOwn ? "it has a default" : `its type "${typeText(field.type)}" has a default`;
  }
  if (nullable === "always") return "it may be null";
  if (wireNameOf(field) === undefined) return "it is never sent";
  return type.kind === "named" && type.name === "null" ? "its only value is null" : undefined;
}

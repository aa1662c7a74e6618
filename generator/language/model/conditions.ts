/** Conditions of fields (`when`): which value of an enum field of the struct requires or allows a field. */
import type { EnumNode, FieldNode, MetaNode, StructNode } from "../syntax/tree.ts";
import { enumWireOf } from "./enum-values.ts";
import { fileForm } from "./files.ts";
import { groupLine, memberFault } from "./groups.ts";
import { readCondition } from "./meta/keys.ts";
import { aliasesOf, constraintsOf, isValid, linesFor } from "./meta/read.ts";
import { wireNameOf } from "./rules/names.ts";
import type { Declared, Scope, TypeDeclarationNode } from "./scope.ts";

/** A kind for which a field is set. Without any of its kinds, the field is absent. */
export interface Condition {
  /** The name of the enum field on the wire. */
  readonly kind: string;
  /** The value in JSON. */
  readonly value: string;
  /** The field may be absent, too. */
  readonly isOptional: boolean;
}

const noConditions: ReadonlyMap<FieldNode, readonly Condition[]> = new Map();

/** Returns the valid conditions of each field of a struct. */
export function conditionsOf(struct: StructNode, scope: Scope): ReadonlyMap<FieldNode, readonly Condition[]> {
  const conditional = struct.fields.filter((field) => conditionLines(field).length > 0);
  if (conditional.length === 0) return noConditions;
  const found = conditional
    .filter((field) => fileForm(field.type) === undefined && conditionalFault(field, scope) === undefined)
    .map(
      (field) => [field, conditionLines(field).flatMap((line) => conditionOf(line, struct, scope))] as const,
    );
  return new Map(found.filter(([, conditions]) => conditions.length > 0));
}

/** Returns the lines that put conditions on a field, if they have the right form. */
export function conditionLines({ meta }: FieldNode): readonly MetaNode[] {
  return meta.filter((line) => line.key.text === "when" && isValid(line));
}

/** Returns why a field cannot depend on a kind: `it is required`. Undefined if it can. */
export function conditionalFault(field: FieldNode, scope: Scope): string | undefined {
  return groupLine(field) === undefined ? memberFault(field, scope) : "it is in a group (oneOf)";
}

function conditionOf({ value }: MetaNode, struct: StructNode, scope: Scope): readonly Condition[] {
  const { kind, value: name, isOptional } = readCondition(value.value);
  const field = kindFieldOf(struct, scope);
  if (field?.name.text !== kind || kindFault(field, scope) !== undefined) return [];
  const found = enumOf(field, scope);
  const index = found?.node.values.findIndex((one) => one.name.text === name) ?? -1;
  const wire = wireNameOf(field);
  return found === undefined || wire === undefined || index === -1
    ? []
    : [{ kind: wire, value: enumWireOf(found.node, index), isOptional }];
}

/** Returns the field that tells the kinds of a struct apart: the first that a condition names. */
export function kindFieldOf({ fields }: StructNode, scope: Scope): FieldNode | undefined {
  for (const field of fields)
    for (const { value } of conditionLines(field)) {
      const { kind } = readCondition(value.value);
      const found = fields.find(({ name }) => name.text === kind);
      if (found !== undefined && kindFault(found, scope) === undefined) return found;
    }
  return undefined;
}

/** Returns why the value of a field cannot be the kind of its struct: `it is optional`. Undefined if it can. */
export function kindFault(field: FieldNode, scope: Scope): string | undefined {
  const { default: value, nullable, secret, pii } = constraintsOf(linesFor(field.meta, field.type, scope));
  if (enumOf(field, scope) === undefined) return "its type is no enum";
  if (field.optional) return "it is optional";
  if (value !== undefined) return "it has a default";
  if (nullable !== undefined) return "it may be null";
  // Messages about other fields contain the kind.
  if (secret || pii) return "it is secret";
  return wireNameOf(field) === undefined ? "it is never sent" : undefined;
}

/** Returns the conditions that fields of a struct can have: `kind.card`. */
export function possibleConditions(fields: readonly FieldNode[], scope: Scope): readonly string[] {
  return fields
    .filter((field) => kindFault(field, scope) === undefined)
    .flatMap((field) =>
      (enumOf(field, scope)?.node.values ?? []).map(({ name }) => `${field.name.text}.${name.text}`),
    );
}

/** Returns the enum that is the type of a field, also behind aliases. */
export function enumOf({ type }: FieldNode, scope: Scope): Declared<EnumNode> | undefined {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  const found = end.kind === "named" ? scope.typeByName.get(end.name) : undefined;
  return isEnum(found) ? found : undefined;
}

function isEnum(type: Declared<TypeDeclarationNode> | undefined): type is Declared<EnumNode> {
  return type?.node.kind === "enum";
}

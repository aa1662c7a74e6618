import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import type { MapKeyType, ResolvedType } from "../../../language/model/types.ts";
import { constraintKey } from "../../plan/constraints.ts";
import type { TypeFinder } from "../../plan/type-finder.ts";

/** A type with the constraints that apply where it is used: in a field, as an item, or as the target of an alias. */
export interface ConstrainedType {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

/** Returns the type of list items or map values. If it is an alias, its constraints apply. */
export function itemType(type: ResolvedType, types: TypeFinder): ConstrainedType {
  return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
}

/** Whether faults must not quote the value. */
export function isSecret({ constraints }: ConstrainedType): boolean {
  return constraints.secret || constraints.pii;
}

/** Returns the alias whose function can be shared. Undefined if the field has constraints of its own. */
export function aliasOf({ type, constraints }: ConstrainedType, types: TypeFinder): string | undefined {
  if (type.kind !== "alias") return undefined;
  const alias = types.alias(type.name);
  return constraintKey(constraints) === constraintKey(alias.constraints) ? alias.name : undefined;
}

/** Returns a key that is equal for types that can share one function. */
export function constrainedTypeKey(constrained: ConstrainedType, types: TypeFinder): string {
  const alias = aliasOf(constrained, types);
  if (alias !== undefined) return `alias ${alias}`;
  const resolved = types.unaliased(constrained.type);
  if (resolved.kind === "struct" || resolved.kind === "enum") return `${resolved.kind} ${resolved.name}`;
  return `${typeKey(resolved)} ${constraintKey(constrained.constraints)}`;
}

function typeKey(type: ResolvedType): string {
  switch (type.kind) {
    case "list":
      return `[]${typeKey(type.element)}`;
    case "map":
      return `map<${keyTypeKey(type.key)},${typeKey(type.value)}>`;
    case "unknown":
      return "any";
    default:
      return `${type.kind} ${type.name}`;
  }
}

function keyTypeKey(key: MapKeyType): string {
  return `${key.kind} ${key.name}`;
}

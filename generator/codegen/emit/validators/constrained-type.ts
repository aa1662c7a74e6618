import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import type { MapKeyType, ResolvedType } from "../../../language/model/types.ts";
import { constraintKey } from "../../plan/constraints.ts";
import type { TypeFinder } from "../../plan/type-finder.ts";

/** A place in the schema where a value stands: a field, an item, the target of an alias. */
export interface ConstrainedType {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
}

/** The items of a list or values of a map: what their alias says holds for them. */
export function itemType(type: ResolvedType, types: TypeFinder): ConstrainedType {
  return { type, constraints: type.kind === "alias" ? types.alias(type.name).constraints : unconstrained };
}

/** Whether faults must not repeat the value. */
export function isSecret({ constraints }: ConstrainedType): boolean {
  return constraints.secret || constraints.pii;
}

/** The alias whose function serves a site: none if the field says something of its own. */
export function aliasOf({ type, constraints }: ConstrainedType, types: TypeFinder): string | undefined {
  if (type.kind !== "alias") return undefined;
  const alias = types.alias(type.name);
  return constraintKey(constraints) === constraintKey(alias.constraints) ? alias.name : undefined;
}

/** Equal for sites that one function serves. */
export function constrainedTypeKey(site: ConstrainedType, types: TypeFinder): string {
  const alias = aliasOf(site, types);
  if (alias !== undefined) return `alias ${alias}`;
  const end = types.unaliased(site.type);
  if (end.kind === "struct" || end.kind === "enum") return `${end.kind} ${end.name}`;
  return `${typeKey(end)} ${constraintKey(site.constraints)}`;
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

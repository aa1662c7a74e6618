import { coreTypeNames } from "../../language/model/core-types.ts";
import type { Model, PayloadModel } from "../../language/model/model.ts";
import { isAny, type ResolvedType, type TypeReference } from "../../language/model/types.ts";
import type { Facts, PlannedType, Uses } from "./plan.ts";
import { coreTypeText, type ValueForms } from "./type-text.ts";

type Innermost = Exclude<ResolvedType, { readonly kind: "list" } | { readonly kind: "map" }>;

/** Returns the type inside all lists and maps: `User` for `[][]User`. */
export function innermost(type: ResolvedType): Innermost {
  let at = type;
  while (at.kind === "list" || at.kind === "map") at = at.kind === "list" ? at.element : at.value;
  return at;
}

/** Returns the types of a struct's fields, or the target of an alias. */
export function memberTypes(type: PlannedType): readonly ResolvedType[] {
  if (type.kind === "struct") return type.fields.map((field) => field.type);
  return type.kind === "alias" ? [type.type] : [];
}

/** Returns the types that a type contains directly or in lists and maps. */
function heldTypes(type: PlannedType): readonly Innermost[] {
  return memberTypes(type).map(innermost);
}

/** A type, and the names of the types that it contains directly. */
interface Holder {
  readonly name: string;
  readonly parts: readonly string[];
}

function holderOf(type: PlannedType): Holder {
  const parts: string[] = [];
  for (const part of heldTypes(type)) if (part.kind !== "unknown") parts.push(part.name);
  return { name: type.name, parts };
}

/** Maps the name of a type to the names of the types that directly contain it. */
export type Holders = ReadonlyMap<string, readonly string[]>;

function holdersOf(types: readonly Holder[]): Holders {
  const holders = new Map<string, string[]>();
  for (const { name, parts } of types) {
    for (const part of parts) {
      const others = holders.get(part);
      if (others === undefined) holders.set(part, [name]);
      else others.push(name);
    }
  }
  return holders;
}

/**
 * Returns `start` and everything that its edges lead to, at any depth: with holders, all types that contain one of `start`. Takes
 * linear time. Does not recurse, because types may be recursive or deeply nested.
 */
export function reachable(
  start: Iterable<string>,
  edges: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(start);
  // Iterating a Set includes elements added during the loop.
  for (const name of found) for (const next of edges.get(name) ?? []) found.add(next);
  return found;
}

/**
 * Returns the names of the declarations whose own text, and that of everything they refer to, is the same in two versions of a
 * contract. `namesIn` may return names that are no declarations.
 */
export function sharedNames<Declaration extends { readonly name: string }>(
  own: readonly Declaration[],
  others: readonly Declaration[],
  namesIn: (declaration: Declaration) => readonly string[],
): ReadonlySet<string> {
  const textOf = new Map(others.map((other) => [other.name, JSON.stringify(other)]));
  const users = holdersOf(own.map((one) => ({ name: one.name, parts: namesIn(one) })));
  const changed = own.filter((one) => textOf.get(one.name) !== JSON.stringify(one));
  const affected = reachable(
    changed.map(({ name }) => name),
    users,
  );
  return new Set(own.map(({ name }) => name).filter((name) => !affected.has(name)));
}

/** Computes facts about all types that several targets need. */
export function factsOf(types: readonly PlannedType[]): Facts {
  const holders = holdersOf(types.map(holderOf));
  return {
    holders,
    endless: recursiveTypes(types, holders, false),
    counted: recursiveTypes(types, holders, true),
  };
}

/**
 * Returns recursive types, and types that contain a recursive type. Starts with all types and removes finite ones from
 * the leaves up: a type is finite if all its parts are. Takes linear time.
 */
function recursiveTypes(
  types: readonly PlannedType[],
  holders: Holders,
  isAnyCounted: boolean,
): ReadonlySet<string> {
  const endless = new Set<string>();
  /** For each type, the number of parts that are not yet known to be finite. */
  const unresolved = new Map<string, number>();
  const ready: string[] = [];
  for (const type of types) {
    const parts = heldTypes(type);
    const count = isAnyCounted && parts.some(isAny) ? Number.POSITIVE_INFINITY : parts.filter(isNamed).length;
    endless.add(type.name);
    unresolved.set(type.name, count);
    if (count === 0) ready.push(type.name);
  }
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    endless.delete(name);
    for (const holder of holders.get(name) ?? []) {
      const remaining = (unresolved.get(holder) ?? 0) - 1;
      unresolved.set(holder, remaining);
      if (remaining === 0) ready.push(holder);
    }
  }
  return endless;
}

export function isNamed(type: Innermost): type is TypeReference {
  return type.kind === "struct" || type.kind === "enum" || type.kind === "alias";
}

/** Returns a function that tests whether values of a type may contain a TypeScript bigint. Type names are those of the schema. */
export function bigintFinder({ types }: Model, forms: ValueForms): (type: ResolvedType) => boolean {
  const holders = types.map((type) => {
    const parts = type.kind === "struct" ? type.fields.map((field) => field.type) : [];
    return { name: type.name, parts: (type.kind === "alias" ? [type.type] : parts).map(nameInside) };
  });
  const bigints: string[] = coreTypeNames.filter((name) => coreTypeText(name, forms) === "bigint");
  if (forms.int64 === "bigint") bigints.push("any");
  const found = reachable(bigints, holdersOf(holders));
  return (type) => found.has(nameInside(type));
}

/** Core types start with a lower-case letter and other types with an upper-case one, so their names do not clash. */
function nameInside(type: ResolvedType): string {
  const inside = innermost(type);
  return inside.kind === "unknown" ? "any" : inside.name;
}

/** Finds which types requests and responses contain, starting at the methods and at the data of errors. */
export function findUses(model: Model): ReadonlyMap<string, Uses> {
  const methods = model.services.flatMap((service) => service.methods);
  const inRequests = typesInBodies(
    model,
    methods.map(({ input }) => input),
  );
  const data = model.errors.flatMap((error) => error.data ?? []);
  const inResponses = typesInBodies(
    model,
    methods.map(({ output }) => output),
    data,
  );
  return new Map(
    model.types.map(({ name }) => [
      name,
      { inRequests: inRequests.has(name), inResponses: inResponses.has(name) },
    ]),
  );
}

function typesInBodies(
  model: Model,
  payloads: readonly PayloadModel[],
  aliases: readonly string[] = [],
): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: TypeReference[] = [];
  const visit = (type: ResolvedType): void => {
    if (type.kind === "list") visit(type.element);
    else if (type.kind === "map") {
      if (type.key.kind !== "core") visit(type.key);
      visit(type.value);
    } else if (type.kind !== "core" && type.kind !== "unknown" && !found.has(type.name)) {
      found.add(type.name);
      pending.push(type);
    }
  };
  for (const name of aliases) visit({ kind: "alias", name });
  for (const payload of payloads) {
    if (payload.kind === "struct") visit(payload);
    else for (const { type } of payload.arguments) visit(type);
  }
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    const declared = model.typeByName.get(type.name);
    if (declared?.kind === "struct") for (const field of declared.fields) visit(field.type);
    else if (declared?.kind === "alias") visit(declared.type);
  }
  return found;
}

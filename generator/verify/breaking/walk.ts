import { type Constraints, unconstrained } from "../../language/model/meta/read.ts";
import type { AliasModel, EnumModel, FieldModel, Model, StructModel } from "../../language/model/model.ts";
import type { ResolvedType, TypeReference } from "../../language/model/types.ts";
import type { Findings } from "./findings.ts";
import type { Direction, Sides } from "./sides.ts";

/** What a comparison carries along: where it looks, what it found, and what it has looked at already. */
export interface Walk {
  readonly sides: Sides;
  readonly direction: Direction;
  readonly findings: Findings;
  /** Pairs of types that were compared in this direction, since types may hold themselves. */
  readonly seen: Set<string>;
  /** Pairs of types that are still to be compared: a queue, since types may lead to each other for thousands of steps. */
  readonly queue: (() => void)[];
  /** Whether it only asks if one type may stand for another. */
  readonly isTrial?: boolean;
}

/** Compares what waits, and what comes to wait meanwhile. */
export function drain({ queue }: Walk): void {
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) next();
}

/** A place that holds a value: a field, an item, an argument, the target of an alias. */
export interface ValueSlot {
  readonly type: ResolvedType;
  readonly constraints: Constraints;
  /** Keys of the meta lines that stand at the place itself; the others are its type's. */
  readonly own: ReadonlySet<string>;
}

/** A place in both versions: the one that writes it and the one that reads it. */
export interface SlotPair {
  readonly writer: ValueSlot;
  readonly reader: ValueSlot;
}

const none: ReadonlySet<string> = new Set();

export function fieldSlot({ type, constraints, meta }: FieldModel): ValueSlot {
  return { type, constraints, own: new Set(meta.map(({ key }) => key)) };
}

export function aliasSlot({ type, constraints, meta }: AliasModel): ValueSlot {
  return { type, constraints, own: new Set(meta.map(({ key }) => key)) };
}

/** An argument, or what a list or a map holds: it has no meta lines of its own. */
export function bareSlot(type: ResolvedType, model: Model): ValueSlot {
  const constraints = type.kind === "alias" ? aliasOf(model, type.name).constraints : unconstrained;
  return { type, constraints, own: none };
}

/** A type once its aliases are seen through; an alias of itself, which the rules refuse, is anything. */
export function resolveAliases(
  model: Model,
  type: ResolvedType,
): Exclude<ResolvedType, { kind: "alias" }> | EndReference {
  const seen = new Set<string>();
  let at = type;
  while (at.kind === "alias") {
    if (seen.has(at.name)) return { kind: "unknown" };
    seen.add(at.name);
    at = aliasOf(model, at.name).type;
  }
  return at as EndReference;
}

type EndReference = TypeReference & { readonly kind: "struct" | "enum" };

export function aliasOf(model: Model, name: string): AliasModel {
  return model.typeByName.get(name) as AliasModel;
}

export function structOf(model: Model, name: string): StructModel {
  return model.typeByName.get(name) as StructModel;
}

export function enumOf(model: Model, name: string): EnumModel {
  return model.typeByName.get(name) as EnumModel;
}

/** In words: `int32`, `[]Pet`, `map<string,Pet>`. */
export function typeText(type: ResolvedType): string {
  switch (type.kind) {
    case "list":
      return `[]${typeText(type.element)}`;
    case "map":
      return `map<${type.key.name},${typeText(type.value)}>`;
    case "unknown":
      return "any";
    default:
      return type.name;
  }
}

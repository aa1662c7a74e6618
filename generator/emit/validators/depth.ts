import type { ResolvedType, TypeReference } from "../../model/types.ts";
import type { Side } from "../../plan/constraints.ts";
import { type Innermost, innermost, partsOf } from "../../plan/parts.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { finder, type IsFound } from "../finder.ts";

/**
 * Which types are read with a count of levels: those that may hold themselves, those that hold such a type, and in requests those
 * that hold `any`. All others end by their shape.
 */
export class DepthFinder {
  readonly #isAnyCounted: boolean;
  readonly #isEndless: IsFound;
  readonly #isCounted: IsFound;

  constructor(plan: Plan, side: Side) {
    this.#isAnyCounted = side === "request";
    this.#isEndless = endlessTypes(plan);
    this.#isCounted = this.#isAnyCounted ? countedTypes(plan) : this.#isEndless;
  }

  /** Whether the function of a type is told its level. */
  isNeeded(type: ResolvedType): boolean {
    const end = innermost(type);
    if (isAny(end)) return this.#isAnyCounted;
    return isNamed(end) && this.#isCounted(end.name);
  }

  /** Whether the function must look at it: values of other types get only as deep as their shape. */
  isBounded(type: ResolvedType): boolean {
    const end = innermost(type);
    return isNamed(end) && this.#isEndless(end.name);
  }
}

/** Types that may hold themselves, and those that hold such a type. */
export const endlessTypes: (plan: Plan) => IsFound = finder("isEndless", ({ types }) =>
  remaining(types, false),
);

/** Those, and types that hold `any`. */
export const countedTypes: (plan: Plan) => IsFound = finder("isCounted", ({ types }) =>
  remaining(types, true),
);

function remaining(types: readonly PlannedType[], isAnyCounted: boolean): ReadonlySet<string> {
  const ending = peel(types, isAnyCounted);
  return new Set(types.flatMap(({ name }) => (ending.has(name) ? [] : [name])));
}

/** From the leaves up: a type ends if all its parts end. What is left runs in a circle or into one. Linear in the schema. */
function peel(types: readonly PlannedType[], isAnyCounted: boolean): ReadonlySet<string> {
  const ending = new Set<string>();
  const holders = new Map<string, string[]>();
  const open = new Map<string, number>();
  const ready: string[] = [];
  for (const type of types) {
    const parts = partsOf(type);
    const names = parts.flatMap((part) => (isNamed(part) ? part.name : []));
    for (const name of names) {
      const known = holders.get(name);
      if (known === undefined) holders.set(name, [type.name]);
      else known.push(type.name);
    }
    open.set(type.name, isAnyCounted && parts.some(isAny) ? Number.POSITIVE_INFINITY : names.length);
    if (open.get(type.name) === 0) ready.push(type.name);
  }
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    ending.add(name);
    for (const holder of holders.get(name) ?? []) {
      const left = (open.get(holder) ?? 0) - 1;
      open.set(holder, left);
      if (left === 0) ready.push(holder);
    }
  }
  return ending;
}

function isNamed(type: Innermost): type is TypeReference {
  return type.kind === "struct" || type.kind === "enum" || type.kind === "alias";
}

function isAny(type: Innermost): boolean {
  return type.kind === "unknown" || (type.kind === "core" && type.name === "any");
}

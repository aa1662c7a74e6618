import { isAny, type ResolvedType } from "../../../language/model/types.ts";
import type { Side } from "../../plan/constraints.ts";
import { isNamed } from "../../plan/facts.ts";
import { innermost } from "../../plan/holders.ts";
import type { Facts } from "../../plan/plan.ts";

/**
 * Which types are read with a count of levels: those that may hold themselves, those that hold such a type, and in requests those
 * that hold `any`. All others end by their shape.
 */
export class DepthRules {
  readonly #isAnyCounted: boolean;
  readonly #endless: ReadonlySet<string>;
  readonly #counted: ReadonlySet<string>;

  constructor({ endless, counted }: Facts, side: Side) {
    this.#isAnyCounted = side === "request";
    this.#endless = endless;
    this.#counted = this.#isAnyCounted ? counted : endless;
  }

  /** Whether the function of a type is told its level. */
  takesDepth(type: ResolvedType): boolean {
    const end = innermost(type);
    if (isAny(end)) return this.#isAnyCounted;
    return isNamed(end) && this.#counted.has(end.name);
  }

  /** Whether the function must look at it: values of other types get only as deep as their shape. */
  checksDepth(type: ResolvedType): boolean {
    const end = innermost(type);
    return isNamed(end) && this.#endless.has(end.name);
  }
}

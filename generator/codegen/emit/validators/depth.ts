import { isAny, type ResolvedType } from "../../../language/model/types.ts";
import type { Side } from "../../plan/constraints.ts";
import { isNamed } from "../../plan/facts.ts";
import { innermost } from "../../plan/holders.ts";
import type { Facts } from "../../plan/plan.ts";

/**
 * Decides which functions count nesting levels: those of recursive types, of types that contain a recursive type, and in
 * requests of types that contain `any`. All other types have a fixed depth.
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

  /** Whether the function of a type has a depth parameter. */
  takesDepth(type: ResolvedType): boolean {
    const end = innermost(type);
    if (isAny(end)) return this.#isAnyCounted;
    return isNamed(end) && this.#counted.has(end.name);
  }

  /** Whether the function must check the depth. Values of other types have a limited depth. */
  checksDepth(type: ResolvedType): boolean {
    const end = innermost(type);
    return isNamed(end) && this.#endless.has(end.name);
  }
}

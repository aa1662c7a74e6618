import type { ResolvedType } from "../../model/types.ts";
import { pascalCase } from "../../plan/names.ts";
import type { PlannedType } from "../../plan/plan.ts";
import { innermost, partsOf } from "./parts.ts";
import type { Side } from "./site.ts";

/**
 * Which types are read with a count of levels: those that may hold themselves, those that hold such a type, and in requests those
 * that hold `any`. All others end by their shape.
 */
export class DepthFinder {
  readonly #isAnyCounted: boolean;
  /** Named types that end by their shape. */
  readonly #ending = new Set<string>();

  constructor(types: readonly PlannedType[], side: Side) {
    this.#isAnyCounted = side === "request";
    this.#peel(types);
  }

  isNeeded(type: ResolvedType): boolean {
    const end = innermost(type);
    if (end.kind === "unknown" || (end.kind === "core" && end.name === "any")) return this.#isAnyCounted;
    return end.kind !== "core" && !this.#ending.has(pascalCase(end.name));
  }

  /** From the leaves up: a type ends if all its parts end. What is left runs in a circle or into one. Linear in the schema. */
  #peel(types: readonly PlannedType[]): void {
    const holders = new Map<string, string[]>();
    const open = new Map<string, number>();
    const ready: string[] = [];
    for (const type of types) {
      const parts = partsOf(type);
      const names = parts.flatMap((part) => ("name" in part && part.kind !== "core" ? pascalCase(part.name) : []));
      for (const name of names) {
        const known = holders.get(name);
        if (known === undefined) holders.set(name, [type.name]);
        else known.push(type.name);
      }
      const isEndless = parts.some((part) => part.kind === "unknown" || (part.kind === "core" && part.name === "any"));
      open.set(type.name, isEndless && this.#isAnyCounted ? Number.POSITIVE_INFINITY : names.length);
      if (open.get(type.name) === 0) ready.push(type.name);
    }
    for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
      this.#ending.add(name);
      for (const holder of holders.get(name) ?? []) {
        const left = (open.get(holder) ?? 0) - 1;
        open.set(holder, left);
        if (left === 0) ready.push(holder);
      }
    }
  }
}

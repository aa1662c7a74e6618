import { type CoreType, coreTypes } from "../../../language/model/core-types.ts";
import { type Constraints, unconstrained } from "../../../language/model/meta/read.ts";
import type { UnaliasedType } from "../type-finder.ts";
import { type Conversion, same } from "./conversion.ts";

export type CoreReference = Extract<UnaliasedType, { readonly kind: "core" }>;

/** Returns the conversion between two core types. Undefined if there is none. */
export function coreConversion(
  from: CoreReference,
  to: CoreReference,
  { normalize }: Constraints,
  [given, wanted]: readonly [string, string],
): Conversion | undefined {
  const [a, b] = [coreTypes[from.name], coreTypes[to.name]];
  if (a.kind !== b.kind && !(isNumber(a.kind) && isNumber(b.kind))) return undefined;
  // A fraction has no place in an integer.
  if (a.kind === "float" && b.kind !== "float") return undefined;
  if (a.kind === "formatted" && from.name !== to.name) return undefined;
  if (normalize === "lowercase") return { kind: "lowercase" };
  if (given === wanted) return same;
  // A float does not hold every 64-bit integer.
  if (given === "bigint") return b.kind === "float" ? undefined : { kind: "number" };
  return wanted === "bigint" ? { kind: "bigint" } : same;
}

/** Whether a rule converts values of a core type to another, although some may not fit. */
export function hasCoreConversion(from: CoreType, to: CoreType): boolean {
  const texts = ["same", "same"] as const;
  return (
    coreConversion({ kind: "core", name: from }, { kind: "core", name: to }, unconstrained, texts) !==
    undefined
  );
}

function isNumber(kind: string): boolean {
  return kind === "integer" || kind === "float" || kind === "bigint";
}

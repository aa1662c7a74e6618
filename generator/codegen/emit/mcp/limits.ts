import type { Constraints } from "../../../language/model/meta/read.ts";
import { isBytes } from "../../../language/model/types.ts";
import type { UnaliasedType } from "../../plan/type-finder.ts";

/** Describes the limits of values for agents: `1 to 64 characters, matches ^[a-z]+$`. Undefined if there are none. */
export function limitsText(constraints: Constraints, type: UnaliasedType): string | undefined {
  const { pattern, minimum, maximum, minLength, maxLength, minItems, maxItems, format, normalize } =
    constraints;
  const isBase64 = type.kind === "list" && isBytes(type);
  const limits = [
    rangeText(minLength, maxLength, " characters"),
    rangeText(minimum, maximum, ""),
    rangeText(minItems, maxItems, isBase64 ? " bytes" : " items"),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(format === undefined ? [] : [format]),
    ...(normalize === undefined ? [] : ["lower case"]),
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : limits.join(", ");
}

type Bound = number | bigint | undefined;

function rangeText(low: Bound, high: Bound, unit: string): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (high === undefined) return `at least ${low}${unit}`;
  return low === undefined ? `at most ${high}${unit}` : `${low} to ${high}${unit}`;
}

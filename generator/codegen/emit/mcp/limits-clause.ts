/** The words for limits in descriptions for agents. */
import type { Constraints } from "../../../language/model/meta/read.ts";
import { rangeTexts } from "../../plan/limits-sentences.ts";
import type { UnaliasedType } from "../../plan/type-finder.ts";

/** Describes the limits of values for agents: `from 1 to 64 characters, matches ^[a-z]+$`. Undefined if there are none. */
export function limitsClause(constraints: Constraints, type: UnaliasedType): string | undefined {
  const { pattern, format, normalize } = constraints;
  const limits = [
    ...rangeTexts(constraints, type),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(format === undefined ? [] : [format]),
    ...(normalize === undefined ? [] : ["lower case"]),
  ];
  return limits.length === 0 ? undefined : limits.join(", ");
}

import type { Constraints } from "../../language/model/meta/read.ts";
import { memoize } from "../../language/source/memoize.ts";

/** Requests are read generously and decoded; answers are written, and checked, to the letter. */
export type Side = "request" | "response";

/** Equal for constraints that decide alike over every value: what is only for people does not count. */
export const constraintKey: (constraints: Constraints) => string = memoize((constraints) => {
  const { pattern, minimum, maximum, minLength, maxLength, minItems, maxItems, accepts, normalize, format } =
    constraints;
  const bounds = [minimum, maximum, minLength, maxLength, minItems, maxItems].map((bound) => String(bound));
  return JSON.stringify([pattern ?? null, ...bounds, accepts, normalize ?? null, format ?? null]);
});

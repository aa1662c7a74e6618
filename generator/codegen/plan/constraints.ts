import type { Constraints } from "../../language/model/meta/read.ts";
import { memoize } from "../../language/source/memoize.ts";

/** Requests are decoded from several accepted forms. Responses must have exactly the declared form. */
export type Side = "request" | "response";

/** Returns a key that is equal for constraints with the same effect on validation. Ignores documentation. */
export const constraintKey: (constraints: Constraints) => string = memoize((constraints) => {
  const { pattern, minimum, maximum, minLength, maxLength, minItems, maxItems, accepts, normalize, format } =
    constraints;
  const bounds = [minimum, maximum, minLength, maxLength, minItems, maxItems].map((bound) => String(bound));
  return JSON.stringify([pattern ?? null, ...bounds, accepts, normalize ?? null, format ?? null]);
});

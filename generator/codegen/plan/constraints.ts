import type { Constraints } from "../../language/model/meta/read.ts";

/** Requests are read generously and decoded; answers are written, and checked, to the letter. */
export type Side = "request" | "response";

const keys = new WeakMap<Constraints, string>();

/** Equal for constraints that decide alike over every value: what is only for people does not count. */
export function constraintKey(constraints: Constraints): string {
  const known = keys.get(constraints);
  if (known !== undefined) return known;
  const key = keyOf(constraints);
  keys.set(constraints, key);
  return key;
}

function keyOf(constraints: Constraints): string {
  const { pattern, minimum, maximum, minLength, maxLength, minItems, maxItems, accepts, normalize, format } =
    constraints;
  const bounds = [minimum, maximum, minLength, maxLength, minItems, maxItems].map((bound) => String(bound));
  return JSON.stringify([pattern ?? null, ...bounds, accepts, normalize ?? null, format ?? null]);
}

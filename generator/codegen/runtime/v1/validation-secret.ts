/** Faults of secret values, which are not quoted. */
import type { IssuePath } from "./issue.ts";
import { addFault, addInside, type Faults } from "./validation-faults.ts";

/** Adds a fault without quoting its value. */
export function secretFault(
  faults: Faults | undefined,
  path: IssuePath,
  expected: string,
  value: unknown,
): Faults {
  return addFault(faults, { path, expected, value, isSecret: true });
}

/**
 * Adds the faults inside a field, item or entry that is secret as a whole. The path ends there, because keys inside may
 * be secret, too.
 */
export function inSecret(
  faults: Faults | undefined,
  step: string | number,
  inner: Faults | undefined,
): Faults | undefined {
  if (inner === undefined) return faults;
  for (const fault of inner.listed) {
    fault.path = [];
    fault.isSecret = true;
  }
  return addInside(faults, step, inner);
}

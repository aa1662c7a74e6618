/** Other names of fields. */
import { hasOwn } from "./own-property.ts";
import { maxDepth } from "./validation-depth.ts";
import type { Faults } from "./validation-faults.ts";
import { isList } from "./validation-items.ts";
import type { Fields } from "./validation-object.ts";
import { set } from "./validation-property.ts";
import { secretFault } from "./validation-secret.ts";

/**
 * Moves a field from an alias to its own name and deletes the alias, so that logs redact it by its own name. If both
 * names are present, the own name takes precedence, and both values must be equal unless one is null. A number equals
 * its decimal text.
 */
export function rename(
  faults: Faults | undefined,
  value: Fields,
  other: string,
  name: string,
): Faults | undefined {
  if (!hasOwn(value, other)) return faults;
  const given = value[other];
  delete value[other];
  if (!hasOwn(value, name)) set(value, name, given);
  else if (given !== null && value[name] !== null && !isSame(given, value[name], 0))
    return secretFault(faults, [other], `the same value as "${name}", or only one of the two`, given);
  return faults;
}

function isSame(a: unknown, b: unknown, depth: number): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null)
    return String(a) === String(b);
  const [left, right] = [Object.entries(a), b as Fields];
  if (depth > maxDepth || isList(a) !== isList(b) || left.length !== Object.keys(b).length) return false;
  return left.every(([key, each]) => hasOwn(right, key) && isSame(each, right[key], depth + 1));
}

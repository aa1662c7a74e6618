/** Objects and lists of JSON, and the fields of objects. */
import { hasOwn } from "./own-property.ts";
import { type Faults, secretFault } from "./validation-faults.ts";

export type Fields = Record<string, unknown>;

/** Deepest nesting of lists and objects that a type which holds itself is followed to: any walk stays far from the end of the stack. */
export const maxDepth = 64;

export const tooDeep: string = `at most ${maxDepth} levels of nesting`;

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** A field whose name every object inherits something under, such as `constructor`. */
export function own(value: Fields, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

/** Writes a field as one of the object's own, `__proto__` too. */
export function set(value: Fields, name: string, to: unknown): void {
  Object.defineProperty(value, name, { value: to, writable: true, enumerable: true, configurable: true });
}

/**
 * Moves a field from another of its names to its own. Under both names it must have one value, unless one is null; a number and its
 * decimal text are the same. The own name rules where both are there. The other name goes: what is later logged is redacted by the field's own.
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

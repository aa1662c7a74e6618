/** Helpers for JSON objects and lists. */
import { hasOwn } from "./own-property.ts";
import { type Faults, secretFault } from "./validation-faults.ts";

/** The fields of a JSON object. */
export type Fields = Record<string, unknown>;

/** Deepest nesting of recursive types, far below the stack limit of recursive code. */
export const maxDepth = 64;

/** What a fault reports as expected if nesting is too deep. Bundlers keep an unused template, but no pure call. */
export const tooDeep: string = /* @__PURE__ */ ["at most", maxDepth, "levels of nesting"].join(" ");

/** Whether a value is a JSON object, not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON list. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/** Reads a field whose name is inherited by every object, such as `constructor`. */
export function own(value: Fields, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

/** Sets an own property, even for the name `__proto__`. */
export function set(value: Fields, name: string, to: unknown): void {
  Object.defineProperty(value, name, { value: to, writable: true, enumerable: true, configurable: true });
}

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

/** Objects and lists of JSON, and the fields of objects. */

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
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Writes a field as one of the object's own, `__proto__` too. */
export function set(value: Fields, name: string, to: unknown): void {
  Object.defineProperty(value, name, { value: to, writable: true, enumerable: true, configurable: true });
}

/**
 * Moves a field from another of its names to its own, which rules if both are there. The other name goes: what is later logged
 * is redacted by the field's own.
 */
export function rename(value: Fields, other: string, name: string): void {
  if (!Object.hasOwn(value, other)) return;
  if (!Object.hasOwn(value, name)) set(value, name, value[other]);
  delete value[other];
}

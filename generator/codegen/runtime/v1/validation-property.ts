/** Fields whose names every object inherits, such as `constructor` and `__proto__`. */
import { hasOwn } from "./own-property.ts";
import type { Fields } from "./validation-object.ts";

/** Reads a field whose name is inherited by every object, such as `constructor`. */
export function own(value: Fields, name: string): unknown {
  return hasOwn(value, name) ? value[name] : undefined;
}

/** Sets an own property, even for the name `__proto__`. */
export function set(value: Fields, name: string, to: unknown): void {
  Object.defineProperty(value, name, { value: to, writable: true, enumerable: true, configurable: true });
}

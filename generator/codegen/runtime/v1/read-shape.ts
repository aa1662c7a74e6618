/** Converts responses from parsed JSON to the types of TypeScript. */
import { hasOwn } from "./own-property.ts";
import { type Convert, mismatchError, type Shape, type ValuePath } from "./shape.ts";

/**
 * Converts the values that a shape names, in place: the parsed JSON belongs to the client. Null for a list becomes an
 * empty list, because Go writes empty lists that way.
 */
export function read(value: unknown, shape: Shape, at: ValuePath = []): unknown {
  if (typeof shape === "function") return shape(value, at);
  const isList = Array.isArray(shape);
  if (value === null) return isList ? [] : value;
  if (typeof value !== "object" || isList !== Array.isArray(value))
    throw mismatchError(at, isList ? "a list" : "an object", value);
  const parts = value as Record<string, unknown>;
  const shapes = shape as Readonly<Record<string, Shape>>;
  for (const key in isList ? shapes[0] && parts : shapes) {
    if (!hasOwn(parts, key)) continue;
    at.push(isList ? +key : key);
    const part = read(parts[key], shapes[isList ? 0 : key] as Shape, at);
    at.pop();
    if (part === undefined) delete parts[key];
    else parts[key] = part;
  }
  return parts;
}

/** Converts the values of a map. Null becomes an empty map. */
export function readMap(shape?: Shape): Convert {
  return (value, at) => {
    if (value === null) return {};
    if (typeof value !== "object") throw mismatchError(at, "an object", value);
    const map = value as Record<string, unknown>;
    if (shape)
      for (const key of Object.keys(map)) {
        at.push(key);
        map[key] = read(map[key], shape, at);
        at.pop();
      }
    return map;
  };
}

/** Reads base64 text. Null becomes empty text. */
export function readBytes(value: unknown): unknown {
  return value === null ? "" : value;
}

/** Converts an optional list, map or bytes. Null means absent. */
export function orAbsent(shape?: Shape): Convert {
  return (value, at) => (value === null ? undefined : shape ? read(value, shape, at) : value);
}

/** Converts a nullable value. */
export function orNull(shape: Shape): Convert {
  return (value, at) => (value === null ? value : read(value, shape, at));
}

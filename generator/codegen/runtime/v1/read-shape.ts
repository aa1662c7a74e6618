/** A response on its way from JSON to the caller. */
import { hasOwn } from "./own-property.ts";
import { type Convert, mismatchError, type Shape, type ValuePath } from "./shape.ts";

/** Reads what a shape names, in place: JSON has just made it. Null for a list is an empty one, as Go writes it. */
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

/** A map to what a shape reads. Null is an empty one. */
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

/** Base64 text. Null is empty. */
export function readBytes(value: unknown): unknown {
  return value === null ? "" : value;
}

/** An optional list, map or bytes: null means absent. */
export function orAbsent(shape?: Shape): Convert {
  return (value, at) => (value === null ? undefined : shape ? read(value, shape, at) : value);
}

/** One that may be null. */
export function orNull(shape: Shape): Convert {
  return (value, at) => (value === null ? value : read(value, shape, at));
}

/** Converts requests from the types of TypeScript to JSON values. */

import type { FailureInfo } from "./client.ts";
import { RpcError } from "./errors.ts";
import { hasOwn } from "./own-property.ts";
import type { Convert, Shape, ValuePath } from "./shape.ts";

/**
 * Converts a request. Throws a bad-request error with the path of an invalid value, so that the request is not sent.
 */
export function writeRequest(req: unknown, shape: Shape, refusal: FailureInfo): unknown {
  try {
    return write(req, shape, []);
  } catch (thrown) {
    throw new RpcError({ ...refusal, code: -4, ...(thrown as { readonly msg: string }) });
  }
}

/**
 * Converts the values that a shape names. The request belongs to the caller, so changed parts are copied and unchanged
 * ones are reused.
 */
function write(value: unknown, shape: Shape, at: ValuePath): unknown {
  if (value === null || value === undefined) return value;
  if (typeof shape === "function") return shape(value, at);
  const isList = Array.isArray(shape);
  // The server rejects other types with a better message.
  if (typeof value !== "object" || isList !== Array.isArray(value)) return value;
  const parts = value as Record<string, unknown>;
  const shapes = shape as Readonly<Record<string, Shape>>;
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(isList ? parts : shapes)) {
    if (!hasOwn(parts, key)) continue;
    at.push(isList ? +key : key);
    const part = write(parts[key], shapes[isList ? 0 : key] as Shape, at);
    at.pop();
    if (part !== parts[key]) entries.push([key, part]);
  }
  if (entries.length === 0) return value;
  return Object.assign(isList ? [...(value as unknown[])] : { ...value }, Object.fromEntries(entries));
}

/** Converts the values of a map. */
export function writeMap(shape: Shape): Convert {
  return (value, at) => {
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        at.push(key);
        const written = write(part, shape, at);
        at.pop();
        return [key, written];
      }),
    );
  };
}

/** Writes `123n` as `"123"`, for bigints that are text on the wire in a body where other bigints are numbers. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Converts the values of bodies between JSON and the types of TypeScript. */
import type { FailureInfo } from "./client.ts";
import { RpcError } from "./errors.ts";
import { hasOwn } from "./own-property.ts";
import { type Convert, mismatchError, type Shape, type ValuePath } from "./shape.ts";

/**
 * Prints a request as JSON. Throws a bad-request error with the path of an invalid value, so that the request is not sent.
 * `print` replaces `JSON.stringify`.
 */
export function printRequest(
  req: unknown,
  shape: Shape,
  refusal: FailureInfo,
  print: (value: unknown) => string = JSON.stringify,
): string {
  let json: unknown;
  try {
    json = convert(req, shape, [], true);
  } catch (thrown) {
    throw new RpcError({ ...refusal, code: -4, ...(thrown as { readonly msg: string }) });
  }
  return print(json);
}

/**
 * Converts the values that a shape names. Null for a list becomes an empty list, because Go writes empty lists that way.
 *
 * A response is converted in place: the parsed JSON belongs to the client. A request belongs to the caller, so changed
 * parts are copied and unchanged ones are reused. `inner` is the shape of all values of a map.
 */
export function convert(
  value: unknown,
  shape: Shape,
  at: ValuePath = [],
  isRequest = false,
  inner?: Shape,
): unknown {
  if (isRequest && (value === null || value === undefined)) return value;
  if (typeof shape === "function") return shape(value, at, isRequest);
  const isList = Array.isArray(shape);
  if (value === null) return isList ? [] : value;
  if (typeof value !== "object" || isList !== Array.isArray(value)) {
    // The server rejects other types with a better message.
    if (isRequest) return value;
    throw mismatchError(at, isList ? "a list" : "an object", value);
  }
  const shapes = shape as Readonly<Record<string, Shape>>;
  const each = isList ? shapes[0] : inner;
  let parts = value as Parts;
  for (const key in each ? value : shapes) {
    if (!hasOwn(value, key)) continue;
    at.push(isList ? +key : key);
    const part = convert(parts[key], (each ?? shapes[key]) as Shape, at, isRequest);
    at.pop();
    if (part === parts[key]) continue;
    if (isRequest && parts === value) parts = (Array.isArray(value) ? [...value] : { ...value }) as Parts;
    if (part === undefined) delete parts[key];
    else parts[key] = part;
  }
  return parts;
}

type Parts = Record<string, unknown>;

/** Converts the values of a map. Null becomes an empty map. */
export function asMap(inner?: Shape): Convert {
  return (value, at, isRequest) => (value === null ? {} : convert(value, {}, at, isRequest, inner));
}

/** Converts base64 text. Null becomes empty text. */
export function asBytes(value: unknown): unknown {
  return value === null ? "" : value;
}

/** Converts an optional list, map or bytes. Null means absent. */
export function orAbsent(shape: Shape): Convert {
  return (value, at, isRequest) => (value === null ? undefined : convert(value, shape, at, isRequest));
}

/** Converts a nullable value. */
export function orNull(shape: Shape): Convert {
  return (value, at, isRequest) => (value === null ? value : convert(value, shape, at, isRequest));
}

import { refusalOf, type Schema } from "./client.ts";
import { issue, pointerOf, RpcError, type RpcErrorInit } from "./errors.ts";
import { hasOwn, jsonFault } from "./json.ts";
import { dateOf, isDate } from "./time.ts";

/*
 * Shapes describe which values of a body differ between JSON and TypeScript, in requests and in responses alike. Generated
 * code contains one shape per struct.
 */

/**
 * A conversion, the shapes of an object's fields by name, or `[inner]` for the items of a list. `[]` is a list whose
 * items need no conversion.
 */
export type Shape = Convert | readonly Shape[] | { readonly [field: string]: Shape };

/**
 * Returns the converted value: from TypeScript to JSON if `isRequest`, otherwise from JSON to TypeScript. In requests, it is
 * not called for null and undefined. Throws a `mismatchError`.
 */
export type Convert = (value: unknown, at: ValuePath, isRequest: boolean) => unknown;

/**
 * The path of the value being converted. One array is shared by the whole walk: each step is pushed before its value is
 * converted, and popped afterwards.
 */
type ValuePath = (string | number)[];

/** Creates the error for a value that does not match its type. `message` and `issues` become those of the `RpcError`. */
function mismatchError(at: ValuePath, expected: string, value: unknown): Partial<RpcErrorInit> {
  const fault = issue(at, expected, describe(value));
  return {
    message: `${pointerOf(at)}: ${fault.message}`,
    issues: [fault],
    // Not the body, which may contain secrets.
    cause: undefined,
  };
}

/** Describes a value as servers do: `"0x12"`, `12`, `an object`. */
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (value === null || typeof value !== "object" || value instanceof Date) return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : "an object";
}

/** Accepts integers within ±(2^53 - 1). Beyond that, a number loses digits. */
export function safeInteger(value: unknown, at: ValuePath): unknown {
  if (value === null || Number.isSafeInteger(value)) return value;
  throw mismatchError(at, "an integer within ±(2^53 - 1)", value);
}

/* Converts the values of bodies between JSON and the types of TypeScript. */

/**
 * Prints a request as JSON. Throws a bad-request error, so that the request is not sent, with the path of an invalid value or
 * of one that JSON would change, or with what a getter or a `toJSON` threw as its cause. `shape` names the values that are
 * converted first; `print` replaces `JSON.stringify`.
 */
export function printRequest(
  req: unknown,
  schema: Schema,
  shape: Shape = {},
  print?: (value: unknown) => string,
): string {
  const at: ValuePath = [];
  try {
    const json = convert(req, shape, at, true);
    const fault = jsonFault(json, at, !!print);
    if (fault) throw mismatchError(at, ...fault);
    return (print ?? JSON.stringify)(json);
  } catch (thrown) {
    // Only an error of this request has this path. A getter may throw any value.
    const isMismatch = (thrown as RpcErrorInit | undefined)?.issues?.[0]?.path === at;
    throw new RpcError({
      ...refusalOf(schema),
      ...(isMismatch ? (thrown as RpcErrorInit) : { cause: String(thrown) }),
    });
  }
}

/**
 * Reads the data of an error from the body of its response. Undefined if it is missing, or does not match the shape of
 * its error. `shapes` are by the name of the error; `parse` replaces `JSON.parse`.
 */
export function readErrorData(
  error: string,
  body: string,
  shapes: Readonly<Record<string, Shape>>,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  const shape = hasOwn(shapes, error) && shapes[error];
  if (!shape) return undefined;
  try {
    return convert((parse(body) as { readonly data?: unknown }).data, shape) ?? undefined;
  } catch {
    return undefined;
  }
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
    if (part === undefined) Reflect.deleteProperty(parts, key);
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

/** Converts an optional list, map or bytes, or a field of a group. Null means absent. */
export function orAbsent(shape?: Shape): Convert {
  return (value, at, isRequest) =>
    value === null ? undefined : shape === undefined ? value : convert(value, shape, at, isRequest);
}

/** Converts a nullable value. */
export function orNull(shape: Shape): Convert {
  return (value, at, isRequest) => (value === null ? value : convert(value, shape, at, isRequest));
}

/* Converts timestamps between JSON and Date. */

/**
 * Reads `"2025-01-31T12:00:00.123456789Z"` as a Date, truncated to milliseconds, and writes a Date as
 * `"2025-01-31T12:00:00.123Z"`.
 */
export function asDate(value: unknown, at: ValuePath, isRequest: boolean): unknown {
  if (isRequest) {
    if (isDate(value)) return value.toISOString();
    throw mismatchError(at, "a valid Date in the years 0000 to 9999", value);
  }
  if (value === null) return value;
  const date = typeof value === "string" ? dateOf(value) : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw mismatchError(at, "an RFC 3339 timestamp", value);
  return date;
}

/* Bigints in bodies. */

/**
 * Converts between `"123"` and `123n`. Accepts safe integers, too, and keeps null, which lenient servers send for a missing
 * value.
 */
export function asBigint(value: unknown, at: ValuePath, isRequest: boolean): unknown {
  if (isRequest) return typeof value === "bigint" ? `${value}` : value;
  if (value === null || typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?[0-9]+$/.test(value)) return BigInt(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw mismatchError(at, "an integer", value);
}

/** Converts 64-bit integers, which are numbers in JSON, to bigints. `printInt64Json` prints those of requests. */
export function asInt64(value: unknown, at: ValuePath, isRequest: boolean): unknown {
  return isRequest ? value : asBigint(value, at, isRequest);
}

/** Converts a float. `parseInt64Json` returns a bigint for a long number without a fraction or an exponent. */
export function asFloat(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/* Rejects responses with enum values that the client's schema lacks, for clients with closed enums. */

type Values = Readonly<Record<string, string>>;

/** Accepts the values of an enum. The server checks those of requests. */
export function asEnum(values: Values): Convert {
  const known = new Set<unknown>(Object.values(values));
  return (value, at, isRequest) => {
    if (value !== null && !isRequest) check(value, known, at);
    return value;
  };
}

/** Accepts a map whose keys are values of an enum. Null becomes an empty map. */
export function asEnumMap(values: Values, inner?: Shape): Convert {
  const known = new Set<unknown>(Object.values(values));
  const asValues = asMap(inner);
  return (value, at, isRequest) => {
    const map = asValues(value, at, isRequest);
    if (!isRequest)
      for (const key of Object.keys(map as object)) {
        at.push(key);
        check(key, known, at);
        at.pop();
      }
    return map;
  };
}

/** Maximum number of enum names in a message. */
const namesMax = 40;

function check(value: unknown, known: ReadonlySet<unknown>, at: ValuePath): void {
  if (known.has(value)) return;
  const names = [...known];
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  throw mismatchError(at, `one of ${names.slice(0, namesMax).join(", ")}${more}`, value);
}

/**
 * Whether a value is one of an enum: `isOneOf(Status, order.status)`. Narrows a value of a response, which may be unknown to
 * the client's schema, to the type of the enum.
 */
export function isOneOf<T extends string>(values: { readonly [key: string]: T }, value: unknown): value is T {
  return Object.values<unknown>(values).includes(value);
}

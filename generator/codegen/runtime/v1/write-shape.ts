/** A request on its way from the caller to JSON. */

import type { FailureInfo } from "./client.ts";
import { RpcError } from "./errors.ts";
import { hasOwn } from "./own-property.ts";
import type { Convert, Shape, ValuePath } from "./shape.ts";

/** Writes a request, or refuses to send it: what does not fit is a bad request with its path. */
export function writeRequest(req: unknown, shape: Shape, refusal: FailureInfo): unknown {
  try {
    return write(req, shape, []);
  } catch (thrown) {
    throw new RpcError({ ...refusal, code: -4, ...(thrown as { readonly msg: string }) });
  }
}

/** Writes what a shape names. A request belongs to its caller: what changes is a copy, and what does not is the caller's own. */
function write(value: unknown, shape: Shape, at: ValuePath): unknown {
  if (value === null || value === undefined) return value;
  if (typeof shape === "function") return shape(value, at);
  const isList = Array.isArray(shape);
  // The server refuses another type, and says what it takes.
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

/** A map to what a shape writes. */
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

/** `123n` → `"123"`: bigints that are text on the wire, where others are numbers there. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/**
 * Redacts bodies for recordings. Only values that the schema describes, and does not mark as secret or personal, are
 * recorded.
 */

import type { JsonCodec } from "./json-codec.ts";
import { hasOwn } from "./own-property.ts";

/** Which part of a value is recorded. Values of any other form are redacted. */
export type RecordedShape =
  /** A secret, personal data, or `any`. */
  | "hidden"
  | "text"
  | "number"
  | "truth"
  | { readonly struct: string }
  | { readonly list: RecordedShape }
  | { readonly map: RecordedShape }
  /** A list or map that contains itself. */
  | { readonly alias: string };

/** The parts of an API that a recorder needs. Generated. */
export interface RecordedApi {
  readonly schemaHash: string;
  /** By struct name, then by each name that a field has on the wire. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, RecordedShape>>>>;
  /** Recursive aliases, by name. */
  readonly aliases?: Readonly<Record<string, RecordedShape>>;
  /** By path. */
  readonly methods: Readonly<Record<string, { readonly request: string; readonly response: string }>>;
  /** Replaces JSON.parse and JSON.stringify where 64-bit integers are bigints. */
  readonly json?: JsonCodec;
}

/** Replaces a redacted value. Readers of a recording replace it with a sample of the schema. */
const hidden = "[redacted]";

/** Deeper values are redacted. No server accepts them. */
const depthMax = 64;

/**
 * Returns a copy of a body without secrets. Fields that are not in the schema are removed, because they may contain
 * anything.
 */
export function redact(body: unknown, struct: string, { structs, aliases = {} }: RecordedApi): unknown {
  return copy(body, { struct }, 0);

  function copy(value: unknown, shape: RecordedShape, depth: number): unknown {
    // The absence of a value is not a secret.
    if (value === null) return null;
    if (depth > depthMax) return hidden;
    if (typeof shape === "string") return isOfKind(value, shape) ? value : hidden;
    if ("alias" in shape) return copy(value, own(aliases, shape.alias) ?? "hidden", depth);
    if ("list" in shape)
      return Array.isArray(value) ? value.map((item) => copy(item, shape.list, depth + 1)) : hidden;
    if (typeof value !== "object" || Array.isArray(value)) return hidden;
    return "map" in shape ? copyMap(value, shape.map, depth) : copyStruct(value, shape.struct, depth);
  }

  function copyStruct(value: object, name: string, depth: number): object {
    const fields = own(structs, name) ?? {};
    const known = Object.entries(value).flatMap(([key, inner]) => {
      const shape = own(fields, key);
      return shape === undefined ? [] : [[key, copy(inner, shape, depth + 1)] as const];
    });
    return Object.fromEntries(known);
  }

  function copyMap(value: object, shape: RecordedShape, depth: number): object {
    const entries = Object.entries(value).map(([key, inner]) => [key, copy(inner, shape, depth + 1)]);
    return Object.fromEntries(entries);
  }
}

function isOfKind(value: unknown, shape: Extract<RecordedShape, string>): boolean {
  if (shape === "hidden") return false;
  if (shape === "text") return typeof value === "string" || typeof value === "number";
  if (shape === "truth") return typeof value === "boolean" || value === "true" || value === "false";
  return typeof value === "number" || typeof value === "bigint" || isNumeral(value);
}

/** A number as text, which some fields accept. */
function isNumeral(value: unknown): boolean {
  return typeof value === "string" && /^-?[0-9.]{1,400}$/.test(value);
}

/** Schemas and callers may use names such as `constructor`. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return hasOwn(record, name) ? record[name] : undefined;
}

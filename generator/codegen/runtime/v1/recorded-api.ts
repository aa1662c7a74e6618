/** What of the calls of an API may stand in a recording, by its schema. What the schema does not name, or names as hidden, may not. */

import type { JsonCodec } from "./json-codec.ts";
import { hasOwn } from "./own-property.ts";

/** What of a value is recorded. What does not have this form is hidden as a whole. */
export type RecordedShape =
  /** A secret, personal data, or anything at all. */
  | "hidden"
  | "text"
  | "number"
  | "truth"
  | { readonly struct: string }
  | { readonly list: RecordedShape }
  | { readonly map: RecordedShape }
  /** Of a list or map that holds itself. */
  | { readonly alias: string };

/** An API as a recorder sees it; generated. */
export interface RecordedApi {
  readonly schemaHash: string;
  /** By name, and then by each name that a field has on the wire. */
  readonly structs: Readonly<Record<string, Readonly<Record<string, RecordedShape>>>>;
  /** Those that hold themselves, by name. */
  readonly aliases?: Readonly<Record<string, RecordedShape>>;
  /** By path. */
  readonly methods: Readonly<Record<string, { readonly request: string; readonly response: string }>>;
  /** Where integers of 64 bits are bigints. Default: JSON as JavaScript has it. */
  readonly json?: JsonCodec;
}

/** Stands where a value is left out of a recording. Who reads it puts a value of the schema there. */
const hidden = "[redacted]";

/** Deeper values are hidden: no server reads them. */
const depthMax = 64;

/** A copy of a body that is fit for a recording. Fields that the schema does not know are left out, since nobody can say what they hold. */
export function redact(body: unknown, struct: string, { structs, aliases = {} }: RecordedApi): unknown {
  return copy(body, { struct }, 0);

  function copy(value: unknown, shape: RecordedShape, depth: number): unknown {
    // That there is nothing is no secret.
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

/** Digits in quotes, as some fields are read. */
function isNumeral(value: unknown): boolean {
  return typeof value === "string" && /^-?[0-9.]{1,400}$/.test(value);
}

/** Names come from the schema and from callers: `constructor` is a name like any other. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return hasOwn(record, name) ? record[name] : undefined;
}

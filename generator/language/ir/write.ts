import { createHash } from "node:crypto";
import type {
  IrAnnotation,
  IrArgument,
  IrError,
  IrField,
  IrMethod,
  IrSchema,
  IrService,
  IrType,
  IrValue,
} from "./schema.ts";

/** Writes the IR byte for byte as the reference tool does, with a final line break. */
export function writeIr({ webrpc, name, version, basepath, types, errors, services }: IrSchema): string {
  const whole = {
    webrpc,
    name,
    version,
    basepath,
    types: types?.map(typeOf) ?? null,
    errors: errors?.map(errorOf) ?? null,
    services: services?.map(serviceOf) ?? null,
  };
  return `${jsonText(whole)}\n`;
}

/** The schema hash of webrpc: SHA-1 of the IR's text, in lower-case hex. */
export function hashIr(irText: string): string {
  return createHash("sha1").update(irText).digest("hex");
}

function typeOf({ kind, name, type, fields, optional, value, meta, comments }: IrType): JsonMembers {
  return {
    kind,
    name,
    type: type === undefined ? undefined : typeValue(type),
    fields: nonEmpty(fields)?.map(fieldOf),
    optional: trueOnly(optional),
    value: nonEmptyText(value),
    meta: nonEmpty(meta)?.map(metaValue),
    comments: nonEmpty(comments),
  };
}

function fieldOf(field: IrField | null): JsonValue {
  if (field === null) return null;
  const { comments, name, type, optional, value, meta } = field;
  return {
    comments: nonEmpty(comments),
    name,
    type: type === undefined ? undefined : typeValue(type),
    optional: trueOnly(optional),
    value: nonEmptyText(value),
    meta: nonEmpty(meta)?.map(metaValue),
  };
}

function errorOf({ code, name, message, httpStatus }: IrError): JsonMembers {
  return { code: numberValue(code), name, message, httpStatus: numberValue(httpStatus) };
}

function serviceOf({ name, path, methods, comments }: IrService): JsonMembers {
  return { name, path: nonEmptyText(path), methods: methods?.map(methodOf) ?? null, comments };
}

function methodOf(method: IrMethod): JsonMembers {
  const { name, annotations, comments, succinct, streamInput, streamOutput, route, inputs, outputs, errors } =
    method;
  return {
    name,
    annotations: annotations && membersByKey(mapped(annotations, annotationOf)),
    comments,
    succinct: trueOnly(succinct),
    streamInput: trueOnly(streamInput),
    streamOutput: trueOnly(streamOutput),
    route: route && { verb: route.verb, path: route.path },
    inputs: inputs?.map(argumentOf) ?? null,
    outputs: outputs?.map(argumentOf) ?? null,
    errors: nonEmpty(errors),
  };
}

function annotationOf(annotation: IrAnnotation | null): JsonValue {
  return annotation && { annotationType: annotation.annotationType, value: annotation.value };
}

function argumentOf({ name, type, optional, value, meta }: IrArgument): JsonMembers {
  return {
    name,
    type: typeValue(type),
    optional,
    value: nonEmptyText(value),
    meta: nonEmpty(meta)?.map(metaValue),
  };
}

function metaValue(value: IrValue): JsonValue {
  if (typeof value === "number") return numberValue(value);
  if (typeof value !== "object" || value === null) return value;
  return isList(value) ? value.map(metaValue) : membersByKey(mapped(value, metaValue));
}

function mapped<Item>(
  map: ReadonlyMap<string, Item>,
  of: (item: Item) => JsonValue,
): ReadonlyMap<string, JsonValue> {
  return new Map(Array.from(map, ([key, item]) => [key, of(item)]));
}

function nonEmpty<Item>(items: readonly Item[] | undefined): readonly Item[] | undefined {
  return items !== undefined && items.length > 0 ? items : undefined;
}

function trueOnly(value: boolean | undefined): true | undefined {
  return value === true ? true : undefined;
}

function nonEmptyText(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/* Prints JSON as the reference tool does: keys in the given order, one space of indentation, Go's escapes. */

/** A value to print. Undefined members are omitted. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | RawJson
  | readonly JsonValue[]
  | JsonMembers;

export type JsonMembers = { readonly [key: string]: JsonValue };

/** A value that JSON.stringify would print differently. */
export class RawJson {
  /** Returns the value's text at a nesting depth. */
  readonly write: (depth: number) => string;

  constructor(write: (depth: number) => string) {
    this.write = write;
  }

  toJSON(): never {
    throw needsRawJson;
  }
}

const needsRawJson = new Error("JSON.stringify writes this in another way");

/** Prints a value. Tries JSON.stringify first: it prints nearly every value identically, in half the time. */
function jsonText(value: JsonValue): string {
  try {
    return goEscapes(JSON.stringify(value, undefined, 1));
  } catch (err) {
    if (err !== needsRawJson) throw err;
    return print(value, 0);
  }
}

function print(value: JsonValue, depth: number): string {
  if (typeof value === "string") return quoted(value);
  if (value instanceof RawJson) return value.write(depth);
  if (isList(value))
    return block(
      "[",
      value.map((item) => print(item, depth + 1)),
      depth,
    );
  if (typeof value === "object" && value !== null) return printMembers(Object.entries(value), depth);
  return String(value);
}

/** Array.isArray for readonly lists. */
function isList<Item, Other>(value: readonly Item[] | Other): value is readonly Item[] {
  return Array.isArray(value);
}

function printMembers(entries: readonly (readonly [string, JsonValue])[], depth: number): string {
  const given = entries.filter(([, value]) => value !== undefined);
  return block(
    "{",
    given.map(([key, value]) => `${quoted(key)}: ${print(value, depth + 1)}`),
    depth,
  );
}

function block(open: "{" | "[", parts: readonly string[], depth: number): string {
  const close = open === "{" ? "}" : "]";
  if (parts.length === 0) return open + close;
  const start = `\n${" ".repeat(depth + 1)}`;
  return `${open}${start}${parts.join(`,${start}`)}\n${" ".repeat(depth)}${close}`;
}

function quoted(value: string): string {
  return goEscapes(JSON.stringify(value));
}

/** Go escapes U+2028 and U+2029; JSON.stringify does not. */
function goEscapes(json: string): string {
  return json.includes("\u2028") || json.includes("\u2029")
    ? json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
    : json;
}

/** Sorts members by the bytes of their keys, as Go prints a map. */
function membersByKey(members: ReadonlyMap<string, JsonValue>): JsonMembers | RawJson {
  if (members.size < 2) return Object.fromEntries(members);
  const entries = [...members].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  // An object would move numeric keys to the front.
  return entries.some(([key]) => /^[0-9]/.test(key))
    ? new RawJson((depth) => printMembers(entries, depth))
    : Object.fromEntries(entries);
}

function numberValue(value: number | bigint): number | RawJson {
  if (typeof value === "bigint") return new RawJson(() => String(value));
  return Object.is(value, -0) ? new RawJson(() => "-0") : value;
}

/**
 * The reference tool prints types with Go's %q: unprintable characters are escaped, and a backslash of the JSON source is
 * doubled.
 */
function typeValue(type: string): string | RawJson {
  return plainText.test(type) ? type : new RawJson(() => quotedType(type));
}

/** Text that every JSON printer leaves unchanged. */
const plainText = /^[ !#-[\]-~]*$/;

function quotedType(type: string): string {
  return quoted(type).replace(/[^\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]/gu, (character) =>
    // JSON escapes are UTF-16 code units.
    Array.from({ length: character.length }, (_, at) => unicodeEscape(character.charCodeAt(at))).join(""),
  );
}

function unicodeEscape(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, "0")}`;
}

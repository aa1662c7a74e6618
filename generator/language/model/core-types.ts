import { isDateTimeText } from "../../runtime/src/formats.ts";
import { foreignName, sameNames } from "../syntax/foreign-types.ts";
import type { Shape } from "./meta/keys.ts";

/** Everything the toolkit knows about one core type. Types with similar values share a `kind`. */
export type CoreTypeDescriptor =
  | PlainDescriptor
  | IntegerDescriptor
  | FloatDescriptor
  | BigintDescriptor
  | FormattedDescriptor;

/** Modules switch on the kind, so the compiler names every module that a new kind must be added to. */
export type CoreKind = CoreTypeDescriptor["kind"];

interface Common {
  /** Which meta keys apply; undefined means all. */
  readonly shape: Shape | undefined;
  /** Description of its JSON, as Markdown. */
  readonly description: string;
  /** Its JSON as a TypeScript type. */
  readonly json: string;
  /** Its TypeScript type, unless `option` is set: the generator option's value is then the type. */
  readonly typescript: string;
  readonly option?: "int64" | "timestamps";
  /** How recordings store its values. */
  readonly recorded: "hidden" | "number" | "text" | "truth";
  /** Kinds that accept all of its JSON: always, or on one side only. Numbers of one kind are compared by their ranges. */
  readonly widensTo: Readonly<Partial<Record<CoreKind, "always" | "request" | "response">>>;
  /**
   * JSON values that the type never accepts, with the reason: `["maybe", "is not a boolean"]`. Other modules add values outside
   * constraints and ranges.
   */
  readonly invalid: readonly (readonly [value: string, words: string])[];
  /** Whether a text in a schema, such as that of `default`, is a value of the type. */
  readonly isValue: (text: string) => boolean;
}

export interface PlainDescriptor extends Common {
  readonly kind: "null" | "any" | "boolean" | "text";
}

/** A JSON number without a fraction. */
export interface IntegerDescriptor extends Common {
  readonly kind: "integer";
  /** The range that a JSON number holds exactly. */
  readonly range: IntegerRange;
  /** The full 64-bit range, for types that become bigint if the option `int64` says so. */
  readonly bigRange?: BigIntegerRange;
}

/** Bounds are inclusive. */
export interface IntegerRange {
  readonly low: number;
  readonly high: number;
}

export interface BigIntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

export interface FloatDescriptor extends Common {
  readonly kind: "float";
  /** The largest absolute value. */
  readonly max: number;
}

/** Decimal digits in a JSON string. */
export interface BigintDescriptor extends Common {
  readonly kind: "bigint";
  readonly edges: BySide<readonly (string | number)[]>;
}

/** A JSON string in a fixed format. */
export interface FormattedDescriptor extends Common {
  readonly kind: "formatted";
  /** The format's name in JSON Schema, if there is one. */
  readonly format?: string;
  /** Regular expressions without flags, as close to the format as a pattern can be. */
  readonly pattern: BySide<string>;
  /** The expectation that validation errors state. */
  readonly expected: BySide<string>;
  /** Name of the runtime function that checks the canonical form, which responses use. */
  readonly test: string;
  /**
   * Name of the runtime function that converts a request's value to the canonical form. Absent if requests accept only that form.
   */
  readonly read?: string;
  /** Test values at the edges of the format. */
  readonly edges: BySide<readonly string[]>;
}

type BySide<Value> = Readonly<Record<"request" | "response", Value>>;

/** The integer types, which may be map keys and enum bases. */
export type IntegerType = `${"" | "u"}int${"" | 8 | 16 | 32 | 64}`;

const safe = Number.MAX_SAFE_INTEGER;

/** JavaScript's safe integers. */
const signed: IntegerRange = { low: -safe, high: safe };
const unsigned: IntegerRange = { low: 0, high: safe };
const signedWords = "a whole number within ±(2^53 - 1)";
const unsignedWords = "a whole number from 0 to 2^53 - 1";

export const integers: Readonly<Record<IntegerType, IntegerDescriptor>> = {
  uint: integer(unsigned, unsignedWords),
  uint8: integer({ low: 0, high: 255 }, "a whole number from 0 to 255"),
  uint16: integer({ low: 0, high: 65_535 }, "a whole number from 0 to 65,535"),
  uint32: integer({ low: 0, high: 4_294_967_295 }, "a whole number from 0 to 4,294,967,295"),
  uint64: withBigRange(integer(unsigned, unsignedWords), 0n, 2n ** 64n - 1n),
  int: integer(signed, signedWords),
  int8: integer({ low: -128, high: 127 }, "a whole number from -128 to 127"),
  int16: integer({ low: -32_768, high: 32_767 }, "a whole number from -32,768 to 32,767"),
  int32: integer({ low: -2_147_483_648, high: 2_147_483_647 }, "a whole number within 32 bits"),
  int64: withBigRange(integer(signed, signedWords), -(2n ** 63n), 2n ** 63n - 1n),
};

export function isIntegerType(name: string): name is IntegerType {
  return Object.hasOwn(integers, name);
}

function integer(range: IntegerRange, description: string): IntegerDescriptor {
  return {
    kind: "integer",
    shape: "number",
    description,
    json: "number",
    typescript: "number",
    recorded: "number",
    widensTo: { float: "always", bigint: "request" },
    invalid: [],
    isValue: (text) =>
      /^-?(0|[1-9][0-9]*)$/.test(text) && Number(text) >= range.low && Number(text) <= range.high,
    range,
  };
}

/** Excludes `int` and `uint`: their size in Go depends on the machine. */
function withBigRange(type: IntegerDescriptor, low: bigint, high: bigint): IntegerDescriptor {
  return { ...type, option: "int64", bigRange: { low, high } };
}

export type FloatType = "float32" | "float64";

const floats: Readonly<Record<FloatType, FloatDescriptor>> = {
  float32: float(3.4028234663852886e38),
  float64: float(Number.POSITIVE_INFINITY),
};

function float(max: number): FloatDescriptor {
  return {
    kind: "float",
    shape: "number",
    description: "a number",
    json: "number",
    typescript: "number",
    recorded: "number",
    widensTo: {},
    invalid: [],
    isValue: (text) =>
      /^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$/.test(text) &&
      Number.isFinite(Number(text)) &&
      Math.abs(Number(text)) <= max,
    max,
  };
}

const bigintEdges = ["0", "9007199254740993", "-123456789012345678901234567890", "1"] as const;

const bigint: BigintDescriptor = {
  kind: "bigint",
  shape: "number",
  description: 'decimal digits as text: `"123456789012345678901234567890"`',
  json: "string /* digits */",
  typescript: "bigint",
  recorded: "number",
  widensTo: { text: "response" },
  invalid: [
    ["1.5", "is not an integer"],
    ["", "is empty"],
  ],
  isValue: (text) => /^-?[0-9]+$/.test(text),
  edges: { request: [...bigintEdges, 42], response: bigintEdges },
};

const bool: PlainDescriptor = {
  kind: "boolean",
  shape: "boolean",
  description: "`true` or `false`",
  json: "boolean",
  typescript: "boolean",
  recorded: "truth",
  widensTo: {},
  invalid: [["maybe", "is not a boolean"]],
  isValue: (text) => text === "true" || text === "false",
};

const byte: IntegerDescriptor = integer(
  { low: 0, high: 255 },
  "a number from 0 to 255; `[]byte` is base64 text",
);

const string: PlainDescriptor = {
  kind: "text",
  shape: "text",
  description: "text",
  json: "string",
  typescript: "string",
  recorded: "text",
  widensTo: {},
  invalid: [],
  isValue: () => true,
};

const pattern = (zone: string): string =>
  `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?${zone}$`;

const timestampEdges = [
  "2026-03-04T05:06:07.123456789Z",
  "1999-12-31T23:59:59.5Z",
  "2026-03-04T05:06:07Z",
] as const;

const timestamp: FormattedDescriptor = {
  kind: "formatted",
  shape: "text",
  description: 'text in RFC 3339, in UTC: `"2026-01-31T12:00:00Z"`',
  json: "string /* RFC 3339 */",
  typescript: "string",
  option: "timestamps",
  recorded: "text",
  widensTo: { text: "always" },
  invalid: [
    ["2026-02-31T00:00:00Z", "is not a calendar day"],
    ["yesterday", "is not a timestamp"],
  ],
  isValue: (text) => new RegExp(pattern("Z")).test(text) && isDateTimeText(text),
  format: "date-time",
  pattern: { request: pattern("(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"), response: pattern("Z") },
  expected: {
    request: "an RFC 3339 timestamp, such as 2025-01-31T12:00:00Z",
    response: "an RFC 3339 timestamp in UTC, such as 2025-01-31T12:00:00Z",
  },
  test: "isUtcTimestamp",
  read: "utcOf",
  edges: { request: [...timestampEdges, "2026-03-04T05:06:07+02:00"], response: timestampEdges },
};

const anything: PlainDescriptor = {
  kind: "any",
  shape: undefined,
  description: "any JSON value",
  json: "any",
  typescript: "unknown",
  recorded: "hidden",
  widensTo: {},
  invalid: [],
  isValue: () => true,
};

const nothing: PlainDescriptor = {
  kind: "null",
  shape: "other",
  description: "`null`",
  json: "null",
  typescript: "null",
  recorded: "text",
  widensTo: {},
  invalid: [],
  isValue: (text) => text === "null",
};

export type CoreType =
  | ("null" | "any" | "byte" | "bool" | "bigint" | "string" | "timestamp")
  | IntegerType
  | FloatType;

/** The built-in types by RIDL name, in the order in which editors list them. */
export const coreTypes: Readonly<Record<CoreType, CoreTypeDescriptor>> = {
  null: nothing,
  any: anything,
  byte,
  bool,
  ...integers,
  bigint,
  ...floats,
  string,
  timestamp,
};

export const coreTypeNames: readonly CoreType[] = Object.keys(coreTypes) as CoreType[];

const names: ReadonlySet<string> = new Set(coreTypeNames);

export function isCoreType(name: string): name is CoreType {
  return names.has(name);
}

/** Whether values in other languages can exceed JavaScript's safe integers. */
export function mayExceedSafeInteger(name: CoreType): boolean {
  const type = coreTypes[name];
  return type.kind === "integer" && type.range.high === Number.MAX_SAFE_INTEGER;
}

/** The core type that a name from another language stands for. */
export interface SimilarCoreType {
  readonly name: CoreType;
  /** Whether the name has no other meaning: `"boolean"` and `"String"`, but not `"date"`. */
  readonly isSame: boolean;
}

/** `"boolean"` → `bool`. Ignores letter case. */
export function coreTypeNamedLike(name: string): SimilarCoreType | undefined {
  const word = name.toLowerCase();
  const same = coreTypeNames.find((each) => each === word || each === sameNames.get(word));
  if (same !== undefined) return { name: same, isSame: true };
  const foreign = foreignName(name);
  const similar = typeof foreign === "object" && foreign.meta === undefined ? foreign.type : "";
  return isCoreType(similar) ? { name: similar, isSame: false } : undefined;
}

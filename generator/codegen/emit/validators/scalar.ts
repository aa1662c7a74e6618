import {
  float32Max,
  type IntegerRange,
  integerRange,
  wideRange,
} from "../../../language/model/integer-range.ts";
import type { Constraints } from "../../../language/model/meta/read.ts";
import type { CoreType, IntegerType } from "../../../language/model/types.ts";
import type { Side } from "../../plan/constraints.ts";
import { isWide, type ValueForms, type WideType } from "../../plan/int64.ts";
import {
  expectedBigint,
  expectedBoolean,
  expectedBytes,
  expectedDate,
  expectedInteger,
  expectedNull,
  expectedNumber,
  expectedText,
  expectedTimestamp,
} from "./expected.ts";
import { mayMatchUnstorable } from "./unstorable.ts";

/** How a value without parts is read: turned into its own form, tested, finished. */
export interface Scalar {
  /** Functions of the runtime that turn other forms into the type's own, in this order. */
  readonly decoders: readonly string[];
  /** An expression that is true if the variable of this name holds the type's own form. */
  readonly test: (name: string, patternName: string) => string;
  /** The canonical value of the variable of this name: `own.toLowerCase()`. */
  readonly finish?: (name: string) => string;
  /** For the fault. */
  readonly expected: string;
  /** The TypeScript type of the canonical value. */
  readonly typeText: string;
}

type ScalarKind = (constraints: Constraints, side: Side, forms: ValueForms) => Scalar;

export function coreScalar(
  name: Exclude<CoreType, "any">,
  constraints: Constraints,
  { side, forms }: { readonly side: Side; readonly forms: ValueForms },
): Scalar {
  if (isWide(name, forms.int64)) return wideInteger(name, constraints, side);
  return kinds[name](constraints, side, forms);
}

const kinds: Readonly<Record<Exclude<CoreType, "any">, ScalarKind>> = {
  string: text,
  timestamp,
  bool: boolean,
  bigint,
  null: nothing,
  byte: integer("byte"),
  uint: integer("uint"),
  uint8: integer("uint8"),
  uint16: integer("uint16"),
  uint32: integer("uint32"),
  uint64: integer("uint64"),
  int: integer("int"),
  int8: integer("int8"),
  int16: integer("int16"),
  int32: integer("int32"),
  int64: integer("int64"),
  float32: float({ low: -float32Max, high: float32Max }),
  float64: float(),
};

/** Decoders by the form that is read, for each own form. */
const textForms = { integer: "textOfInteger", number: "textOfNumber", boolean: "textOfBoolean" } as const;
const integerForms = { string: "integerOfText", boolean: "numberOfBoolean" } as const;
const numberForms = { string: "numberOfText", boolean: "numberOfBoolean" } as const;
const booleanForms = {
  string: "booleanOfText",
  integer: "booleanOfNumber",
  number: "booleanOfNumber",
} as const;

function decodersFor(
  { accepts }: Constraints,
  side: Side,
  forms: Readonly<Partial<Record<Constraints["accepts"][number], string>>>,
): readonly string[] {
  if (side === "response") return [];
  return [...new Set(accepts.flatMap((form) => forms[form] ?? []))];
}

function text(constraints: Constraints, side: Side): Scalar {
  const { pattern, normalize } = constraints;
  const isLower = normalize === "lowercase";
  const mayBeUnstorable = side === "request" && (pattern === undefined || mayMatchUnstorable(pattern));
  return {
    decoders: decodersFor(constraints, side, textForms),
    test: (name, patternName) =>
      all([
        mayBeUnstorable ? `v.isText(${name})` : `typeof ${name} === "string"`,
        ...lengthTests(constraints, name),
        ...(pattern === undefined ? [] : [`${patternName}.test(${name})`]),
        ...(isLower && side === "response" ? [`${name} === ${name}.toLowerCase()`] : []),
      ]),
    ...(isLower && side === "request" ? { finish: (name: string) => `${name}.toLowerCase()` } : {}),
    expected: expectedText(constraints, side),
    typeText: "string",
  };
}

/** Before the pattern, which then meets no text longer than the schema allows. */
function lengthTests({ minLength = 0, maxLength }: Constraints, name: string): string[] {
  const tests: string[] = [];
  if (maxLength !== undefined) tests.push(`v.hasAtMost(${name}, ${maxLength})`);
  if (minLength === 1) tests.push(`${name} !== ""`);
  else if (minLength > 1) tests.push(`v.hasAtLeast(${name}, ${minLength})`);
  return tests;
}

function timestamp(constraints: Constraints, side: Side, { timestamps }: ValueForms): Scalar {
  const isDate = timestamps === "Date";
  const textTests = (text: string, patternName: string): string[] => [
    ...lengthTests(constraints, text),
    ...(constraints.pattern === undefined ? [] : [`${patternName}.test(${text})`]),
  ];
  const isHandlers = isDate && side === "response";
  return {
    decoders: side === "request" ? ["utcOf"] : [],
    test: (name, patternName) =>
      isHandlers
        ? all([`v.isDate(${name})`, ...textTests(`${name}.toISOString()`, patternName)])
        : all([`v.isUtcTimestamp(${name})`, ...textTests(name, patternName)]),
    ...(isDate && side === "request" ? { finish: (name: string) => `v.dateOf(${name})` } : {}),
    expected: isHandlers ? expectedDate : expectedTimestamp(side),
    typeText: isDate ? "Date" : "string",
  };
}

function boolean(constraints: Constraints, side: Side): Scalar {
  return {
    decoders: decodersFor(constraints, side, booleanForms),
    test: (name) => `typeof ${name} === "boolean"`,
    expected: expectedBoolean(constraints, side),
    typeText: "boolean",
  };
}

function nothing(): Scalar {
  return { decoders: [], test: (name) => `${name} === null`, expected: expectedNull, typeText: "null" };
}

function integer(type: IntegerType | "byte"): ScalarKind {
  return (constraints, side) => {
    const range = boundedRange(integerRange(type), constraints);
    return {
      decoders: decodersFor(constraints, side, integerForms),
      test: (name) => all([`typeof ${name} === "number"`, ...integerTests(range, name)]),
      expected: expectedInteger(range, constraints, side),
      typeText: "number",
    };
  };
}

/** An integer of 64 bits as a bigint. It is read from the number that JSON has, and from text where the schema accepts that. */
function wideInteger(name: WideType, constraints: Constraints, side: Side): Scalar {
  const { low, high } = boundedWideRange(name, constraints);
  const forms = { string: "bigintOf", boolean: "numberOfBoolean" };
  return {
    decoders: side === "request" ? [...decodersFor(constraints, side, forms), "int64Of"] : [],
    test: (variable) =>
      all([`typeof ${variable} === "bigint"`, `${variable} >= ${low}n`, `${variable} <= ${high}n`]),
    expected: expectedInteger({ low, high }, constraints, side),
    typeText: "bigint",
  };
}

function boundedWideRange(
  name: WideType,
  { minimum, maximum }: Constraints,
): { readonly low: bigint; readonly high: bigint } {
  const { low, high } = wideRange[name];
  const least = minimum === undefined ? low : wholeOf(minimum, Math.ceil);
  const most = maximum === undefined ? high : wholeOf(maximum, Math.floor);
  return { low: larger(low, least), high: -larger(-high, -most) };
}

function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

function wholeOf(bound: number | bigint, round: (bound: number) => number): bigint {
  return typeof bound === "bigint" ? bound : BigInt(round(bound));
}

/** The range of a type and the bounds of a place, whichever is narrower. */
function boundedRange({ low, high }: IntegerRange, { minimum, maximum }: Constraints): IntegerRange {
  return {
    low: minimum === undefined ? low : Math.max(low, Math.ceil(Number(minimum))),
    high: maximum === undefined ? high : Math.min(high, Math.floor(Number(maximum))),
  };
}

/** Within ±(2^53 - 1), asking for a safe integer says both bounds at once. */
function integerTests({ low, high }: IntegerRange, name: string): string[] {
  const isHighSafe = high === Number.MAX_SAFE_INTEGER;
  const isLowSafe = low === Number.MIN_SAFE_INTEGER;
  const isSafe = isHighSafe || isLowSafe;
  return [
    isSafe ? `Number.isSafeInteger(${name})` : `Number.isInteger(${name})`,
    ...(isLowSafe ? [] : [`${name} >= ${low}`]),
    ...(isHighSafe ? [] : [`${name} <= ${high}`]),
  ];
}

function float(range?: IntegerRange): ScalarKind {
  return (constraints, side, { int64 }) => {
    const minimum = Math.max(range?.low ?? -Infinity, Number(constraints.minimum ?? -Infinity));
    const maximum = Math.min(range?.high ?? Infinity, Number(constraints.maximum ?? Infinity));
    // Where integers keep all their digits, a number may come as a long integer.
    const shortened = int64 === "bigint" && side === "request" ? ["numberOfBigint"] : [];
    return {
      decoders: [...shortened, ...decodersFor(constraints, side, numberForms)],
      test: (name) =>
        all([
          `typeof ${name} === "number"`,
          `Number.isFinite(${name})`,
          ...(minimum === -Infinity ? [] : [`${name} >= ${minimum}`]),
          ...(maximum === Infinity ? [] : [`${name} <= ${maximum}`]),
        ]),
      expected: expectedNumber(constraints, side),
      typeText: "number",
    };
  };
}

function bigint(constraints: Constraints, side: Side): Scalar {
  const { minimum, maximum } = constraints;
  return {
    decoders: side === "request" ? ["bigintOf"] : [],
    test: (name) =>
      all([
        `typeof ${name} === "bigint"`,
        ...(minimum === undefined ? [] : [`${name} >= ${bigintBound(minimum)}`]),
        ...(maximum === undefined ? [] : [`${name} <= ${bigintBound(maximum)}`]),
      ]),
    expected: expectedBigint(constraints, side),
    typeText: "bigint",
  };
}

/** A bound may have a fraction, which a bigint has not, but compares with. */
function bigintBound(bound: number | bigint): string {
  return typeof bound === "bigint" || Number.isInteger(bound) ? `${BigInt(bound)}n` : String(bound);
}

/** Base64 text; bounds count bytes. */
export function bytesScalar(constraints: Constraints): Scalar {
  const { minItems, maxItems } = constraints;
  return {
    decoders: [],
    test: (name) =>
      all([
        `v.isBase64(${name})`,
        ...(minItems === undefined ? [] : [`v.byteCount(${name}) >= ${minItems}`]),
        ...(maxItems === undefined ? [] : [`v.byteCount(${name}) <= ${maxItems}`]),
      ]),
    expected: expectedBytes(constraints),
    typeText: "string",
  };
}

function all(tests: readonly string[]): string {
  return tests.join(" && ");
}

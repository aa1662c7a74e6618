import {
  type BigIntegerRange,
  type CoreType,
  coreTypes,
  type FormattedDescriptor,
  type IntegerRange,
} from "../../../language/model/core-types.ts";
import { checkedFormat } from "../../../language/model/meta/keys.ts";
import type { Constraints } from "../../../language/model/meta/read.ts";
import { rangePhrase } from "../../plan/docs.ts";
import type { PlannedEnum } from "../../plan/plan.ts";
import { bigintRange, coreTypeText, type ValueForms } from "../../plan/type-text.ts";
import type { Side } from "../../plan/values.ts";
import { bigintLiteral } from "../text.ts";

/** How a value without parts is read: decoded, tested, and converted to its canonical form. */
export interface Scalar {
  /** Runtime functions that convert other accepted forms to the type's own, in this order. */
  readonly decoders: readonly string[];
  /** Returns an expression that is true if the variable has the type's own form. */
  readonly test: (name: string, patternName: string) => string;
  /** Returns the canonical value of the variable: `own.toLowerCase()`. */
  readonly finish?: (name: string) => string;
  /** For the message of a fault. */
  readonly expected: string;
  /** For the code of a fault. */
  readonly rules?: Readonly<Record<string, number | bigint | string | undefined>>;
}

/** Returns how values of a core type are read. Undefined if every value is valid. */
export function coreScalar(
  name: CoreType,
  constraints: Constraints,
  { side, forms }: { readonly side: Side; readonly forms: ValueForms },
): Scalar | undefined {
  const core = coreTypes[name];
  switch (core.kind) {
    case "any":
      return undefined;
    case "null":
      return { decoders: [], test: (value) => `${value} === null`, expected: "null" };
    case "boolean":
      return boolean(constraints, side);
    case "integer": {
      const range64 = bigintRange(core, forms.int64);
      return range64 === undefined
        ? integer(core.range, constraints, side)
        : int64Integer(range64, constraints, side);
    }
    case "float":
      return float(core.max, constraints, side, forms);
    case "bigint":
      return bigint(constraints, side);
    case "text":
      return text(constraints, side);
    case "formatted":
      return formatted(core, constraints, side, coreTypeText(name, forms) === "Date");
  }
}

/** For each type: the decoder of every other form that a schema can accept. */
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
  const format = checkedFormat(constraints.format);
  const mayBeUnstorable =
    side === "request" && format === undefined && (pattern === undefined || mayMatchUnstorable(pattern));
  return {
    decoders: decodersFor(constraints, side, textForms),
    test: (name, patternName) =>
      all([
        mayBeUnstorable ? `v.isText(${name})` : `typeof ${name} === "string"`,
        ...textTests(constraints, name, patternName),
        ...(format === undefined ? [] : [`v.${format.test}(${name})`]),
        ...(isLower && side === "response" ? [`${name} === ${name}.toLowerCase()`] : []),
      ]),
    ...(isLower && side === "request" ? { finish: (name: string) => `${name}.toLowerCase()` } : {}),
    expected: expectedText(constraints, side),
    rules: textRules(constraints, format === undefined ? undefined : "format"),
  };
}

/** Lengths are tested first, so that patterns only run on text of limited length. */
function textTests(
  { minLength = 0, maxLength, pattern }: Constraints,
  name: string,
  patternName: string,
): string[] {
  const tests: string[] = [];
  if (maxLength !== undefined) tests.push(`v.hasAtMost(${name}, ${maxLength})`);
  if (minLength === 1) tests.push(`${name} !== ""`);
  else if (minLength > 1) tests.push(`v.hasAtLeast(${name}, ${minLength})`);
  if (pattern !== undefined) tests.push(`${patternName}.test(${name})`);
  return tests;
}

function textRules(
  { minLength, maxLength, pattern }: Constraints,
  other: "format" | undefined,
): NonNullable<Scalar["rules"]> {
  return { minLength, maxLength, text: pattern === undefined ? other : "pattern" };
}

function formatted(
  { read, test, expected }: FormattedDescriptor,
  constraints: Constraints,
  side: Side,
  isDate: boolean,
): Scalar {
  const isHandlerDate = isDate && side === "response";
  return {
    decoders: side === "request" && read !== undefined ? [read] : [],
    test: (name, patternName) =>
      isHandlerDate
        ? all([`v.isDate(${name})`, ...textTests(constraints, `${name}.toISOString()`, patternName)])
        : all([`v.${test}(${name})`, ...textTests(constraints, name, patternName)]),
    ...(isDate && side === "request" ? { finish: (name: string) => `v.dateOf(${name})` } : {}),
    expected: isHandlerDate ? expectedDate : expected[side],
    rules: textRules(constraints, "format"),
  };
}

function boolean(constraints: Constraints, side: Side): Scalar {
  return {
    decoders: decodersFor(constraints, side, booleanForms),
    test: (name) => `typeof ${name} === "boolean"`,
    expected: expectedBoolean(constraints, side),
  };
}

function integer(type: IntegerRange, constraints: Constraints, side: Side): Scalar {
  const range = boundedRange(type, constraints);
  return {
    decoders: decodersFor(constraints, side, integerForms),
    test: (name) => all([`typeof ${name} === "number"`, ...integerTests(range, name)]),
    expected: expectedInteger(range, constraints, side),
    rules: { minimum: range.low, maximum: range.high, ...inAcceptedText(constraints, side) },
  };
}

/** A 64-bit integer as a bigint. Accepts JSON numbers, and text if the schema allows it. */
function int64Integer(type: BigIntegerRange, constraints: Constraints, side: Side): Scalar {
  const { low, high } = boundedInt64Range(type, constraints);
  const forms = { string: "bigintOf", boolean: "numberOfBoolean" };
  return {
    decoders: side === "request" ? [...decodersFor(constraints, side, forms), "int64Of"] : [],
    test: (variable) => all([`typeof ${variable} === "bigint"`, ...int64Tests(variable, { low, high })]),
    expected: expectedInteger({ low, high }, constraints, side),
    rules: { minimum: low, maximum: high, ...inAcceptedText(constraints, side) },
  };
}

function boundedInt64Range(
  { low, high }: BigIntegerRange,
  { minimum, maximum }: Constraints,
): BigIntegerRange {
  const min = minimum === undefined ? low : roundToBigint(minimum, Math.ceil);
  const max = maximum === undefined ? high : roundToBigint(maximum, Math.floor);
  return { low: larger(low, min), high: -larger(-high, -max) };
}

function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

function roundToBigint(bound: number | bigint, round: (bound: number) => number): bigint {
  return typeof bound === "bigint" ? bound : BigInt(round(bound));
}

/** Intersects the range of the type with the constraints. */
function boundedRange({ low, high }: IntegerRange, { minimum, maximum }: Constraints): IntegerRange {
  return {
    low: minimum === undefined ? low : Math.max(low, Math.ceil(Number(minimum))),
    high: maximum === undefined ? high : Math.min(high, Math.floor(Number(maximum))),
  };
}

/** For ±(2^53 - 1), testing for a safe integer covers both limits. */
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

function float(max: number, constraints: Constraints, side: Side, { int64 }: ValueForms): Scalar {
  const minimum = Math.max(-max, Number(constraints.minimum ?? -Infinity));
  const maximum = Math.min(max, Number(constraints.maximum ?? Infinity));
  // With bigints enabled, a long float without a fraction is parsed as a bigint.
  const bigintDecoder = int64 === "bigint" && side === "request" ? ["numberOfBigint"] : [];
  return {
    decoders: [...bigintDecoder, ...decodersFor(constraints, side, numberForms)],
    test: (name) =>
      all([
        `typeof ${name} === "number"`,
        `Number.isFinite(${name})`,
        ...(minimum === -Infinity ? [] : [`${name} >= ${minimum}`]),
        ...(maximum === Infinity ? [] : [`${name} <= ${maximum}`]),
      ]),
    expected: expectedNumber(constraints, side),
    rules: { minimum, maximum },
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
    rules: { minimum, maximum, ...((minimum ?? maximum) !== undefined && inText) },
  };
}

/** Text beyond a limit breaks the limit. */
const inText = { find: "findInText" } as const;

function inAcceptedText({ accepts }: Constraints, side: Side): Partial<typeof inText> {
  return side === "request" && accepts.includes("string") ? inText : {};
}

/** The full 64-bit range has a test without bigint literals, which would be created on each call. */
function int64Tests(variable: string, { low, high }: BigIntegerRange): readonly string[] {
  if (low === -(2n ** 63n) && high === 2n ** 63n - 1n)
    return [`BigInt.asIntN(64, ${variable}) === ${variable}`];
  if (low === 0n && high === 2n ** 64n - 1n) return [`BigInt.asUintN(64, ${variable}) === ${variable}`];
  return [`${variable} >= ${bigintBound(low)}`, `${variable} <= ${bigintBound(high)}`];
}

/** Prints a limit of a bigint, as a number if that is exact. A fractional limit cannot be printed as a bigint. */
export function bigintBound(bound: number | bigint): string {
  const isExact = Number.isSafeInteger(Number(bound)) || !Number.isInteger(Number(bound));
  return isExact ? String(bound) : bigintLiteral(BigInt(bound));
}

/** Base64 text. Limits count bytes. */
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
  };
}

function all(tests: readonly string[]): string {
  return tests.join(" && ");
}

/*
 * Describes what a value should be, for the message of a fault: `text of 1 to 64 characters`,
 * `an integer from 0 to 255`.
 */

/** Maximum number of enum names in a message. */
const namesMax = 40;

function expectedText(constraints: Constraints, side: Side): string {
  const { minLength, maxLength, pattern, normalize, accepts } = constraints;
  const text = normalize === "lowercase" && side === "response" ? "lower-case text" : "text";
  const size = rangePhrase(minLength, maxLength, "character");
  const format = checkedFormat(constraints.format);
  const rules = [
    ...(format === undefined ? [] : [`is ${format.expected}`]),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
  ];
  const form = rules.length === 0 ? "" : ` that ${rules.join(" and ")}`;
  return text + size + form + (side === "request" ? otherForms(accepts, "string") : "");
}

function expectedInteger(
  { low, high }: { readonly low: number | bigint; readonly high: number | bigint },
  { accepts }: Constraints,
  side: Side,
): string {
  return `an integer from ${low} to ${high}${side === "request" ? otherForms(accepts, "integer") : ""}`;
}

function expectedNumber(constraints: Constraints, side: Side): string {
  return `a number${rangePhrase(constraints.minimum, constraints.maximum)}${side === "request" ? otherForms(constraints.accepts, "number") : ""}`;
}

function expectedBigint({ minimum, maximum }: Constraints, side: Side): string {
  const range = rangePhrase(minimum, maximum);
  return side === "request"
    ? `an integer${range}, as decimal text or a number up to 2^53 - 1`
    : `a bigint${range}`;
}

function expectedBoolean({ accepts }: Constraints, side: Side): string {
  return `true or false${side === "request" ? otherForms(accepts, "boolean") : ""}`;
}

/** For responses of handlers. */
const expectedDate = "a valid Date in the years 0000 to 9999";

function expectedBytes({ minItems, maxItems }: Constraints): string {
  return `base64 text${rangePhrase(minItems, maxItems, "byte")}`;
}

export function expectedEnum({ values }: PlannedEnum): string {
  const names = values.slice(0, namesMax).map(({ wire }) => wire);
  const more = values.length - names.length;
  return `one of ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function expectedList({ minItems, maxItems }: Constraints): string {
  return `a list${rangePhrase(minItems, maxItems, "item")}`;
}

export function expectedMap({ minItems, maxItems }: Constraints): string {
  return `an object${rangePhrase(minItems, maxItems, "entry")}`;
}

type Form = Constraints["accepts"][number];

/** Descriptions of other accepted forms, by the type's own form. */
const formNames: Readonly<Record<Form, Readonly<Partial<Record<Form, string>>>>> = {
  string: { integer: "an integer", number: "a number", boolean: "true or false" },
  integer: { string: "its decimal text", boolean: "true or false" },
  number: { string: "its decimal text", boolean: "true or false" },
  boolean: { string: "its text", integer: "0 or 1", number: "0 or 1" },
};

function otherForms(accepts: Constraints["accepts"], own: Form): string {
  const others = new Set(accepts.flatMap((form) => formNames[own][form] ?? []));
  return others.size === 0 ? "" : `, or ${[...others].join(" or ")}`;
}

/**
 * Whether text that matches a pattern may contain NUL or a lone surrogate. Returns false only for patterns that
 * describe the whole text with ASCII letters, positive character classes and counts. Most patterns do, and their text
 * needs no further check.
 */
export function mayMatchUnstorable(pattern: string): boolean {
  if (!/^\^.*\$$/su.test(pattern)) return true;
  const body = pattern.slice(1, -1);
  // Dots, negated classes, backslashes, assertions and control characters may match more than they seem to. So may
  // ranges that end outside of ASCII.
  if (/[\\^$\p{Cc}\P{ASCII}]|\(\?/u.test(body)) return true;
  if (/[.]/.test(body.replace(/\[[^\]]*\]/g, ""))) return true;
  return hasOuterChoice(body);
}

/** In `^a|b$`, each choice is anchored on one side only. */
function hasOuterChoice(body: string): boolean {
  let depth = 0;
  for (const character of body.replace(/\[[^\]]*\]/g, "")) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}

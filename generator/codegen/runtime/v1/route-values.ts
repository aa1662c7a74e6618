/** Converts the texts of paths and queries to JSON. */
import type { RouteType } from "./route.ts";

/**
 * Returns the JSON of a text. Undefined if it is not a value of the type. Unless `isInt64Wide`, 64-bit integers are
 * numbers, which hold only safe integers.
 */
export function jsonOfText(type: RouteType, text: string, isInt64Wide: boolean): string | undefined {
  switch (type) {
    case "string":
      return JSON.stringify(text);
    case "bool":
      return trueTexts.has(text) ? "true" : falseTexts.has(text) ? "false" : undefined;
    case "float32":
    case "float64":
      return floatText.test(text) && Number.isFinite(Number(text)) ? JSON.stringify(Number(text)) : undefined;
    default: {
      const value = integerOf(text);
      return value !== undefined && fits(value, type, isInt64Wide) ? String(value) : undefined;
    }
  }
}

/** Describes the expected values, for a text that is none. */
export function expectedValue(type: RouteType, text: string): string {
  const value = /^u?int(?:64)?$/.test(type) ? integerOf(text) : undefined;
  const losesDigits = value !== undefined && fitsInto(64, value, type);
  return losesDigits ? `valid ${type} within ±(2^53 - 1)` : `valid ${type}`;
}

/** The spellings that Go accepts. Clients send `true` and `false`. */
const trueTexts: ReadonlySet<string> = new Set(["true", "True", "TRUE", "t", "T", "1"]);
const falseTexts: ReadonlySet<string> = new Set(["false", "False", "FALSE", "f", "F", "0"]);

/** Decimal only: JavaScript reads the empty text, blanks and `0x10` as numbers, too. */
const floatText = /^[+-]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** Longer integers do not fit into 64 bits. Converting them takes more than linear time. */
const digitsMax = 20;

function integerOf(text: string): bigint | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined;
  const digits = text.replace(/^(-?)0+(?=[0-9])/, "$1");
  return digits.length <= digitsMax ? BigInt(digits) : undefined;
}

function fits(value: bigint, type: RouteType, isInt64Wide: boolean): boolean {
  const bits = Number(/[0-9]+/.exec(type)?.[0] ?? 64);
  const isSafeOnly = bits === 64 && !(isInt64Wide && type.endsWith("64"));
  return fitsInto(bits, value, type) && (!isSafeOnly || Number.isSafeInteger(Number(value)));
}

function fitsInto(bits: number, value: bigint, type: RouteType): boolean {
  return (type.startsWith("u") ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)) === value;
}

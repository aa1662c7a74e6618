/**
 * Converts accepted forms of a value to its own type. Other values are returned unchanged; the check that follows
 * rejects them.
 */

/**
 * Converting text to a big integer takes more than linear time, so CPython limits it to 4,300 digits, too. Only the
 * canonical spelling is accepted: no `+`, no `-0`, and no leading zero, which Go would read as octal.
 */
const bigintText = /^(?:0|-?[1-9][0-9]{0,4299})$/;

/** Converts a decimal string or a safe integer to a bigint. */
export function bigintOf(value: unknown): unknown {
  if (typeof value === "string") return bigintText.test(value) ? BigInt(value) : value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** Converts a safe integer to a bigint. `parseInt64Json` returns bigints only for larger integers. */
export function int64Of(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** Converts an integer beyond the precision of numbers to the nearest number. */
export function numberOfBigint(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** Converts `5` to `"5"`. */
export function textOfInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** Converts `1.5` to `"1.5"`. */
export function textOfNumber(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value;
}

/** Converts `true` to `"true"`. */
export function textOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? String(value) : value;
}

const integerText = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Converts `"5"` to `5`. Accepts decimal text without leading zeros. */
export function integerOfText(value: unknown): unknown {
  return typeof value === "string" && integerText.test(value) ? Number(value) : value;
}

/** A number as JSON writes it. The length is limited to keep parsing fast. */
const numberText = /^-?(?:0|[1-9][0-9]{0,99})(?:[.][0-9]{1,100})?(?:[eE][+-]?[0-9]{1,3})?$/;

/** Converts `"1.5"` to `1.5`. */
export function numberOfText(value: unknown): unknown {
  return typeof value === "string" && numberText.test(value) ? Number(value) : value;
}

/** Converts `true` to `1`. */
export function numberOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** Converts `"true"` to `true`. */
export function booleanOfText(value: unknown): unknown {
  return value === "true" ? true : value === "false" ? false : value;
}

/** Converts `1` to `true` and `0` to `false`. */
export function booleanOfNumber(value: unknown): unknown {
  return value === 1 ? true : value === 0 ? false : value;
}

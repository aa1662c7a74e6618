/** Other forms of a value, turned into its own. What fits none of them comes back as it is, for the check that follows to refuse. */

/**
 * The 4,300 digits are the bound that CPython sets for the same reason: turning text into a big integer takes more than linear
 * time. Only the one canonical spelling is read: no `+`, no `-0`, and no leading zero, which Go's reader would take for octal.
 */
const bigintText = /^(?:0|-?[1-9][0-9]{0,4299})$/;

/** A decimal string or a safe integer → bigint. */
export function bigintOf(value: unknown): unknown {
  if (typeof value === "string") return bigintText.test(value) ? BigInt(value) : value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** A safe integer → bigint: what `parseWide` gives for an integer of 64 bits is either. */
export function int64Of(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** An integer with more digits than a number holds → the nearest number. */
export function numberOfBigint(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** `5` → `"5"`, for text that is read from safe integers too. */
export function textOfInteger(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** `1.5` → `"1.5"`. */
export function textOfNumber(value: unknown): unknown {
  return Number.isFinite(value) ? String(value) : value;
}

/** `true` → `"true"`. */
export function textOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? String(value) : value;
}

const integerText = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** `"5"` → `5`; decimal, without leading zeros. */
export function integerOfText(value: unknown): unknown {
  return typeof value === "string" && integerText.test(value) ? Number(value) : value;
}

/** A number as JSON writes it, bounded so that it is read in no time. */
const numberText = /^-?(?:0|[1-9][0-9]{0,99})(?:[.][0-9]{1,100})?(?:[eE][+-]?[0-9]{1,3})?$/;

/** `"1.5"` → `1.5`. */
export function numberOfText(value: unknown): unknown {
  return typeof value === "string" && numberText.test(value) ? Number(value) : value;
}

/** `true` → `1`. */
export function numberOfBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** `"true"` → `true`. */
export function booleanOfText(value: unknown): unknown {
  return value === "true" ? true : value === "false" ? false : value;
}

/** `1` → `true`, `0` → `false`. */
export function booleanOfNumber(value: unknown): unknown {
  return value === 1 ? true : value === 0 ? false : value;
}

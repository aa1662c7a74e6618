import { hasLoneSurrogate } from "../../../generated/runtime/v1/common.ts";
import { uint256Max } from "../../base/uint256.ts";
import { isMoment } from "../records/moment.ts";

/** What the contract cannot say of a value, and the database insists on. Each answers what is wrong. */

const uint256Text = String(uint256Max);

/** Texts of digits: of 78 digits the one that is larger comes later. */
export function faultOfUint256(field: string, value: string | undefined): string | undefined {
  return value !== undefined && value.length === uint256Text.length && value > uint256Text
    ? `/${field}: more than 2^256 - 1`
    : undefined;
}

/** Of fields that are timestamps of the contract: a year 0 and offsets of 16 hours and more are none of Postgres. */
export function faultOfMoments(
  line: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): string | undefined {
  for (const field of fields) {
    const value = line[field];
    if (typeof value !== "string") continue;
    const isPlain = value.endsWith("Z") && !value.startsWith("0000");
    if (!isPlain && !isMoment(value)) return `/${field}: no moment between the years 1 and 9999`;
  }
  return undefined;
}

/** Deepest nesting that is looked at. What is deeper the contract refuses. */
const depthMax = 72;

/**
 * What JSON can say and nothing can keep: NUL, half of a surrogate pair, a key `__proto__`, and a number above 1.8e308, which is
 * `Infinity` here and `null` when it is written again. Returns the place and the reason.
 */
export function faultOfJson(value: unknown, path = "", left: number = depthMax): string | undefined {
  if (typeof value === "string") {
    if (value.includes("\0")) return `${path}: U+0000 cannot be stored`;
    return hasLoneSurrogate(value) ? `${path}: half of a surrogate pair` : undefined;
  }
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : `${path}: a number above 1.8e308; write it as a text`;
  if (typeof value !== "object" || value === null) return undefined;
  if (left === 0) return `${path.slice(0, 64)}…: nested too deeply`;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "__proto__") return `${path}: a key "__proto__"`;
    const fault = faultOfJson(key, `${path}/…`) ?? faultOfJson(inner, `${path}/${key}`, left - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Escapes, which alone can say what must not be in a text; the key that is refused; numbers of many digits or a large exponent. */
const suspicious = /\\u|__proto__|\d[eE]\+?\d\d|\d{300}/;

/** Whether JSON may hold what `faultOfJson` finds: most of it need not be looked through. */
export function mayHoldFault(text: string): boolean {
  return suspicious.test(text);
}

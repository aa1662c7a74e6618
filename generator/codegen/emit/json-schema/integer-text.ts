import type { BigIntegerRange, IntegerRange } from "../../../language/model/core-types.ts";
import type { Constraints } from "../../../language/model/meta/read.ts";
import type { Schema } from "./schema.ts";

const safe = Number.MAX_SAFE_INTEGER;

/**
 * Returns a pattern for decimal text without leading zeros, with as many digits as the range needs: -128…127 →
 * `^(0|-?[1-9][0-9]{0,2})$`.
 */
export function canonicalInteger({ low, high }: IntegerRange | BigIntegerRange): string {
  const digits = Math.max(String(low).replace("-", "").length, String(high).length);
  return `^(0|${low < 0 ? "-?" : ""}[1-9][0-9]{0,${digits - 1}})$`;
}

/**
 * Returns the integers that a string field accepts. JSON Schema cannot apply the field's pattern to numbers, so the range
 * covers only the sign and the number of digits.
 */
export function integerForms({ pattern, maxLength }: Constraints): readonly Schema[] {
  const matches = (text: string): boolean => pattern === undefined || new RegExp(pattern, "u").test(text);
  const maximum = maxLength === undefined || maxLength >= 16 ? safe : 10 ** maxLength - 1;
  return [{ type: "integer", minimum: matches("-1") ? -maximum : 0, maximum }];
}

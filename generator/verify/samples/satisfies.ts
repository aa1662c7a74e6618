import { hasFormat } from "../../language/model/meta/keys.ts";
import type { Constraints } from "../../language/model/meta/read.ts";

/** Whether a value that is no list or object satisfies the constraints of another field of its type. */
export function satisfies(value: unknown, constraints: Constraints): boolean {
  const { minLength = 0, maxLength, pattern, minimum, maximum, normalize, format } = constraints;
  if (typeof value === "string") {
    const isLimited = minimum !== undefined || maximum !== undefined;
    if (isLimited) return /^-?[0-9]+$/.test(value) && satisfies(BigInt(value), constraints);
    const length = [...value].length;
    if (length < minLength || length > (maxLength ?? length)) return false;
    if (normalize === "lowercase" && value !== value.toLowerCase()) return false;
    return (pattern === undefined || new RegExp(pattern, "u").test(value)) && hasFormat(value, format);
  }
  if (typeof value !== "number" && typeof value !== "bigint") return pattern === undefined;
  return (
    (minimum === undefined || value >= Number(minimum)) && (maximum === undefined || value <= Number(maximum))
  );
}

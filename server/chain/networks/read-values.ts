/** What the settings of networks have in common. Each function reports what is wrong `at` a place. */
import { suggest } from "../../../generator/language/diagnostics/suggest.ts";

export function checkKeys(given: object, known: readonly string[], at: string, errors: string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    errors.push(`${at}: unknown key "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
}

/** Returns the address in lower case. */
export function readAddress(value: unknown, at: string, errors: string[]): string | undefined {
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase();
  errors.push(`${at}: expected an address: 0x and 40 hex digits`);
  return undefined;
}

/** Checks an integer with inclusive limits. */
export function isIntegerIn(
  value: unknown,
  [min, max]: readonly [min: number, max: number],
  at: string,
  errors: string[],
): value is number {
  const isValid = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  if (!isValid) errors.push(`${at}: expected an integer from ${min} to ${max}`);
  return isValid;
}

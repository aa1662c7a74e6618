/** Describes values for faults. */

/** Longest description of a value, in UTF-16 units. */
export const descriptionMaxLength = 60;

/** 10^30. Larger bigints are described as `a bigint`. */
const printedBigintLimit = /* @__PURE__ */ BigInt("1000000000000000000000000000000");

/** Describes a value in at most 60 characters: `"0x12…" (66 characters)`, `12`, `a list of 3`, `nothing`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return describeText(value);
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return value > -printedBigintLimit && value < printedBigintLimit ? `${value}n` : "a bigint";
    case "object":
      return Array.isArray(value) ? `a list of ${value.length}` : kindOf(value);
    default:
      return kindOf(value);
  }
}

/** Describes the kind of a value without its content. */
export function kindOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "a boolean";
    case "bigint":
      return "a bigint";
    case "undefined":
      return "nothing";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

function describeText(text: string): string {
  if (text.length <= descriptionMaxLength) {
    const whole = JSON.stringify(text);
    if (whole.length <= descriptionMaxLength) return whole;
  }
  const length = ` (${text.length} characters)`;
  // Escapes take up to six characters, hence the second cut. It may split an escape, which does no harm in text for
  // people.
  const start = JSON.stringify(text.slice(0, descriptionMaxLength)).slice(
    0,
    descriptionMaxLength - length.length - 2,
  );
  return `${start}…"${length}`;
}

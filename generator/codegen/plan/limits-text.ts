import type { Constraints } from "../../language/model/meta/read.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";

type Limits = Pick<
  Constraints,
  "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" | "pattern"
>;

/**
 * Describes the limits of a value: `From 1 to 100.`, `At most 40 characters.` Undefined if there are none. `inherited` has the
 * limits of the type itself, which its own docs describe.
 */
export function limitsText(own: Limits, type: ResolvedType, inherited: Limits = {}): string | undefined {
  const added = <Key extends keyof Limits>(key: Key): Limits[Key] | undefined =>
    own[key] === inherited[key] ? undefined : own[key];
  const pattern = added("pattern");
  const texts = [
    rangeText(added("minimum"), added("maximum")),
    rangeText(added("minLength"), added("maxLength"), ["character", "characters"]),
    rangeText(added("minItems"), added("maxItems"), partsOf(type)),
    // A backtick would end the code.
    ...(pattern === undefined || pattern.includes("`") ? [] : [`Pattern: \`${pattern}\`.`]),
  ].filter((text) => text !== "");
  return texts.length === 0 ? undefined : texts.join(" ");
}

/** Singular and plural. */
type Unit = readonly [one: string, many: string];

function rangeText(low?: number | bigint, high?: number | bigint, unit?: Unit): string {
  if (low === undefined && high === undefined) return "";
  const range =
    low === undefined
      ? `At most ${high}`
      : high === undefined
        ? `At least ${low}`
        : low === high
          ? `Exactly ${low}`
          : `From ${low} to ${high}`;
  const name = unit?.[(high ?? low) === 1 ? 0 : 1];
  return name === undefined ? `${range}.` : `${range} ${name}.`;
}

function partsOf(type: ResolvedType): Unit {
  if (isBytes(type)) return ["byte", "bytes"];
  return type.kind === "map" ? ["entry", "entries"] : ["item", "items"];
}

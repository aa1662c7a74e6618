/** The words for limits in doc comments of generated code. */
import type { Constraints } from "../../language/model/meta/read.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";

type Ranges = Pick<Constraints, "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems">;

type Limits = Ranges & Pick<Constraints, "pattern">;

/**
 * Describes the limits of a value: `From 1 to 100.`, `At most 40 characters.` Undefined if there are none. `inherited` has the
 * limits of the type itself, which its own docs describe.
 */
export function limitsSentences(own: Limits, type: ResolvedType, inherited: Limits = {}): string | undefined {
  const added: Limits = Object.fromEntries(
    Object.entries(own).filter(([key, value]) => inherited[key as keyof Limits] !== value),
  );
  const { pattern } = added;
  const texts = [
    ...rangeTexts(added, type).map((text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`),
    // A backtick would end the code.
    ...(pattern === undefined || pattern.includes("`") ? [] : [`Pattern: \`${pattern}\`.`]),
  ];
  return texts.length === 0 ? undefined : texts.join(" ");
}

/** `from 1 to 100`, `at most 40 characters`. */
export function rangeTexts(limits: Ranges, type: ResolvedType): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = limits;
  return [
    rangeText(minimum, maximum),
    rangeText(minLength, maxLength, ["character", "characters"]),
    rangeText(minItems, maxItems, partsOf(type)),
  ].filter((text) => text !== undefined);
}

/** Singular and plural. */
type Unit = readonly [one: string, many: string];

function rangeText(low?: number | bigint, high?: number | bigint, unit?: Unit): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  const range =
    low === undefined
      ? `at most ${high}`
      : high === undefined
        ? `at least ${low}`
        : low === high
          ? `exactly ${low}`
          : `from ${low} to ${high}`;
  const name = unit?.[(high ?? low) === 1 ? 0 : 1];
  return name === undefined ? range : `${range} ${name}`;
}

function partsOf(type: ResolvedType): Unit {
  if (isBytes(type)) return ["byte", "bytes"];
  return type.kind === "map" ? ["entry", "entries"] : ["item", "items"];
}

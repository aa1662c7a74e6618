import type { Constraints } from "../../language/model/meta/read.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";
import type { Documented } from "./plan.ts";

/**
 * Separates the reason for a deprecation from other docs. `explicitReason` comes from a meta key or an annotation. Any
 * comment can contain a reason: `Deprecated: use GetPet` or `@deprecated use GetPet`.
 */
export function documented(lines: readonly string[], explicitReason?: string): Documented {
  if (explicitReason === undefined && lines.length === 0) return undocumented;
  const isReason = (line: string): boolean => deprecation.test(line);
  const reason = explicitReason ?? lines.find(isReason)?.replace(deprecation, "").trim();
  if (reason === undefined) return { docs: lines };
  return { docs: withoutTrailingBlankLines(lines.filter((line) => !isReason(line))), deprecated: reason };
}

/**
 * Adds the reason for a deprecation. Without a reason, returns the object itself: spreading thousands of objects is slow.
 */
export function withDeprecation<Planned extends object>(
  planned: Planned,
  deprecated: string | undefined,
): Planned & Pick<Documented, "deprecated"> {
  return deprecated === undefined ? planned : { ...planned, deprecated };
}

const undocumented: Documented = { docs: [] };

const deprecation = /^\s*(Deprecated:|@deprecated\b)/;

/** Returns the reason in a meta key; `""` for a deprecation without a reason. */
export function deprecationReason({ deprecated }: Constraints): string | undefined {
  return deprecated === true ? "" : deprecated;
}

/** Removing a deprecation from the last paragraph can leave blank lines. */
function withoutTrailingBlankLines(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/**
 * Adds a sentence to a doc comment: to its last line if it fits, or as a paragraph if the comment does not end with a full stop.
 */
export function withSentence(docs: readonly string[], sentence: string): readonly string[] {
  const last = docs.at(-1)?.trimEnd();
  if (last === undefined) return [sentence];
  if (!last.endsWith(".")) return [...docs, "", sentence];
  const line = `${last} ${sentence}`;
  return line.length <= docsWidth ? [...docs.slice(0, -1), line] : [...docs, sentence];
}

/** Longest line, in characters, to which a sentence is added. */
const docsWidth = 100;

/* The words for limits in doc comments of generated code. */

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
    rangeText(minLength, maxLength, "character"),
    rangeText(minItems, maxItems, partsOf(type)),
  ].filter((text) => text !== undefined);
}

/** The same for the middle of a sentence: ` of 1 to 64 characters`, ` of at most 3 items`, ` from 0 to 1`. Empty without limits. */
export function rangePhrase(low?: number | bigint, high?: number | bigint, unit?: Unit): string {
  const text = rangeText(low, high, unit);
  if (text === undefined) return "";
  if (!text.startsWith("from ")) return ` of ${text}`;
  return unit === undefined ? ` ${text}` : text.replace("from", " of");
}

/** Names of one part, and of several. */
const units = {
  character: "characters",
  byte: "bytes",
  item: "items",
  entry: "entries",
} as const;

type Unit = keyof typeof units;

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
  if (unit === undefined) return range;
  return `${range} ${(high ?? low) === 1 ? unit : units[unit]}`;
}

function partsOf(type: ResolvedType): Unit {
  if (isBytes(type)) return "byte";
  return type.kind === "map" ? "entry" : "item";
}

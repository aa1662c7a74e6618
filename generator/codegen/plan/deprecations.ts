import type { Constraints } from "../../language/model/meta/read.ts";
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

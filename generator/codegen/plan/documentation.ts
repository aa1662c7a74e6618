import type { Constraints } from "../../language/model/meta/read.ts";
import type { Documented } from "./plan.ts";

/**
 * Separates the reason for a deprecation from other docs. Fields and aliases can have it in a meta key, methods in an
 * annotation, and everything in a comment: `Deprecated: use GetPet` or `@deprecated use GetPet`.
 */
export function documented(lines: readonly string[], explicitReason?: string): Documented {
  if (explicitReason === undefined && lines.length === 0) return undocumented;
  const isReason = (line: string): boolean => deprecation.test(line);
  const reason = explicitReason ?? lines.find(isReason)?.replace(deprecation, "").trim();
  if (reason === undefined) return { docs: lines };
  return { docs: withoutTrailingBlankLines(lines.filter((line) => !isReason(line))), deprecated: reason };
}

/**
 * Adds the reason for a deprecation. Without one, returns the same object: there are thousands, and spreading them is slow.
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

/** A deprecation in a paragraph of its own leaves blank lines at the end. */
function withoutTrailingBlankLines(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

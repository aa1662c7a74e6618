import type { Constraints } from "../../language/model/meta/read.ts";
import type { Documented } from "./plan.ts";

/**
 * Separates the reason of a deprecation from other docs. Fields and aliases can have it as a meta line and methods as
 * an annotation. Everything can have it in a comment: `Deprecated: use GetPet` or `@deprecated use GetPet`.
 */
export function documented(lines: readonly string[], explicitReason?: string): Documented {
  if (explicitReason === undefined && lines.length === 0) return undocumented;
  const isReason = (line: string): boolean => deprecation.test(line);
  const reason = explicitReason ?? lines.find(isReason)?.replace(deprecation, "").trim();
  if (reason === undefined) return { docs: lines };
  return { docs: withoutEndBlanks(lines.filter((line) => !isReason(line))), deprecated: reason };
}

/**
 * Adds the reason of a deprecation, if there is one. Other objects are not copied: there are thousands, and spreading
 * objects is slow in V8.
 */
export function withDeprecation<Planned extends object>(
  planned: Planned,
  deprecated: string | undefined,
): Planned & Pick<Documented, "deprecated"> {
  return deprecated === undefined ? planned : { ...planned, deprecated };
}

const undocumented: Documented = { docs: [] };

const deprecation = /^\s*(Deprecated:|@deprecated\b)/;

/** Returns the reason in a meta line; `""` if it has none. */
export function deprecationReason({ deprecated }: Constraints): string | undefined {
  return deprecated === true ? "" : deprecated;
}

/** Removes blank lines at the end, which remain when a deprecation was a paragraph of its own. */
function withoutEndBlanks(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

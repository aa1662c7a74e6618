import type { Constraints } from "../../language/model/meta/read.ts";
import type { Documented } from "./plan.ts";

/**
 * Comments of the schema, with the deprecation in a place of its own. Fields and aliases have a meta line for it and methods an
 * annotation; everything may say it in a comment, as `Deprecated: use GetPet` or `@deprecated use GetPet`.
 */
export function documented(lines: readonly string[], said?: string): Documented {
  if (said === undefined && lines.length === 0) return undocumented;
  const isReason = (line: string): boolean => deprecation.test(line);
  const reason = said ?? lines.find(isReason)?.replace(deprecation, "").trim();
  if (reason === undefined) return { docs: lines };
  return { docs: withoutEndBlanks(lines.filter((line) => !isReason(line))), deprecated: reason };
}

/** Puts in the reason of a deprecation where there is one. Objects that are made by the thousand are spread for nothing else, which V8 is slow at. */
export function withDeprecation<Planned extends object>(
  planned: Planned,
  deprecated: string | undefined,
): Planned & Pick<Documented, "deprecated"> {
  return deprecated === undefined ? planned : { ...planned, deprecated };
}

const undocumented: Documented = { docs: [] };

const deprecation = /^\s*(Deprecated:|@deprecated\b)/;

/** The reason in a meta line; `""` if it gives none. */
export function deprecationReason({ deprecated }: Constraints): string | undefined {
  return deprecated === true ? "" : deprecated;
}

/** A paragraph of its own leaves an empty line behind. */
function withoutEndBlanks(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

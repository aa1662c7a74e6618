/** Parts of the runtime that only some outputs need. */
export type RuntimeFeature = "explorer" | "keys" | "reads";

/** The lines of a runtime source that one of some features needs, between `// @if reads or explorer` and `// @end`. */
const block = /^[ \t]*\/\/ @if (\w+(?: or \w+)*)\n((?:.*\n)*?)[ \t]*\/\/ @end\n/gm;

/** Returns the text of a runtime source for an output that uses these features. */
export function runtimeText(source: string, features: ReadonlySet<RuntimeFeature>): string {
  return source.replace(block, (_block, needing: string, lines: string) =>
    (needing.split(" or ") as RuntimeFeature[]).some((feature) => features.has(feature)) ? lines : "",
  );
}

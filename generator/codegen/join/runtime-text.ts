/** Parts of the runtime that only some schemas need. */
export type RuntimeFeature = "keys" | "reads";

/** The lines of a runtime source that a feature needs, between `// @if reads` and `// @end`. */
const block = /^[ \t]*\/\/ @if (\w+)\n((?:.*\n)*?)[ \t]*\/\/ @end\n/gm;

/** Returns the text of a runtime source for a schema that uses these features. */
export function runtimeText(source: string, features: ReadonlySet<RuntimeFeature>): string {
  return source.replace(block, (_block, feature: RuntimeFeature, lines: string) =>
    features.has(feature) ? lines : "",
  );
}

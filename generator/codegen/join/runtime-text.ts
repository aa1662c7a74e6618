/** The lines of a runtime source that only schemas with reads need, between `// @if reads` and `// @end`. */
const block = /^[ \t]*\/\/ @if reads\n(?:.*\n)*?[ \t]*\/\/ @end\n/gm;
const mark = /^[ \t]*\/\/ @(?:if reads|end)\n/gm;

/** Returns the text of a runtime source for a schema with or without reads. */
export function runtimeText(source: string, hasReads: boolean): string {
  return source.replace(hasReads ? mark : block, "");
}

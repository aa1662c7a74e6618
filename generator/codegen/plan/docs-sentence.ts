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

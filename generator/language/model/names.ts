/**
 * Folds letter case as the reference tool does: character by character, like Go's ToLower. Names with equal results count as the
 * same.
 */
export function foldCase(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  return Array.from(name, (character) => (character === "İ" ? "i" : character.toLowerCase())).join("");
}

/** Whether a name is an identifier in every target language: a letter, then letters, digits and "_". */
export function isIdentifier(name: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9_]*$/.test(name);
}

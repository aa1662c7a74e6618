/** Names that the reference tool takes for the same: letter case does not count. Character by character, as Go's ToLower. */
export function foldCase(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  return Array.from(name, (character) => (character === "İ" ? "i" : character.toLowerCase())).join("");
}

/** What a name must look like to become an identifier in any language: a letter, then letters, digits and "_". */
export function isIdentifier(name: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9_]*$/.test(name);
}

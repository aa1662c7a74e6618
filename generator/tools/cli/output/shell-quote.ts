/** Quotes a word for a POSIX shell, if it needs that: `my folder` → `'my folder'`. */
export function shellQuote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

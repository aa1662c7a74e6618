import type { Random } from "../../support/random.ts";

/** Misspells a word with one or two edits: a letter changed, doubled, dropped, inserted, or swapped with its neighbour. */
export function typo(word: string, random: Random, taken: readonly string[]): string {
  for (;;) {
    let found = word;
    for (let slips = random.chance(70) ? 1 : 2; slips > 0; slips--) found = slip(found, random);
    if (found !== word && /^[A-Za-z][A-Za-z0-9_]*$/.test(found) && !taken.includes(found)) return found;
  }
}

const letters = "abcdefghijklmnopqrstuvwxyz";

function slip(word: string, random: Random): string {
  const at = random.below(word.length);
  const letter = letters[random.below(letters.length)] ?? "";
  const before = word.slice(0, at);
  switch (random.below(5)) {
    case 0:
      return before + letter + word.slice(at + 1);
    case 1:
      return before + letter + word.slice(at);
    case 2:
      return word.length > 2 ? before + word.slice(at + 1) : word + letter;
    case 3:
      return before + (word[at] ?? "") + word.slice(at);
    default:
      return before + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
  }
}

/** Edit distance of two words: letters changed, inserted, dropped or swapped. Ignores case. */
export function distance(from: string, to: string): number {
  const a = from.toLowerCase();
  const b = to.toLowerCase();
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const row = rows[i];
      if (row === undefined) continue;
      if (i === 0 || j === 0) {
        row[j] = i + j;
        continue;
      }
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.length, b.length);
}

/** Whether the original word can be recovered: at most two edits away, and nearer than every other candidate. */
export function isRecoverable(word: string, found: string, among: readonly string[]): boolean {
  const own = distance(found, word);
  return own <= 2 && among.every((other) => other === word || distance(found, other) > own);
}

/** Finds the word for "Did you mean". */

/** The known word that is most similar to a misspelled one. */
export interface Nearest {
  readonly word: string;
  /** Another word at the same distance, so the guess is ambiguous. */
  readonly rival: string | undefined;
  /** Likely enough to offer as an edit: at most two typos in five letters, and no rival. */
  readonly isConfident: boolean;
}

/**
 * Returns the known word that a misspelled word probably stands for: `"Usr"`, `["User", "Pet"]` → `"User"`.
 * Callers for which a wrong guess is worse than no guess pass a low `maxDistance`. The distance is the optimal string alignment
 * distance, ignoring letter case; words that differ only in letter case have distance 0.5.
 */
export function suggest(word: string, options: Iterable<string>, maxDistance?: number): string | undefined {
  return nearest(word, options, maxDistance)?.word;
}

/** Like `suggest`, but reports whether the guess is confident. Words with at least four letters may have two typos. */
export function nearest(word: string, options: Iterable<string>, maxDistance?: number): Nearest | undefined {
  // Any two letters are one typo apart, so for a single letter only the case may differ.
  const confidentDistance = word.length === 1 ? 0.5 : Math.max(1, Math.floor(word.length * 0.4));
  const limit = maxDistance ?? (word.length >= 4 ? Math.max(2, confidentDistance) : confidentDistance);
  let best: string | undefined;
  let rival: string | undefined;
  let bestDistance = limit + 1;
  for (const option of options) {
    if (option === best || Math.abs(option.length - word.length) > Math.min(bestDistance, limit)) continue;
    const distance = distanceWithin(word, option, Math.min(bestDistance, limit));
    if (distance === undefined) continue;
    if (distance < bestDistance) {
      best = option;
      bestDistance = distance;
      rival = undefined;
    } else rival ??= option;
  }
  if (best === undefined) return undefined;
  return { word: best, rival, isConfident: rival === undefined && bestDistance <= confidentDistance };
}

/** Edit distance if it is at most `limit`, else undefined. */
function distanceWithin(from: string, to: string, limit: number): number | undefined {
  if (from === to) return 0;
  const a = from.toLowerCase();
  const b = to.toLowerCase();
  if (a === b) return 0.5;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(value);
      smallest = Math.min(smallest, value);
    }
    if (smallest > limit) return undefined;
    beforeLast = last;
    last = row;
  }
  const distance = last[b.length] ?? 0;
  return distance <= limit ? distance : undefined;
}

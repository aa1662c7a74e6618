/** The option nearest to a misspelt word. */
export interface Nearest {
  readonly word: string;
  /** Another one that is as near, so that nobody can tell which was meant. */
  readonly rival: string | undefined;
  /** Near enough to be written without asking: two faults in five letters, and no rival. */
  readonly isConfident: boolean;
}

/**
 * The option nearest to a misspelt word, if one is near enough to be meant: `"Usr"`, `["User", "Pet"]` → `"User"`.
 * `most` is the largest distance to take, where a wrong guess costs more than none.
 * A change of letter case costs half a fault in all, as does swapping two neighbours (optimal string alignment distance).
 */
export function suggest(word: string, options: Iterable<string>, most?: number): string | undefined {
  return nearest(word, options, most)?.word;
}

/** As `suggest`, with what it takes to judge the guess. Words of four letters and more may have two faults. */
export function nearest(word: string, options: Iterable<string>, most?: number): Nearest | undefined {
  // Every other letter is one fault away from a single one, so that only its case can be wrong.
  const sure = word.length === 1 ? 0.5 : Math.max(1, Math.floor(word.length * 0.4));
  const limit = most ?? (word.length >= 4 ? Math.max(2, sure) : sure);
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
  return { word: best, rival, isConfident: rival === undefined && bestDistance <= sure };
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

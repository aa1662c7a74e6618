/**
 * The option nearest to a misspelt word, if one is near enough to be meant: `"Usr"`, `["User", "Pet"]` → `"User"`.
 * `most` is the largest distance to take, where a wrong guess costs more than none.
 * A change of letter case costs half a fault in all, as does swapping two neighbours (optimal string alignment distance).
 */
export function suggest(word: string, options: Iterable<string>, most?: number): string | undefined {
  // Two faults in five letters: more and the guess is noise.
  const limit = most ?? Math.max(1, Math.floor(word.length * 0.4));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const option of options) {
    if (Math.abs(option.length - word.length) >= bestDistance) continue;
    const distance = distanceWithin(word, option, bestDistance - 1);
    if (distance !== undefined && distance < bestDistance) {
      best = option;
      bestDistance = distance;
    }
  }
  return best;
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

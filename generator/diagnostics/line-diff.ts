/** Lines around a change that are shown with it. */
const contextLines = 2;

/**
 * What changed between two texts, line by line, in the manner of `diff -u`: `  - a: Usr` → `  - a: User` gives
 *
 *     @@ 12
 *      struct Order
 *     -  - a: Usr
 *     +  - a: User
 *      struct User
 *
 * The number is the first line shown, in the text before. Not always the shortest difference, but always a right one.
 */
export function lineDiff(before: string, after: string): string[] {
  const from = before.split("\n");
  const to = after.split("\n");
  const lines: string[] = [];
  const changes = changesOf(from, to);
  let shownUpTo = 0;
  for (const [index, { start, removed, added }] of changes.entries()) {
    const first = Math.max(shownUpTo, start - contextLines);
    if (first > shownUpTo || index === 0) lines.push(`@@ ${first + 1}`);
    lines.push(...marked(" ", from.slice(first, start)), ...marked("-", removed), ...marked("+", added));
    shownUpTo = start + removed.length;
    // What follows is shown by the next change if that is near, and otherwise here.
    const next = changes[index + 1]?.start ?? from.length;
    const after = from.slice(shownUpTo, Math.min(next, shownUpTo + contextLines));
    lines.push(...marked(" ", after));
    shownUpTo += after.length;
  }
  return lines;
}

function marked(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + line);
}

interface Change {
  /** 0-based line in the text before. */
  readonly start: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function changesOf(from: readonly string[], to: readonly string[]): Change[] {
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    if (i < from.length && from[i] === to[j]) {
      i++;
      j++;
      continue;
    }
    const [skip, skipTo] = resync(from, to, i, j);
    changes.push({ start: i, removed: from.slice(i, i + skip), added: to.slice(j, j + skipTo) });
    i += skip;
    j += skipTo;
  }
  return changes;
}

/** Farthest that we look for the next common line; fixes change single lines. */
const maxLook = 50;

/** How many lines to leave on either side until both go on alike. */
function resync(from: readonly string[], to: readonly string[], i: number, j: number): [number, number] {
  for (let sum = 1; sum <= maxLook; sum++) {
    for (let skip = sum; skip >= 0; skip--) {
      const [a, b] = [i + skip, j + sum - skip];
      if (a < from.length && b < to.length && from[a] === to[b]) return [skip, sum - skip];
    }
  }
  return [from.length - i, to.length - j];
}

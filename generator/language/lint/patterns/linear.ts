import { type Pattern, parsePattern, type Range } from "./pattern.ts";

/** Maximum number of paths through a pattern without unbounded repetition. Each path costs one attempt. */
const maxPaths = 10_000;
/** The same for a pattern without "^", which is tried at every character of the input. */
const maxPathsUnanchored = 100;
/** Maximum number of positions of an expanded pattern: twice as many as an address or a hash needs. */
const maxPositions = 300;

/**
 * Whether a pattern certainly matches in linear time: at every character there is only one way to continue, or there are few paths in
 * total. `false` means undecided: most of these patterns are safe too, but need a full check, which takes a thousand times as long.
 */
export function isPlainlyLinear(source: string): boolean {
  const parsed = parsePattern(source);
  if (parsed === undefined) return false;
  const { pattern, isAnchored } = parsed;
  if (pathCount(pattern) <= (isAnchored ? maxPaths : maxPathsUnanchored)) return true;
  return isAnchored && new Positions().isUnambiguous(pattern);
}

/** The number of paths through a pattern, for any text; infinite with unbounded repetition. */
function pathCount(pattern: Pattern): number {
  switch (pattern.kind) {
    case "set":
      return 1;
    case "sequence":
      return pattern.parts.reduce((paths, part) => paths * pathCount(part), 1);
    case "choice":
      return pattern.parts.reduce((paths, part) => paths + pathCount(part), 0);
    case "repeat": {
      const { min, max } = pattern;
      if (max === Number.POSITIVE_INFINITY) return max;
      const paths = pathCount(pattern.part);
      let sum = 0;
      for (let times = min; times <= max && sum <= maxPaths; times++) sum += paths ** times;
      return sum;
    }
  }
}

/** A part of a pattern: the positions that can be first or last in it, and whether it can be empty. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isEmpty: boolean;
}

/**
 * The position automaton of Glushkov ("The abstract theory of automata", 1961). A pattern is unambiguous if the positions that may
 * follow a position have no character in common, and no position follows another in two paths, as in `(a+)+`.
 */
class Positions {
  readonly #sets: (readonly Range[])[] = [];
  readonly #following: number[][] = [];
  /** Whether an empty part is repeated, or the expanded pattern is too long. */
  #isUndecided = false;

  isUnambiguous(pattern: Pattern): boolean {
    const { first } = this.#build(pattern);
    return !this.#isUndecided && [first, ...this.#following].every((list) => this.#areApart(list));
  }

  #build(pattern: Pattern): Part {
    switch (pattern.kind) {
      case "set":
        return this.#position(pattern.ranges);
      case "sequence":
        return pattern.parts.reduce<Part>((left, part) => this.#join(left, this.#build(part)), nothing);
      case "choice": {
        const parts = pattern.parts.map((part) => this.#build(part));
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          isEmpty: parts.some(({ isEmpty }) => isEmpty),
        };
      }
      case "repeat":
        return this.#repeat(pattern.part, pattern.min, pattern.max);
    }
  }

  #position(ranges: readonly Range[]): Part {
    const position = this.#sets.push(ranges) - 1;
    this.#following.push([]);
    if (position >= maxPositions) this.#isUndecided = true;
    return { first: [position], last: [position], isEmpty: false };
  }

  #join(left: Part, right: Part): Part {
    for (const position of left.last) this.#following[position]?.push(...right.first);
    return {
      first: left.isEmpty ? [...left.first, ...right.first] : left.first,
      last: right.isEmpty ? [...left.last, ...right.last] : right.last,
      isEmpty: left.isEmpty && right.isEmpty,
    };
  }

  /** `a{2,4}` → `aa(a(a)?)?`, `a{2,}` → `aa+`. */
  #repeat(pattern: Pattern, min: number, max: number): Part {
    if (this.#isUndecided || max === 0) return nothing;
    const one = this.#build(pattern);
    if (one.isEmpty && max > 1) this.#isUndecided = true;
    if (max === Number.POSITIVE_INFINITY && min <= 1) {
      for (const position of one.last) this.#following[position]?.push(...one.first);
      return { ...one, isEmpty: one.isEmpty || min === 0 };
    }
    const rest = max > 1 ? this.#repeat(pattern, Math.max(0, min - 1), max - 1) : nothing;
    return { ...this.#join(one, rest), isEmpty: one.isEmpty || min === 0 };
  }

  #areApart(positions: readonly number[]): boolean {
    const ranges = positions.flatMap((position) => this.#sets[position] ?? []);
    const sorted = ranges.toSorted(([a], [b]) => a - b);
    return sorted.every(([low], index) => index === 0 || low > (sorted[index - 1] as Range)[1]);
  }
}

const nothing: Part = { first: [], last: [], isEmpty: true };

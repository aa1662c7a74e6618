/** How the matching time grows with the length of the input, and an input that shows it. */
export interface Growth {
  /** `exponential`, or `2nd degree polynomial`. */
  readonly kind: string;
  /** As JavaScript: `'a'.repeat(31) + '\x00'`. */
  readonly attack: string;
}

/** Time limit per pattern in milliseconds. Safe patterns take up to 700. Undecided patterns pass. */
const defaultTimeoutMs = 2_000;

/**
 * The growth of a slow pattern; undefined if the pattern is fast, is invalid, or could not be checked in time. Most patterns are
 * recognized as fast without recheck, which takes 200 ms to load and is imported on first use.
 */
export async function growthOf(
  pattern: string,
  timeoutMs: number = defaultTimeoutMs,
): Promise<Growth | undefined> {
  if (isPlainlyLinear(pattern) || !isPattern(pattern)) return undefined;
  const { default: recheck } = await import("recheck/lib/browser.js");
  const result = recheck.checkSync(pattern, "u", { timeout: timeoutMs });
  if (result.status !== "vulnerable") return undefined;
  return { kind: result.complexity.summary, attack: result.attack.pattern };
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

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

/** Code points from `low` to `high`, inclusive. */
export type Range = readonly [low: number, high: number];

/** A regular expression without assertions and back references. */
export type Pattern =
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly parts: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly part: Pattern; readonly min: number; readonly max: number };

export interface ParsedPattern {
  readonly pattern: Pattern;
  /** Whether it starts with "^". */
  readonly isAnchored: boolean;
}

/**
 * Parses simple regular expressions, with an optional "^" at the start and "$" at the end. Returns undefined for all others, which need a
 * full check.
 */
function parsePattern(source: string): ParsedPattern | undefined {
  const isAnchored = source.startsWith("^");
  const body = source.slice(isAnchored ? 1 : 0, /(?<!\\)\$$/.test(source) ? -1 : undefined);
  const reader = new Reader([...body]);
  const pattern = reader.alternatives();
  // "^a|b" anchors its first branch only.
  const isSplit = pattern?.kind === "choice";
  return pattern === undefined || !reader.isAtEnd || isSplit ? undefined : { pattern, isAnchored };
}

class Reader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#characters.length;
  }

  get #next(): string {
    return this.#characters[this.#at] ?? "";
  }

  #take(text: string): boolean {
    if (this.#next !== text) return false;
    this.#at++;
    return true;
  }

  /** `alternatives = sequence { "|" sequence }`. */
  alternatives(): Pattern | undefined {
    const parts: Pattern[] = [];
    do {
      const part = this.#sequence();
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#take("|"));
    const [only] = parts;
    return parts.length === 1 ? only : { kind: "choice", parts };
  }

  #sequence(): Pattern | undefined {
    const parts: Pattern[] = [];
    while (!this.isAtEnd && this.#next !== "|" && this.#next !== ")") {
      const atom = this.#atom();
      const part = atom && this.#quantified(atom);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return { kind: "sequence", parts };
  }

  #quantified(part: Pattern): Pattern | undefined {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    if (bounds === "malformed") return undefined;
    this.#take("?");
    return { kind: "repeat", part, min: bounds[0], max: bounds[1] };
  }

  #bounds(): readonly [number, number] | "malformed" | undefined {
    if (this.#take("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.#take("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.#take("?")) return [0, 1];
    if (!this.#take("{")) return undefined;
    const end = this.#characters.indexOf("}", this.#at);
    const [, min, comma, max] =
      /^([0-9]+)(,?)([0-9]*)$/.exec(this.#characters.slice(this.#at, end).join("")) ?? [];
    if (min === undefined || end === -1) return "malformed";
    this.#at = end + 1;
    if (comma === "") return [Number(min), Number(min)];
    return [Number(min), max === "" ? Number.POSITIVE_INFINITY : Number(max)];
  }

  /** `atom = "(" [ "?:" ] alternatives ")" | set | "." | character`. */
  #atom(): Pattern | undefined {
    if (this.#take("(")) {
      if (this.#take("?") && !this.#take(":")) return undefined;
      const inner = this.alternatives();
      return this.#take(")") ? inner : undefined;
    }
    if (this.#take("[")) return this.#set();
    if (this.#take("."))
      return {
        kind: "set",
        ranges: inverted([
          [10, 10],
          [13, 13],
          [0x2028, 0x2029],
        ]),
      };
    if ("^$*+?{}]".includes(this.#next)) return undefined;
    const ranges = this.#character();
    return ranges && { kind: "set", ranges };
  }

  #set(): Pattern | undefined {
    const isInverted = this.#take("^");
    const ranges: Range[] = [];
    while (!this.#take("]")) {
      if (this.isAtEnd) return undefined;
      const low = this.#character();
      if (low === undefined) return undefined;
      const isRange = this.#next === "-" && this.#characters[this.#at + 1] !== "]";
      if (!isRange) {
        ranges.push(...low);
        continue;
      }
      this.#at++;
      const high = this.#character();
      const [from, to] = [low[0]?.[0], high?.[0]?.[1]];
      if (low.length !== 1 || high?.length !== 1 || from === undefined || to === undefined) return undefined;
      ranges.push([from, to]);
    }
    return { kind: "set", ranges: isInverted ? inverted(ranges) : ranges };
  }

  /** A character, or a class such as `\d`, which IR JSON can contain but RIDL cannot. */
  #character(): readonly Range[] | undefined {
    const isEscaped = this.#take("\\");
    const character = this.#next;
    const code = character.codePointAt(0);
    if (code === undefined) return undefined;
    this.#at++;
    if (!isEscaped) return [[code, code]];
    if (Object.hasOwn(classes, character)) return classes[character];
    return /[A-Za-z0-9]/.test(character) ? undefined : [[code, code]];
  }
}

const digits: readonly Range[] = [[48, 57]];
const wordCharacters: readonly Range[] = [[48, 57], [65, 90], [95, 95], [97, 122]]; // biome-ignore format: a table
const classes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  D: inverted(digits),
  w: wordCharacters,
  W: inverted(wordCharacters),
};

function inverted(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  let from = 0;
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    if (low > from) result.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= 0x10ffff) result.push([from, 0x10ffff]);
  return result;
}

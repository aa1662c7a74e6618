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
export function parsePattern(source: string): ParsedPattern | undefined {
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

import type { Random } from "./random.ts";

/**
 * Generates a string that probably matches a regular expression: callers check it, because lookarounds and references are not
 * enforced. Texts of positive lookaheads provide characters for the rest. A quantifier without a maximum repeats at most three
 * times more than its minimum.
 */
export function matchingText(pattern: string, random: Random): string {
  const reader = new PatternReader(pattern, random);
  return reader.choices();
}

/** ASCII and a few others. */
const characters = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  "é",
  "ß",
  "😀",
];

class PatternReader {
  readonly #pattern: readonly string[];
  readonly #random: Random;
  /** Characters that lookaheads ask for. */
  readonly #wanted: string[] = [];
  #at = 0;

  constructor(pattern: string, random: Random) {
    this.#pattern = [...pattern];
    this.#random = random;
  }

  /** choices = sequence { "|" sequence } */
  choices(): string {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return this.#random.pick(options);
  }

  #sequence(): string {
    let text = "";
    while (this.#peek() !== undefined && this.#peek() !== "|" && this.#peek() !== ")") text += this.#term();
    return text;
  }

  /** term = atom [ quantifier ]. Parses the atom again for each repetition, so that each makes its own random choices. */
  #term(): string {
    const start = this.#at;
    let text = this.#atom();
    const [min, max] = this.#quantifier();
    const end = this.#at;
    const times = min + this.#random.below(max - min + 1);
    if (times === 0) return "";
    for (let time = 1; time < times; time++) {
      this.#at = start;
      text += this.#atom();
    }
    this.#at = end;
    return text;
  }

  /** Returns the minimum and maximum of repetitions. */
  #quantifier(): readonly [min: number, max: number] {
    const limits = this.#limits();
    // Lazy or not, a quantifier allows the same texts.
    if (limits !== undefined) this.#take("?");
    return limits ?? [1, 1];
  }

  #limits(): readonly [min: number, max: number] | undefined {
    if (this.#take("?")) return [0, 1];
    if (this.#take("*")) return [0, 3];
    if (this.#take("+")) return [1, 4];
    if (!this.#take("{")) return undefined;
    let inner = "";
    while (!this.#take("}")) inner += this.#next();
    const [min = "0", max] = inner.split(",");
    if (max === undefined) return [Number(min), Number(min)];
    return [Number(min), max === "" ? Number(min) + 3 : Number(max)];
  }

  #atom(): string {
    if (this.#take("^") || this.#take("$")) return "";
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#take("\\")) return this.#escape();
    const character = this.#next();
    if (character !== ".") return character;
    return this.#random.pick(["a", "7", this.#wanted.length > 0 ? this.#random.pick(this.#wanted) : "😀"]);
  }

  #group(): string {
    let kind = "";
    if (this.#take("?")) {
      kind = this.#next();
      if (kind === "<") kind += this.#next();
      // The name of a group.
      if (/^<[^=!]/.test(kind)) while (!this.#take(">")) this.#next();
    }
    const text = this.choices();
    this.#at++;
    if (!/[=!]/.test(kind)) return text;
    if (kind === "=") this.#wanted.push(...text);
    return "";
  }

  /** The text of `\\d`, `\\p{L}` or an escaped character, after the backslash. */
  #escape(): string {
    let name = this.#next();
    if (/[bB]/.test(name)) return "";
    if (/[pP]/.test(name)) while (!name.endsWith("}")) name += this.#next();
    return /^[dDsSwW]$|^[pP]/.test(name) ? this.#fromClass(`\\${name}`) : name;
  }

  /** A character of a class in the syntax of regular expressions. */
  #fromClass(source: string): string {
    const matcher = new RegExp(source, "u");
    return this.#random.pick(characters.filter((character) => matcher.test(character)));
  }

  #class(): string {
    const start = this.#at;
    const text = this.#simpleClass();
    const source = this.#pattern.slice(start, this.#at).join("");
    return source.includes("\\") ? this.#fromClass(`[${source}`) : text;
  }

  #simpleClass(): string {
    const isNegated = this.#take("^");
    const letters: string[] = [];
    while (!this.#take("]")) {
      const from = this.#next();
      if (from === "\\") letters.push(this.#next());
      if (this.#peek() !== "-" || this.#pattern[this.#at + 1] === "]") {
        letters.push(from);
        continue;
      }
      this.#at++;
      const to = this.#next().charCodeAt(0);
      for (let code = from.charCodeAt(0); code <= to; code++) letters.push(String.fromCharCode(code));
    }
    if (!isNegated) return this.#random.pick(letters);
    return this.#random.pick(["b", "7", "_", "😀"].filter((letter) => !letters.includes(letter)));
  }

  #peek(): string | undefined {
    return this.#pattern[this.#at];
  }

  #next(): string {
    const letter = this.#pattern[this.#at++];
    if (letter === undefined) throw new Error("the pattern ends too early");
    return letter;
  }

  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at++;
    return true;
  }
}

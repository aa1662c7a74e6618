import type { Random } from "./random.ts";

/**
 * Generates a string that matches a simple regular expression: characters, classes, groups, alternatives, quantifiers and the dot.
 * A quantifier without a maximum repeats at most three times more than its minimum.
 */
export function matchingText(pattern: string, random: Random): string {
  const reader = new PatternReader(pattern, random);
  return reader.choices();
}

class PatternReader {
  readonly #pattern: readonly string[];
  readonly #random: Random;
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
    if (this.#take("?")) return [0, 1];
    if (this.#take("*")) return [0, 3];
    if (this.#take("+")) return [1, 4];
    if (!this.#take("{")) return [1, 1];
    let inner = "";
    while (!this.#take("}")) inner += this.#next();
    const [min = "0", max] = inner.split(",");
    if (max === undefined) return [Number(min), Number(min)];
    return [Number(min), max === "" ? Number(min) + 3 : Number(max)];
  }

  #atom(): string {
    if (this.#take("^") || this.#take("$")) return "";
    if (this.#take("(")) {
      const text = this.choices();
      this.#at++;
      return text;
    }
    if (this.#take("[")) return this.#class();
    if (this.#take("\\")) return this.#next();
    const character = this.#next();
    return character === "." ? this.#random.pick(["a", "7", "😀"]) : character;
  }

  #class(): string {
    const isNegated = this.#take("^");
    const letters: string[] = [];
    while (!this.#take("]")) {
      const from = this.#next();
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

import type { Hex } from "./chain.ts";

interface Shared {
  readonly answer: Promise<Hex>;
  /** Time of `performance.now()` from which it is asked anew. */
  readonly until: number;
}

/** What a chain has answered at its latest block, and what it is being asked. The next block forgets it all. */
export class BlockCache {
  readonly #maxAgeMs: number;
  readonly #most: number;
  #block = "";
  readonly #answers = new Map<string, Shared>();

  /** Answers grow no older than `maxAgeMs`, whatever a node says of blocks; and at most so many are kept. */
  constructor({ maxAgeMs, most }: { readonly maxAgeMs: number; readonly most: number }) {
    this.#maxAgeMs = maxAgeMs;
    this.#most = most;
  }

  /** What was answered to this question at this block, or else what `ask` answers. A failure is not kept. */
  at(block: string, question: string, ask: () => Promise<Hex>): Promise<Hex> {
    if (block !== this.#block) this.#answers.clear();
    this.#block = block;
    const known = this.#answers.get(question);
    if (known !== undefined && known.until > performance.now()) return known.answer;
    return this.#keep(question, ask());
  }

  #keep(question: string, answer: Promise<Hex>): Promise<Hex> {
    const shared = { answer, until: performance.now() + this.#maxAgeMs };
    this.#answers.delete(question);
    this.#answers.set(question, shared);
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > this.#most) this.#answers.delete(oldest);
    answer.catch(() => {
      if (this.#answers.get(question) === shared) this.#answers.delete(question);
    });
    return answer;
  }
}

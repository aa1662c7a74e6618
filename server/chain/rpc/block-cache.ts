import type { Hex } from "./chain.ts";

interface Entry {
  readonly result: Promise<Hex>;
  /** Time of `performance.now()` at which the entry expires. */
  readonly until: number;
}

/** Caches call results of the latest block, including those still in flight. A new block clears the cache. */
export class BlockCache {
  readonly #maxAgeMs: number;
  readonly #maxEntries: number;
  #block = "";
  readonly #entries = new Map<string, Entry>();

  /** Entries expire after `maxAgeMs`, even if a node reports no new block. The oldest entry beyond `maxEntries` is removed. */
  constructor({ maxAgeMs, maxEntries }: { readonly maxAgeMs: number; readonly maxEntries: number }) {
    this.#maxAgeMs = maxAgeMs;
    this.#maxEntries = maxEntries;
  }

  /** Returns the cached result for this key and block, or else the result of `load`. Failures are not cached. */
  get(block: string, key: string, load: () => Promise<Hex>): Promise<Hex> {
    if (block !== this.#block) this.#entries.clear();
    this.#block = block;
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > performance.now()) return known.result;
    return this.#store(key, load());
  }

  #store(key: string, result: Promise<Hex>): Promise<Hex> {
    const entry = { result, until: performance.now() + this.#maxAgeMs };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > this.#maxEntries) this.#entries.delete(oldest);
    result.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return result;
  }
}

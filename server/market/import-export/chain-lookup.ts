import type { Networks } from "../../chain/networks/networks.ts";

/** Chain ids by the names in lines, cached: lines of a file name few chains, many times. */
export class ChainLookup {
  readonly #networks: Networks;
  readonly #cache = new Map<string, number | undefined>();

  constructor(networks: Networks) {
    this.#networks = networks;
  }

  /** Undefined if this host does not serve the chain. */
  find(name: string): number | undefined {
    if (!this.#cache.has(name)) {
      // Bounds the cache for files of random names.
      if (this.#cache.size > 10_000) this.#cache.clear();
      this.#cache.set(name, this.#networks.find(name)?.chainId);
    }
    return this.#cache.get(name);
  }
}

export function chainNotServed(name: string): string {
  return `/chainId: this host does not serve "${name}"; add it to its networks`;
}

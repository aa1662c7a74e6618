import type { Networks } from "../../chain/networks/networks.ts";

/** Chain ids by what lines call them. Lines of a file name few chains, many times. */
export class ChainNames {
  readonly #networks: Networks;
  readonly #found = new Map<string, number | undefined>();

  constructor(networks: Networks) {
    this.#networks = networks;
  }

  /** Undefined: a chain that this host does not serve. */
  find(name: string): number | undefined {
    if (!this.#found.has(name)) {
      // A file of made-up names does not fill the memory.
      if (this.#found.size > 10_000) this.#found.clear();
      this.#found.set(name, this.#networks.find(name)?.chainId);
    }
    return this.#found.get(name);
  }
}

export function notServed(name: string): string {
  return `/chainId: this host does not serve "${name}"; add it to its networks`;
}

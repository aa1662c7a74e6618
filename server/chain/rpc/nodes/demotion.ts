/** Demotion of nodes: while it lasts, a node is asked after the others. A node is never left out, because it may be the last one. */

/** How long a node stays demoted, in milliseconds, by what it did. */
export const demotionMs = {
  lacksBlock: 1_000,
  refused: 1_000,
  failed: 15_000,
  invalidResponse: 60_000,
  /** Most other nodes report other blocks. */
  outvoted: 60_000,
  /** It lacks blocks that another node has had for a while. */
  lags: 60_000,
  wrongChain: 300_000,
} as const;

/** The demotion of a node for one part of the host, such as the follower of a chain or the calls of users. */
export class Demotion {
  #until = 0;

  /** A time of `performance.now()`. */
  get until(): number {
    return this.#until;
  }

  get isActive(): boolean {
    return this.#until > performance.now();
  }

  /** Returns whether the node was not demoted before. */
  start(ms: number): boolean {
    const isNew = !this.isActive;
    this.#until = performance.now() + ms;
    return isNew;
  }

  /** The node has returned a valid response. */
  end(): void {
    this.#until = 0;
  }
}

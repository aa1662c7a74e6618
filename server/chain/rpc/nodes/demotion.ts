/** Demotion of nodes: while it lasts, a node is asked after the others. A node is never left out, because it may be the last one. */

/** How long a node stays demoted, in milliseconds, by what it did. */
export const demotionMs = {
  lacksBlock: 1_000,
  refused: 1_000,
  failed: 15_000,
  invalidResponse: 60_000,
  /** Most other nodes report other blocks. */
  outvoted: 60_000,
  wrongChain: 300_000,
  /** A response contradicts a hash. */
  lied: 3_600_000,
} as const;

/** The demotion of a node that lied. All parts of the host share it, and valid responses do not end it. */
export class LieDemotion {
  readonly #onStart: (reason: string) => void;
  #until = 0;

  /** `onStart` is not called again while the demotion lasts. */
  constructor(onStart: (reason: string) => void) {
    this.#onStart = onStart;
  }

  /** A time of `performance.now()`. */
  get until(): number {
    return this.#until;
  }

  start(reason: string): void {
    const now = performance.now();
    if (this.#until > now) return;
    this.#until = now + demotionMs.lied;
    this.#onStart(reason);
  }
}

/** The demotion of a node for one part of the host, such as the follower of a chain or the calls of users. */
export class Demotion {
  readonly #lie: LieDemotion;
  #until = 0;

  constructor(lie: LieDemotion) {
    this.#lie = lie;
  }

  /** A time of `performance.now()`. */
  get until(): number {
    return Math.max(this.#until, this.#lie.until);
  }

  get isActive(): boolean {
    return this.until > performance.now();
  }

  /** Returns whether the node was not demoted before. */
  start(ms: number): boolean {
    const isNew = !this.isActive;
    this.#until = performance.now() + ms;
    return isNew;
  }

  /** For all parts of the host. */
  startForLie(reason: string): void {
    this.#lie.start(reason);
  }

  /** The node has returned a valid response. */
  end(): void {
    this.#until = 0;
  }
}

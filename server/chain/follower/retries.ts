import { BlockNotFound } from "./source.ts";

/** First and longest delay after a failure, in milliseconds. The delay doubles with each failure. */
const delayMs = { first: 500, longest: 3_000 } as const;

/**
 * The same while a block that the nodes announced is missing: they will have it in a moment. After `briefMs`, a missing block is a failure
 * like any other.
 */
const missingMs = { first: 10, longest: 500 } as const;
const briefMs = 5_000;

export interface Retry {
  readonly delayMs: number;
  readonly isReported: boolean;
}

/** When a follower tries again after failures, and which of them it reports. */
export class Retries {
  #failures = 0;
  #missing: { count: number; readonly sinceMs: number } | undefined;

  /** Call this after a success: the next delay is the first one. */
  reset(): void {
    this.#failures = 0;
    this.#missing = undefined;
  }

  failed(err: unknown): Retry {
    if (err instanceof BlockNotFound) {
      const now = performance.now();
      this.#missing ??= { count: 0, sinceMs: now };
      if (now - this.#missing.sinceMs < briefMs)
        return { delayMs: delayOf(missingMs, this.#missing.count++), isReported: false };
    }
    return { delayMs: delayOf(delayMs, this.#failures++), isReported: true };
  }
}

function delayOf(
  { first, longest }: { readonly first: number; readonly longest: number },
  count: number,
): number {
  return Math.min(longest, first * 2 ** count);
}

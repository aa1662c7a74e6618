import { nodeLimits } from "../node-limits.ts";
import { ErrorResponse, NodeFault } from "./faults.ts";

const { rememberMs, unclearFailures } = nodeLimits.batches;

/**
 * How many calls of one HTTP request a node takes. Some take single calls only, and say so in many ways: with one error in place of
 * a list, an error for each call, an HTTP status, a page, or nothing.
 */
export class BatchSizes {
  #limit = Number.POSITIVE_INFINITY;
  #limitedUntil = 0;
  #rememberMs: number = rememberMs.first;
  #unclear = 0;
  /** Whether the limit was learned from failures that may have another reason. */
  #isGuess = false;

  get limit(): number {
    return performance.now() < this.#limitedUntil ? this.#limit : Number.POSITIVE_INFINITY;
  }

  answered(size: number): void {
    if (size > this.#limit) this.#rememberMs = rememberMs.first;
    this.#unclear = 0;
  }

  /** The size in which to send the calls of a batch that failed as a whole. It is the same size if the node seems to be down. */
  partAfter(size: number, failure: unknown): number {
    const isUnclear =
      failure instanceof NodeFault && !(failure instanceof ErrorResponse && failure.isAboutRequest);
    if (isUnclear && ++this.#unclear % unclearFailures !== 0) return size;
    this.#isGuess = isUnclear;
    return isUnclear ? 1 : Math.ceil(size / 2);
  }

  /** A batch within the limit did not get a response, so the limit may not be the node's. */
  failedWithinLimit(): void {
    if (this.#isGuess) this.#limitedUntil = 0;
  }

  /** A larger batch failed as a whole, and all of its calls were answered in batches of this size. */
  lower(size: number): void {
    const isRemembered = performance.now() < this.#limitedUntil;
    this.#limit = isRemembered ? Math.min(this.#limit, size) : size;
    if (isRemembered) return;
    this.#limitedUntil = performance.now() + this.#rememberMs;
    this.#rememberMs = Math.min(2 * this.#rememberMs, rememberMs.most);
  }
}

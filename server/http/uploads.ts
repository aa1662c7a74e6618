import { uploadsMaxBytes } from "./limits.ts";

/** Bytes that large bodies may make us hold while they arrive. A body that does not say its size counts as the largest. */
export class Uploads {
  readonly #largest: number;
  #bytes = 0;

  constructor(bodyMaxBytes: number) {
    this.#largest = bodyMaxBytes;
  }

  admits(bytes: number): boolean {
    return bytes === 0 || this.#bytes + this.#held(bytes) <= uploadsMaxBytes;
  }

  begin(bytes: number): void {
    this.#bytes += this.#held(bytes);
  }

  end(bytes: number): void {
    this.#bytes -= this.#held(bytes);
  }

  /** Of a body that announces more than is read, nothing is. */
  #held(bytes: number): number {
    return Number.isFinite(bytes) && bytes > this.#largest ? 0 : Math.min(bytes, this.#largest);
  }
}

import { inNextTurn, sleep } from "./time.ts";

/** Parsing or serializing a body of this length takes about a millisecond. In UTF-16 units. */
export const largeMinLength: number = 256 * 1024;

/**
 * Parses and prints large bodies one after the other, with pauses for other calls. A small call needs several turns of the
 * event loop, and would otherwise wait for a large body in each.
 */
export class LargeWork {
  /** Calls that have begun and not ended. */
  openCalls = 0;
  #waiting = 0;
  #endedAt = 0;
  #tookMs = 0;

  /** Each call waits by itself: some platforms stop the timers of a call that has ended. */
  async run(work: () => void): Promise<void> {
    this.#waiting++;
    await new Promise<void>((resolve) => inNextTurn(resolve));
    for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs()) {
      await sleep(ms, undefined);
      // Expired timers run before calls that have arrived.
      await new Promise<void>((resolve) => inNextTurn(resolve));
    }
    this.#waiting--;
    const startedAt = performance.now();
    work();
    this.#endedAt = performance.now();
    this.#tookMs = this.#endedAt - startedAt;
  }

  /** Pauses after a body of this length that did not wait: its method had small responses before. */
  pauseAfter(length: number): void {
    this.#endedAt = performance.now();
    this.#tookMs = length / largeMinLength;
  }

  /** How long to wait from now on: as long as the last body took if other calls are open. */
  #pauseMs(): number {
    const areOthersOpen = this.openCalls > this.#waiting;
    return this.#endedAt + (areOthersOpen ? this.#tookMs : 1) - performance.now();
  }
}

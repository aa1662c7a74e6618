export interface RefusalCounts {
  readonly refused: number;
  readonly sent: number;
  /** Of the last refusal, in the words of the provider, without keys. */
  readonly reason: string;
}

const windowMs = 60_000;

/** Share of refused requests above which a minute is reported. Below it, retries hide the refusals from callers. */
const maxShare = 0.03;

/** Reports each minute in which a node refused more than 3 % of its requests. The minute starts with a request. */
export class RefusalRate {
  readonly #report: (counts: RefusalCounts) => void;
  #since = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #refused = 0;
  #reason = "";

  constructor(report: (counts: RefusalCounts) => void) {
    this.#report = report;
  }

  sent(): void {
    if (performance.now() - this.#since >= windowMs) {
      this.#since = performance.now();
      this.#sent = 0;
      this.#refused = 0;
    }
    this.#sent++;
  }

  refused(reason: string): void {
    this.#reason = reason;
    this.#refused++;
    if (this.#refused > 1) return;
    // Reported at the end of the minute: after a single request, any refusal would be 100 %.
    const restMs = Math.max(0, this.#since + windowMs - performance.now());
    setTimeout(() => this.#end(), restMs).unref();
  }

  #end(): void {
    const [refused, sent, reason] = [this.#refused, this.#sent, this.#reason];
    this.#since = Number.NEGATIVE_INFINITY;
    if (refused > sent * maxShare) this.#report({ refused, sent, reason });
  }
}

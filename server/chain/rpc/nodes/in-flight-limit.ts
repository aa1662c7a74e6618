/** How many questions may be under way at nodes that slow down under load. */

/** Answers within so many times the shortest one mean that no queue stands at the node. */
const unhurriedTimes = 2;
/** Below this, in milliseconds, a difference is the network's and the thread's, and no queue's. */
const noticedMs = 20;
/** How long the shortest answer is remembered at least, in milliseconds; a node that has become slower is not held to its past. */
const memoryMs = 10_000;
/** How often the limit is thought over, in milliseconds, and in shortest answers, so that what it was changed to is seen. */
const windowMs = 100;
const windowAnswers = 2;
/** What a standing queue leaves of the limit, and what one that is reached without a queue makes of it. */
const cut = 0.7;
const growth = 1.1;
/** What is left of the limit when a memory ends: were the queue to stand all the time, it would be taken for the distance (BBR's ProbeRTT). */
const probe = 0.5;

/**
 * A node that is asked for more than it carries lets everybody wait, and tells nobody. The sign is a queue that stands (CoDel, RFC 8289,
 * and TCP Vegas for the shortest time of late as the measure): for a while even the quickest answer takes longer than answers have to.
 * Questions that are slow by themselves do not make it. Then fewer may be under way, and more again when none waits; what comes besides
 * is refused at once.
 */
export class InFlightLimit {
  readonly #least: number;
  #limit = Number.POSITIVE_INFINITY;
  #underWay = 0;
  #window = newWindow(Number.NEGATIVE_INFINITY);
  /** Of this memory and of the one before. */
  #shortest = { newerMs: Number.POSITIVE_INFINITY, olderMs: Number.POSITIVE_INFINITY, since: 0 };

  /** At least so many are let through, however slow the answers. */
  constructor(least: number) {
    this.#least = least;
  }

  /** Whether one more may be asked. Each that is must be followed by `ended`. */
  admits(): boolean {
    this.#window.mostUnderWay = Math.max(this.#window.mostUnderWay, this.#underWay + 1);
    if (this.#underWay >= this.#limit) return false;
    this.#underWay++;
    return true;
  }

  ended(): void {
    this.#underWay--;
  }

  /** A node took so long for an answer, in milliseconds. */
  record(tookMs: number, nowMs: number = performance.now()): void {
    const shortestMs = this.#shortestWith(tookMs, nowMs);
    const window = this.#window;
    window.quickestMs = Math.min(window.quickestMs, tookMs);
    if (nowMs - window.startedAt < Math.max(windowMs, shortestMs * windowAnswers)) return;
    this.#window = newWindow(nowMs);
    // Few questions that took long are slow by themselves.
    if (window.mostUnderWay <= this.#least) return;
    if (window.quickestMs > Math.max(shortestMs * unhurriedTimes, shortestMs + noticedMs))
      this.#limit = Math.max(this.#least, Math.min(this.#limit, window.mostUnderWay) * cut);
    else if (window.mostUnderWay > this.#limit) this.#limit *= growth;
  }

  #shortestWith(tookMs: number, nowMs: number): number {
    const { newerMs, olderMs, since } = this.#shortest;
    if (nowMs - since > memoryMs) {
      this.#shortest = { newerMs: tookMs, olderMs: newerMs, since: nowMs };
      if (this.#window.mostUnderWay > this.#limit) this.#limit = Math.max(this.#least, this.#limit * probe);
    } else this.#shortest = { newerMs: Math.min(newerMs, tookMs), olderMs, since };
    return Math.min(newerMs, olderMs, tookMs);
  }
}

interface Window {
  readonly startedAt: number;
  quickestMs: number;
  /** One more than the limit where somebody was refused. */
  mostUnderWay: number;
}

function newWindow(startedAt: number): Window {
  return { startedAt, quickestMs: Number.POSITIVE_INFINITY, mostUnderWay: 0 };
}

import type { PageEnd } from "./collectible-sort.ts";

/**
 * Where pages ended that were served lately. The next page of the same list goes on from there, so that orders that come and go in
 * front of it neither repeat an entry nor skip one. What is not remembered, after a while or on another replica, is counted off.
 */
export class PageEnds {
  readonly #kept = new Map<string, { readonly end: PageEnd; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `list` is everything that makes a list what it is, its caller included. */
  note(list: string, page: number, end: PageEnd | undefined): void {
    const key = `${page} ${list}`;
    this.#kept.delete(key);
    if (end === undefined) return;
    this.#kept.set(key, { end, until: this.#now() + keptMs });
    if (this.#kept.size > keptMax)
      for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }

  endOf(list: string, page: number): PageEnd | undefined {
    const known = this.#kept.get(`${page} ${list}`);
    return known === undefined || known.until < this.#now() ? undefined : known.end;
  }
}

/** Longer than people look at a page before they go on. */
const keptMs = 300_000;

/** Half a kilobyte each. */
const keptMax = 20_000;

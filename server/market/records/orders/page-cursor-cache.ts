import type { PageCursor } from "./collectible-sort.ts";

/**
 * Remembers the last entry of recently served pages. The next page continues from there, so that orders added or removed on earlier pages
 * neither repeat nor skip an entry. Pages that are not cached, because of their age or on another replica, are found by offset.
 */
export class PageCursorCache {
  readonly #entries = new Map<string, { readonly cursor: PageCursor; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `list` identifies the list: all of its parameters, and its caller. An undefined cursor marks the last page. */
  set(list: string, page: number, cursor: PageCursor | undefined): void {
    const key = `${page} ${list}`;
    this.#entries.delete(key);
    if (cursor === undefined) return;
    this.#entries.set(key, { cursor, until: this.#now() + maxAgeMs });
    if (this.#entries.size > maxEntries)
      for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }

  get(list: string, page: number): PageCursor | undefined {
    const entry = this.#entries.get(`${page} ${list}`);
    return entry === undefined || entry.until < this.#now() ? undefined : entry.cursor;
  }
}

/** Longer than people stay on a page. */
const maxAgeMs = 300_000;

/** Each takes half a kilobyte. */
const maxEntries = 20_000;

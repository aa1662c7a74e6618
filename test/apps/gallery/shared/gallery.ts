/** What the servers of all apps do: photos with unique titles, and comments of visitors. In memory. */

export interface Photo {
  readonly id: number;
  readonly title: string;
  readonly priceCents: number;
  /** Such as 2026-01-31. */
  readonly takenOn: string;
  /** 0: it has no image yet. */
  readonly imageBytes: number;
}

export interface Comment {
  /** Counts up from 1. */
  readonly id: number;
  readonly text: string;
}

export const imageMaxBytes = 100_000;

export class Gallery {
  readonly #photos = new Map<number, Photo>();
  readonly #comments: Comment[] = [];
  /** Wakes the readers of comments. */
  readonly #arrivals = new EventTarget();

  /** The photos with an id above `after`, and the `after` of the next page, if there is one. */
  page(limit: number, after = 0): { photos: Photo[]; next?: number } {
    const rest = [...this.#photos.values()].filter(({ id }) => id > after);
    const photos = rest.slice(0, limit);
    return rest.length > limit ? { photos, next: photos.at(-1)?.id } : { photos };
  }

  find(id: number): Photo | undefined {
    return this.#photos.get(id);
  }

  titled(title: string): Photo | undefined {
    return [...this.#photos.values()].find((photo) => photo.title === title);
  }

  add(photo: Pick<Photo, "title" | "priceCents" | "takenOn">): Photo {
    return this.save({ ...photo, id: this.#photos.size + 1, imageBytes: 0 });
  }

  save(photo: Photo): Photo {
    this.#photos.set(photo.id, photo);
    return photo;
  }

  comment(text: string): void {
    this.#comments.push({ id: this.#comments.length + 1, text });
    this.#arrivals.dispatchEvent(new Event("comment"));
  }

  /** The comments after the one with this id, and those that arrive until the signal aborts. */
  async *comments(after: number, signal: AbortSignal | undefined): AsyncGenerator<Comment, void, undefined> {
    for (let next = after; !signal?.aborted; ) {
      const comment = this.#comments[next];
      if (comment) {
        next = comment.id;
        yield comment;
      } else await this.#arrival(signal);
    }
  }

  #arrival(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#arrivals.addEventListener("comment", () => resolve(), { once: true });
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

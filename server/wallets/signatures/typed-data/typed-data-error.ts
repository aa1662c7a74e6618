/** Typed data that means nothing: the message says what and where, and may be shown to the caller. */
export class TypedDataError extends Error {
  override readonly name = "TypedDataError";
  readonly #complaint: string;
  readonly #place: string;

  /** `place` is where, seen from the value that is being read: `[2].wallet`. */
  constructor(complaint: string, place = "") {
    super(`${place}: ${complaint}`);
    this.#complaint = complaint;
    this.#place = place;
  }

  /** The same error seen from one level further out. Places are put together only when something is wrong. */
  within(place: string): TypedDataError {
    return new TypedDataError(this.#complaint, `${place}${this.#place}`);
  }
}

/** Runs `encode`; what it complains of is inside of `place`. */
export function inside<Value>(place: string, encode: () => Value): Value {
  try {
    return encode();
  } catch (err) {
    throw err instanceof TypedDataError ? err.within(place) : err;
  }
}

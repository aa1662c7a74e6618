/** Invalid typed data. The message says what is wrong and where, and may be shown to the caller. */
export class TypedDataError extends Error {
  override readonly name = "TypedDataError";
  readonly #reason: string;
  readonly #path: string;

  /** `path` is the location relative to the value that is being read: `[2].wallet`. */
  constructor(reason: string, path = "") {
    super(`${path}: ${reason}`);
    this.#reason = reason;
    this.#path = path;
  }

  /** Returns the error with `path` in front of its location. Locations are built only when an error occurs. */
  within(path: string): TypedDataError {
    return new TypedDataError(this.#reason, `${path}${this.#path}`);
  }
}

/** Runs `encode`, and adds `path` in front of the location of its errors. */
export function withPath<Value>(path: string, encode: () => Value): Value {
  try {
    return encode();
  } catch (err) {
    throw err instanceof TypedDataError ? err.within(path) : err;
  }
}

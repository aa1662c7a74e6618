/** Typed data that means nothing: the message says what and where, and may be shown to the caller. */
export class TypedDataError extends Error {
  override readonly name = "TypedDataError";
}

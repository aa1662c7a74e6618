/**
 * The swap is invalid or cannot be executed as requested. The message names the reason, and may be shown to the caller.
 */
export class SwapRejection extends Error {
  override readonly name = "SwapRejection";
}

/** The network has no exchange that the host knows. */
export class NoExchanges extends Error {
  override readonly name = "NoExchanges";
}

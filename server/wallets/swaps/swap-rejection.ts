/**
 * The swap is invalid or cannot be executed as requested. The message names the currency and the reason, and may be shown to the caller.
 */
export class SwapRejection extends Error {
  override readonly name = "SwapRejection";
}

export class NoExchanges extends Error {
  override readonly name = "NoExchanges";
}

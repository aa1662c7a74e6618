/** A swap that means nothing or that would not do what it says. The message says which currency and why, and may be shown to the caller. */
export class SwapRefusal extends Error {
  override readonly name = "SwapRefusal";
}

/** The operator has configured nowhere to swap on this network. */
export class NoSwaps extends Error {
  override readonly name = "NoSwaps";
}

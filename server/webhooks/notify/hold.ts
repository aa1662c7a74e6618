import type { Delivery, Timing } from "../listener.ts";

/** What a notification waits for before it is sent. */
export interface Hold {
  readonly delivery: Delivery;
  /** With `head`, the block that completes the confirmations. Otherwise the event's block, which must become safe or final. */
  readonly block: number;
}

/** Returns undefined if an event of this block is sent at once. */
export function holdOf({ delivery, confirmations }: Timing, block: number, head: number): Hold | undefined {
  if (delivery !== "head") return { delivery, block };
  const last = block + confirmations - 1;
  return last <= head ? undefined : { delivery, block: last };
}

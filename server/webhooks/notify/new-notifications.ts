/** What is stored for the events of new blocks. */
import type { BatchedEvent } from "./batches.ts";
import type { Hold } from "./hold.ts";

export interface Recipient {
  readonly listenerId: number;
  readonly hold: Hold | undefined;
}

export interface NewEvent extends BatchedEvent {
  readonly recipients: readonly Recipient[];
}

export interface NewNotifications {
  readonly events: readonly NewEvent[];
  readonly lastBlock: number;
  /** The newest block of the chain. */
  readonly head: number;
}

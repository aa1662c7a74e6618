/** What is stored for the events of new blocks. */
import type { Delivery } from "../listener.ts";
import type { BatchedEvent } from "./batches.ts";

export interface Recipient {
  readonly listenerId: number;
  readonly delivery: Delivery;
}

export interface NewEvent extends BatchedEvent {
  readonly recipients: readonly Recipient[];
}

export interface NewNotifications {
  readonly events: readonly NewEvent[];
  readonly lastBlock: number;
}

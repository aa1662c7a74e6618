import type { ContractEvent } from "../../chain/events/contract-event.ts";
import type { Timing } from "../listener.ts";
import type { ArgumentLayout } from "./arguments.ts";

export interface SubscribedEvent {
  readonly event: ContractEvent;
  readonly layout: ArgumentLayout;
}

/** A listener's filters, compiled for matching. */
export interface Subscription extends Timing {
  readonly listenerId: number;
  /** The host of the listener's URL. */
  readonly host: string;
  readonly addresses: readonly string[];
  /**
   * The events that can match: without anonymous events, and without events that the topic hashes exclude. One for each topic
   * and choice of indexed arguments.
   */
  readonly events: readonly SubscribedEvent[];
  /** Undefined: any account. */
  readonly accounts: readonly string[] | undefined;
  /** Words of 32 bytes in hex, without `0x`. Undefined: any token. */
  readonly tokens: readonly string[] | undefined;
}

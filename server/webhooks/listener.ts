/** Longest text of an event, in characters, as the schema's `EventSignature` declares. */
export const maxEventTextLength = 1_024;

/** Which logs a listener receives. A log must match every filter that is set, by any of its values. */
export interface Filters {
  /** Lower case, like all hex in this module. */
  readonly contractAddresses: readonly string[];
  /** Solidity declarations, with normalized blanks. */
  readonly events: readonly string[];
  /** Decimal. */
  readonly tokenIDs?: readonly string[];
  readonly accounts?: readonly string[];
  readonly topicHashes?: readonly string[];
}

export type Format = "object" | "array";

/** When notifications are sent: with the block, or when the nodes consider the block safe or final. */
export type Delivery = "head" | "safe" | "finalized";

/** When the notifications of a listener are sent. */
export interface Timing {
  readonly delivery: Delivery;
  /** Number of blocks that confirm an event, its own block included. Only counts with the delivery `head`. */
  readonly confirmations: number;
}

/** Why a listener is paused: by its owner; by the platform, because its receiver keeps failing; or because its receiver responded 410. */
export type PauseReason = "owner" | "failing" | "gone";

/** The past blocks of a listener, while they are read. */
export interface Past {
  /** As registered. */
  readonly fromBlock: number;
  /** The first block that was not read yet. */
  readonly nextBlock: number;
  /** The newest block that the host has followed, or `nextBlock` if that is higher. */
  readonly toBlock: number;
}

export interface Listener extends Timing {
  readonly id: number;
  readonly projectId: number;
  readonly chainId: number;
  readonly url: string;
  readonly name: string;
  readonly format: Format;
  readonly filters: Filters;
  readonly pauseReason: PauseReason | undefined;
  /** Undefined: the listener gets new blocks. */
  readonly past: Past | undefined;
  /** RFC 3339, UTC. */
  readonly updatedAt: string;
}

/* SQL conditions on `webhook_listener as listener`. */

/** Whether events are stored for the listener. A failing receiver gets them later. Other pauses (owner, 410, a disabled project) stop storing. */
export const isNotified =
  "(not listener.is_disabled and (listener.pause_reason is null or listener.pause_reason = 'failing'))";

/** Whether the receiver may be called now. A failing one is probed at `probe_at`. Needs a join with `webhook_health as health`. */
export const mayBeCalled =
  "(not listener.is_disabled and (listener.pause_reason is null or (listener.pause_reason = 'failing' and coalesce(health.probe_at, now()) <= now())))";

/** The secret from before a rotation, while deliveries are still signed with it. */
export const validPreviousSecret =
  "case when listener.previous_secret_until > now() then listener.previous_secret end";

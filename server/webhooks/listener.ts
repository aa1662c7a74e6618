/** Longest text of an event, in characters: `EventSignature` of the schema. */
export const eventTextMax = 1_024;

/** Which logs a listener wants. Kinds are AND-ed, the values of one OR-ed; a kind that is left out passes all. */
export interface Filters {
  /** Lower case, as all hex here. */
  readonly contractAddresses: readonly string[];
  /** As Solidity declares them, blanks normalised. */
  readonly events: readonly string[];
  /** Decimal. */
  readonly tokenIDs?: readonly string[];
  readonly accounts?: readonly string[];
  readonly topicHashes?: readonly string[];
}

export type Format = "object" | "array";

/** Why a listener is not active; `gone`: its receiver answered 410. */
export type PauseReason = "owner" | "failing" | "gone";

/** A registered webhook, without its secret. */
export interface Listener {
  readonly id: number;
  readonly projectId: number;
  readonly chainId: number;
  readonly url: string;
  readonly name: string;
  readonly format: Format;
  readonly filters: Filters;
  /** Undefined: it is active. */
  readonly pauseReason: PauseReason | undefined;
  /** RFC 3339, UTC. */
  readonly updatedAt: string;
}

/** Why listeners cannot be as their owner wants them, in words for him. */
export class ListenerRefusal extends Error {
  override readonly name = "ListenerRefusal";
}

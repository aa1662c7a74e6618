/**
 * Everything that the sandbox's page shows. If a part changes, the whole part is sent again. This file imports nothing, so that the
 * page can import it.
 */
export interface LiveSnapshot {
  readonly chains: readonly LiveChain[];
  /** Newest first. */
  readonly blocks: readonly LiveBlock[];
  /** Ordered by their newest order, newest first. */
  readonly collections: readonly LiveCollection[];
  /** The order book of the selected collection; null: there are no collections yet. */
  readonly book: LiveOrderBook | null;
  /** Newest first. */
  readonly deliveries: readonly LiveDelivery[];
  readonly receiver: LiveReceiver;
  /** Null: this sandbox makes no trades. */
  readonly trades: LiveTrades | null;
}

/** Trades that the sandbox makes itself. */
export interface LiveTrades {
  /** Time between two trades while a page watches, in seconds. Null: only on request. */
  readonly everySeconds: number | null;
  readonly last: { readonly at: string; readonly text: string; readonly isFault: boolean } | null;
}

export interface LiveChain {
  readonly chainId: number;
  readonly name: string;
  /** The last block whose records are stored. */
  readonly block: number;
  /** The newest block that a node has reported; null: none yet. */
  readonly head: number | null;
}

export interface LiveBlock {
  readonly chainId: number;
  readonly number: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** A reorganization removed the block. */
  readonly isGone: boolean;
  readonly logs: readonly LiveLog[];
}

export interface LiveLog {
  readonly address: string;
  /** `Transfer`, or the start of the hash of an unknown event. */
  readonly event: string;
}

export interface LiveCollection {
  readonly chainId: number;
  readonly address: string;
  /** Number of open orders among its newest orders. */
  readonly open: number;
}

export interface LiveOrderBook {
  readonly chainId: number;
  readonly address: string;
  readonly open: readonly LiveOrder[];
  /** The orders that changed last, in any state. */
  readonly newest: readonly LiveOrder[];
}

export interface LiveOrder {
  readonly id: number;
  readonly orderId: string;
  readonly marketplace: string;
  readonly side: string;
  readonly status: string;
  /** Null: an offer for any token of the collection. */
  readonly tokenId: string | null;
  /** Price per unit, in whole units of the currency. */
  readonly price: string;
  readonly currency: string;
  /** Null: the currency has no price. */
  readonly usd: number | null;
  readonly quantity: string;
  readonly maker: string;
  readonly updatedAt: string;
}

export interface LiveDelivery {
  readonly chainId: number;
  readonly sequence: number;
  readonly listenerId: number;
  readonly listener: string;
  readonly url: string;
  readonly type: string;
  readonly block: number;
  readonly event: string;
  /** held, waiting, accepted, failed or dropped. */
  readonly state: string;
  readonly attempts: readonly LiveAttempt[];
  /** Time of the next attempt; null: no attempt is scheduled. */
  readonly dueAt: string | null;
}

export interface LiveAttempt {
  readonly at: string;
  readonly tookMs: number;
  readonly status: number | null;
  /** Null: accepted. */
  readonly fault: string | null;
}

/** The sandbox's own webhook receiver. */
export interface LiveReceiver {
  readonly url: string;
  /** Status of the next responses. */
  readonly answers: number;
  /** Newest first. */
  readonly calls: readonly LiveReceivedCall[];
}

export interface LiveReceivedCall {
  /** Counted from 1. */
  readonly number: number;
  readonly at: string;
  readonly id: string;
  /** Whether the signature matches a listener with this URL. */
  readonly isSigned: boolean;
  readonly answered: number;
  readonly body: string;
}

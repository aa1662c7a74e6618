/** What a sandbox shows of itself, as it goes over the wire: part by part, each whole whenever it has changed. Imports nothing, so that the page may read it. */
export interface LiveSnapshot {
  readonly chains: readonly LiveChain[];
  /** The newest first. */
  readonly blocks: readonly LiveBlock[];
  /** Those with the newest orders first. */
  readonly collections: readonly LiveCollection[];
  /** Of the collection that is looked at; null: there is none yet. */
  readonly book: LiveOrderBook | null;
  /** The newest first. */
  readonly deliveries: readonly LiveDelivery[];
  /** Events of listeners that can never match, the newest first. */
  readonly nearMisses: readonly LiveNearMiss[];
  readonly receiver: LiveReceiver;
}

export interface LiveNearMiss {
  readonly listenerId: number;
  readonly listener: string;
  /** As registered. */
  readonly event: string;
  /** The text that would match; null: logs do not tell which arguments are indexed. */
  readonly matchingEvent: string | null;
  /** At least so many. */
  readonly logs: number;
}

export interface LiveChain {
  readonly chainId: number;
  readonly name: string;
  /** The last block whose records are written. */
  readonly block: number;
  /** The newest that the nodes have told of; null: none has. */
  readonly head: number | null;
}

export interface LiveBlock {
  readonly chainId: number;
  readonly number: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** It has left the chain. */
  readonly isGone: boolean;
  readonly logs: readonly LiveLog[];
}

export interface LiveLog {
  readonly address: string;
  /** `Transfer`, or the start of its hash where nobody has told its name. */
  readonly event: string;
}

export interface LiveCollection {
  readonly chainId: number;
  readonly address: string;
  /** Open ones of its newest orders. */
  readonly open: number;
}

export interface LiveOrderBook {
  readonly chainId: number;
  readonly address: string;
  readonly open: readonly LiveOrder[];
  /** The last that changed, in any state. */
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
  /** Of one unit, in whole units of the currency. */
  readonly price: string;
  readonly currency: string;
  /** Null: the currency is not priced. */
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
  /** waiting, accepted, parked, dropped */
  readonly state: string;
  readonly attempts: readonly LiveAttempt[];
  /** When it is sent next; null: not again by itself. */
  readonly dueAt: string | null;
}

export interface LiveAttempt {
  readonly at: string;
  readonly tookMs: number;
  readonly status: number | null;
  /** Null: it was accepted. */
  readonly fault: string | null;
}

/** The sandbox's own receiver of webhooks. */
export interface LiveReceiver {
  readonly url: string;
  /** With which status it answers. */
  readonly answers: number;
  /** The newest first. */
  readonly calls: readonly LiveReceivedCall[];
}

export interface LiveReceivedCall {
  /** Counted from 1. */
  readonly number: number;
  readonly at: string;
  /** The header webhook-id. */
  readonly id: string;
  /** Whether the signature is that of a listener of this address. */
  readonly isSigned: boolean;
  readonly answered: number;
  readonly body: string;
}

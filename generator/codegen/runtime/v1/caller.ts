/** Who made a call, as far as it is known while the call lasts. */

/** How the core reaches the caller; an adapter makes one a request. */
export interface Transport<Carrier> {
  readonly carrier: Carrier;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** Calls back once if the caller goes away before it has the answer; at once if it is gone already. */
  whenGone(callback: () => void): void;
}

export interface Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  readonly requestId: string;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

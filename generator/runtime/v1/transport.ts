/** How bytes go to a server and come back. Everything else of a call is the client's. */

/** One POST. */
export interface TransportRequest {
  /** The client's `url` and the path of the method. */
  readonly url: string;
  /** Names in any letter case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Fires when nobody waits for the answer any more; absent for a call without time-out and signal. */
  readonly signal: AbortSignal | undefined;
}

/** What came back, whatever it is: the client looks for sense in it. */
export interface TransportResponse {
  readonly status: number;
  readonly text: string;
  /** A header by its name in lower case, if there is one. */
  readonly header: (name: string) => string | null | undefined;
}

/** Throws, or rejects, only if no whole answer came. Never follows a redirect: it would carry the caller's keys elsewhere. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

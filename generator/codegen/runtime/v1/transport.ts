/** How a request goes to a server and its answer comes back: any function of the form of `fetch`. Everything else is the client's. */

/**
 * Rejects only if no whole answer came. Nobody waits any more when `signal` fires. `fetch` is one, and so is
 * `(url, init) => fetch(url, { ...init, credentials: "include" })`.
 */
export type Transport = (url: string, init: TransportInit) => Promise<TransportResponse>;

export interface TransportInit {
  method: "POST";
  /** Not followed: that would carry the caller's keys elsewhere. An error for a form: else Node's `fetch` keeps all of it in memory. */
  redirect: "manual" | "error";
  /** Names in any letter case. */
  headers: Record<string, string>;
  /** JSON, or a form where a request has files. */
  body: string | FormData;
  /** Null for a call without time-out and signal. */
  signal: AbortSignal | null;
  /** The answer is wanted as it comes: resolve with its head, and give its `body`. */
  stream?: true;
}

/** What came back, whatever it is: the client looks for sense in it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** For streams. To cancel it closes the connection. */
  readonly body?: ReadableStream<Uint8Array> | null;
}

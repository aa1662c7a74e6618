/**
 * Transports send requests. Any function with the signature of `fetch` is one; everything else is the client's task.
 */

/**
 * Sends a request. Rejects only if no complete response arrived. When `signal` aborts, the result is ignored. Examples:
 * `fetch`, or `(url, init) => fetch(url, { ...init, credentials: "include" })`.
 */
export type Transport = (url: string, init: TransportInit) => Promise<TransportResponse>;

/** The request that a transport sends. Compatible with `RequestInit`. */
export interface TransportInit {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "QUERY";
  /**
   * Redirects are not followed, because that would send the caller's credentials elsewhere. "error" for forms, which
   * Node's `fetch` otherwise keeps in memory.
   */
  redirect: "manual" | "error";
  /** Names in lower case. */
  headers: Record<string, string>;
  /** JSON, or a form if the request has files. Null for GET, DELETE and QUERY, whose request is in the URL. */
  body: string | FormData | null;
  /** Null for a call without time-out and signal. */
  signal: AbortSignal | null;
  /** Return the response as soon as its head has arrived, with its `body`. */
  stream?: true;
}

/** The response, whatever its content. The client validates it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Needed for streams and files. Cancelling it closes the connection. */
  readonly body?: ReadableStream<Uint8Array> | null;
}

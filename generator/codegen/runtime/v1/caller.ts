/** The caller of a method, as the server sees it during the call. */
import type { HeaderValue } from "./handler.ts";

/** Connects a call to its caller. Adapters create one per request. */
export interface Transport<Carrier> {
  readonly carrier: Carrier;
  // @if explorer
  /**
   * Whether compressed bodies can be sent. Platforms with `fetch` compress responses themselves, and some of them drop the
   * header `Content-Encoding`.
   */
  readonly sendsCompressed?: boolean;
  // @end
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Calls back once if the caller disconnects before the response is sent. If the caller has already disconnected, calls
   * back immediately.
   */
  whenGone(callback: () => void): void;
}

/** The caller's side of a call. */
export interface Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Sets a header of the response. Throws if the header is not valid, or if the response has been sent. */
  setHeader(name: string, value: HeaderValue): void;
}

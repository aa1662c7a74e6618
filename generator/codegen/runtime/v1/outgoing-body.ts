/** A response body that is sent in parts: a stream or a file. The interface between adapters and both of them. */

/** Where the parts are written: the connection to the caller. */
export interface Sink {
  /** Writes bytes, or text as UTF-8. Returns false if the buffer is full; the adapter calls `resume` once it has room. */
  write(part: string | Uint8Array): boolean;
  end(): void;
  /** Cuts the connection, so that the caller notices that the response is incomplete. */
  destroy(): void;
}

/** A body that is sent in parts, as adapters control it. */
export interface OutgoingBody {
  /** Starts sending, after the head of the response. */
  open(sink: Sink): void;
  /** The sink has room again. */
  resume(): void;
  /** The caller has disconnected. */
  cancel(): void;
}

/** A body that a stopping server ends early. */
export interface Drainable {
  /** Ends the body with WebrpcStreamLost. */
  endAsLost(cause: string): void;
  /** Settles when the handler has finished, which may be after the caller has disconnected. */
  readonly handlerDone: Promise<unknown>;
}

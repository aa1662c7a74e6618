/** The interface between an adapter and a response stream. */

/** Where a stream writes its lines. */
export interface Sink {
  /** Writes UTF-8 text. Returns false if the buffer is full; the adapter then calls `resume` once it has room. */
  write(text: string): boolean;
  end(): void;
  /** Cuts the connection, so that the caller notices that the stream is incomplete. */
  destroy(): void;
}

/** A response stream, as an adapter controls it. */
export interface ReplyStream {
  /** Starts sending, after the head of the response. */
  open(sink: Sink): void;
  /** The sink has room again. */
  resume(): void;
  /** The caller has disconnected. */
  cancel(): void;
}

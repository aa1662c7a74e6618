/** What an adapter and a streamed answer know of each other. */

/** Where an adapter sends the bytes. */
export interface Sink {
  /** UTF-8 text. False: full, and the next `resume` says when it no longer is. */
  write(text: string): boolean;
  end(): void;
  /** Ends without the rest: the caller must not take it for the whole. */
  destroy(): void;
}

export interface ReplyStream {
  /** Begins to send. The head of the answer is out. */
  open(sink: Sink): void;
  /** There is room again. */
  resume(): void;
  /** The caller has gone. */
  cancel(): void;
}

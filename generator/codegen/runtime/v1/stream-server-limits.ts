/** Limits of streams. */
export interface StreamLimits {
  /**
   * Interval between heartbeats in milliseconds. Default 10,000, which webrpc uses: its clients give up after 11 s to
   * 22 s.
   */
  readonly pingMs: number;
  /**
   * How long a caller may leave full buffers unread before the connection is cut, in milliseconds. Default 120,000. 0:
   * no limit.
   */
  readonly stallMs: number;
  /**
   * Longest duration of a stream in milliseconds. Its caller then gets WebrpcStreamLost and reconnects. Default 0: no
   * limit.
   */
  readonly maxMs: number;
}

export const defaultStreamLimits: StreamLimits = { pingMs: 10_000, stallMs: 120_000, maxMs: 0 };

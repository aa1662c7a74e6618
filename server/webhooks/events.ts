/** Events for the operator's log and metrics. Implementations must not throw. */
export interface WebhookEvents {
  /** Counted only: there are thousands a second. */
  readonly attempted: (result: "accepted" | "failed", seconds: number) => void;
  /** The platform paused a listener. */
  readonly paused: (listenerId: number, reason: "failing" | "gone") => void;
  readonly resumed: (listenerId: number) => void;
  /** All past blocks of a listener were read: it gets new blocks from now on. */
  readonly pastEnded: (chain: string, listenerId: number) => void;
  /** Reading past blocks failed. The operation is retried. */
  readonly pastFailed: (chain: string, err: unknown) => void;
  /** Storing results or reading due items failed. The operation is retried. */
  readonly failed: (err: unknown) => void;
}

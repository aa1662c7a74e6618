/** A listener whose state has changed. */
export interface ChangedListener {
  readonly listenerId: number;
  readonly project: number;
  /** Of its URL. */
  readonly host: string;
}

/** Events for the operator's log and metrics. Implementations must not throw. */
export interface WebhookEvents {
  /** Counted only: there are thousands a second. */
  readonly attempted: (result: "accepted" | "failed", seconds: number) => void;
  /** These notifications are not sent again unless an operator replays them. Counted only. */
  readonly notificationsFailed: (notifications: number) => void;
  /** The receiver of a listener has failed for a while. */
  readonly failing: (listener: ChangedListener, fault: string | undefined) => void;
  readonly recovered: (listener: ChangedListener) => void;
  /** The platform paused a listener. */
  readonly paused: (listener: ChangedListener, reason: "failing" | "gone") => void;
  readonly resumed: (listener: ChangedListener) => void;
  /** All past blocks of a listener were read: it gets new blocks from now on. */
  readonly pastEnded: (chain: string, listenerId: number) => void;
  /** Reading past blocks failed. The operation is retried. */
  readonly pastFailed: (chain: string, err: unknown) => void;
  /** Storing results or reading due items failed. The operation is retried. */
  readonly failed: (err: unknown) => void;
}

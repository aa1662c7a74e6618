import type { NearMiss } from "../notify/near-misses.ts";

/** What the operator is told of deliveries. None throws. */
export interface DeliveryEvents {
  /** One attempt is over. */
  readonly attempted: (result: "accepted" | "failed", seconds: number) => void;
  /** The platform has paused a listener. */
  readonly paused: (listenerId: number, reason: "failing" | "gone") => void;
  readonly resumed: (listenerId: number) => void;
  /** An event of a listener was seen for the first time to be one that can never match. */
  readonly missed: (miss: NearMiss) => void;
  /** Results could not be written down, or what is due not be read. It is tried again. */
  readonly failed: (err: unknown) => void;
}

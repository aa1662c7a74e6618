/** Limits of delivery. A host uses `deliveryLimits`; tests use shorter ones. */
export interface DeliveryLimits {
  /** Timeout for a receiver's response headers, in milliseconds. */
  readonly responseTimeoutMs: number;
  /** Delay before each retry, in milliseconds. If the last retry fails, so does the notification. */
  readonly retryDelaysMs: readonly number[];
  /** Largest random extension of a delay, as a fraction, so that retries after an outage are spread out. */
  readonly jitter: number;
  /** First back-off of a listener after a failed call, in milliseconds. Doubles with each failure in a row, up to `maxBackOffMs`. */
  readonly backOffMs: number;
  readonly maxBackOffMs: number;
  /** A receiver that has failed for this long without a success is reported to the operator, in milliseconds. */
  readonly reportFailingMs: number;
  /** A listener is paused after its receiver has failed for this long without a success, in milliseconds. */
  readonly maxFailingMs: number;
  /** A listener is also paused after this number of attempts if none has ever succeeded. */
  readonly maxInitialFailures: number;
  /** Interval at which a paused, failing listener is probed, in milliseconds. */
  readonly probeIntervalMs: number;
  readonly maxCallsPerDestination: number;
  /** Concurrent calls to one listener. Lower than the destination's limit, so that other listeners of the destination still get through. */
  readonly maxCallsPerListener: number;
  /** Concurrent calls of one destination that all its degraded listeners (failing or slow) may use together. */
  readonly maxDegradedCalls: number;
  /** Calls per second to a new destination. Each success allows one more. */
  readonly initialRate: number;
  /** Duration of a lease on a destination unless it is renewed, in milliseconds. */
  readonly leaseMs: number;
  /** Interval between scans for due items and unclaimed destinations, in milliseconds. */
  readonly scanIntervalMs: number;
  /** How long a process keeps the lease of an idle destination, in milliseconds. */
  readonly maxIdleMs: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Longest `Retry-After` of a receiver that is respected, in milliseconds: the longest delay of the retry schedule. */
export const maxRetryAfterMs: number = day;

export const deliveryLimits: DeliveryLimits = {
  responseTimeoutMs: 10_000,
  // The retry schedule of Standard Webhooks 1.0: three days and three hours in total.
  retryDelaysMs: [
    5_000,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  jitter: 0.2,
  backOffMs: 100,
  maxBackOffMs: 30_000,
  reportFailingMs: minute,
  maxFailingMs: 5 * day,
  maxInitialFailures: 100,
  probeIntervalMs: hour,
  maxCallsPerDestination: 8,
  maxCallsPerListener: 6,
  maxDegradedCalls: 4,
  initialRate: 100,
  leaseMs: 10_000,
  scanIntervalMs: 1_000,
  maxIdleMs: 60_000,
};

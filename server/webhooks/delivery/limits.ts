/** Bounds of delivery. Tests shorten them; a host has these. */
export interface DeliveryLimits {
  /** How long a receiver may take for the headers of its answer, in milliseconds. */
  readonly answerMaxMs: number;
  /** Waits before each further attempt, in milliseconds; after the last one a notification is parked. */
  readonly retryAfterMs: readonly number[];
  /** By which part a wait is longer at most, so that retries of one outage do not come at once. */
  readonly jitter: number;
  /** First wait of a listener whose calls fail one after the other; it doubles up to the other. Milliseconds. */
  readonly holdMs: number;
  readonly holdMaxMs: number;
  /** A listener is paused if its receiver only failed for so long, in milliseconds. */
  readonly failingMaxMs: number;
  /** And if none of so many first attempts succeeded. */
  readonly firstAttempts: number;
  /** How often a listener that was paused so is tried, in milliseconds. */
  readonly probeEveryMs: number;
  /** Calls at once to one host. */
  readonly callsPerHost: number;
  /** And to one listener: some stay free for the others of its host. */
  readonly callsPerListener: number;
  /** Of a host's calls, those that listeners in trouble may take together. */
  readonly callsInTrouble: number;
  /** Calls a second to a host that is new to us. Each success allows one more. */
  readonly firstRate: number;
  /** How long a host is one process's to call, unless it says that it lives. Milliseconds. */
  readonly leaseMs: number;
  /** How often is looked for what became due or was left behind, in milliseconds. */
  readonly scanEveryMs: number;
  /** How long a host without work stays with its process, in milliseconds. */
  readonly idleMaxMs: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const deliveryLimits: DeliveryLimits = {
  answerMaxMs: 10_000,
  // The schedule of Standard Webhooks 1.0: three days and three hours in all.
  retryAfterMs: [
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
  holdMs: 100,
  holdMaxMs: 30_000,
  failingMaxMs: 5 * day,
  firstAttempts: 100,
  probeEveryMs: hour,
  callsPerHost: 8,
  callsPerListener: 6,
  callsInTrouble: 4,
  firstRate: 100,
  leaseMs: 10_000,
  scanEveryMs: 1_000,
  idleMaxMs: 60_000,
};

import { describe, expect, test } from "vitest";
import { OutboundFailure, OutboundRejection } from "../../../server/base/outbound/failure.ts";
import { deliveryLimits } from "../../../server/webhooks/delivery/limits.ts";
import { maintenanceIntervalMs } from "../../../server/webhooks/delivery/maintenance.ts";
import {
  bodyOf,
  nextDelayMs,
  outcomeOfError,
  outcomeOfResponse,
} from "../../../server/webhooks/delivery/outcome.ts";
import { shouldPause } from "../../../server/webhooks/delivery/receiver-health.ts";

const now = Date.UTC(2026, 0, 31, 12);
const day = 24 * 3_600_000;

/** A header with a date some milliseconds from now. */
function dateIn(ms: number): string {
  return new Date(now + ms).toUTCString();
}

describe("Retry-After", () => {
  test.each([
    ["0", 0],
    ["1", 1_000],
    ["86399", day - 1_000],
    ["86400", day],
    ["86401", day],
    ["9".repeat(30), day],
    [dateIn(1_000), 1_000],
    [dateIn(day - 1_000), day - 1_000],
    [dateIn(day), day],
    [dateIn(day + 1_000), day],
  ])("%s is read, up to one day", (retryAfter, ms) => {
    expect(outcomeOfResponse({ status: 503, retryAfter }, now).retryAfterMs).toBe(ms);
  });

  test.each([undefined, "", "soon", "-5"])("%s is ignored", (retryAfter) => {
    expect(outcomeOfResponse({ status: 503, retryAfter }, now).retryAfterMs).toBeUndefined();
  });

  test.each([
    [undefined, 5_000],
    [4_999, 5_000],
    [5_000, 5_000],
    [5_001, 5_001],
    [day, day],
  ])("%s ms can only lengthen the first delay of 5 s", (retryAfterMs, wait) => {
    expect(nextDelayMs({ retryAfterMs }, 1, deliveryLimits, () => 0)).toBe(wait);
  });

  test("ten responses that ask for one second use up the attempts in three days and three hours", () => {
    const verdict = outcomeOfResponse({ status: 503, retryAfter: "1" }, now);
    let waitedMs = 0;
    let attempts = 1;
    for (; ; attempts++) {
      const wait = nextDelayMs(verdict, attempts, deliveryLimits, () => 0);
      if (wait === undefined) break;
      waitedMs += wait;
    }
    expect({ attempts, hours: Math.floor(waitedMs / 3_600_000) }).toEqual({ attempts: 10, hours: 75 });
  });

  test.each([
    [0, 5_000],
    [1, 6_000],
  ])("jitter of %s lengthens the delay by up to a fifth", (random, wait) => {
    expect(nextDelayMs({ retryAfterMs: undefined }, 1, deliveryLimits, () => random)).toBe(wait);
  });
});

test.each([
  [199, "failed"],
  [200, "accepted"],
  [299, "accepted"],
  [300, "failed"],
  [409, "failed"],
  [410, "gone"],
  [411, "failed"],
] as const)("status %s is %s", (status, kind) => {
  expect(outcomeOfResponse({ status, retryAfter: undefined }, now).kind).toBe(kind);
});

describe("a listener is paused", () => {
  const fiveDays = 5 * day;
  const pauses = (attempts: number, successes: number, failingMs: number | undefined): boolean =>
    shouldPause(
      {
        listenerId: 1,
        attempts,
        successes,
        isFailing: false,
        failingSince: failingMs === undefined ? undefined : new Date(now - failingMs),
      },
      deliveryLimits,
      now,
    );

  test.each([
    [99, 0, false],
    [100, 0, true],
    [101, 0, true],
    [100, 1, false],
    [1_000, 1, false],
  ])("after %i attempts of which %i succeeded: %s", (attempts, successes, isPaused) => {
    expect(pauses(attempts, successes, 1_000)).toBe(isPaused);
  });

  test.each([
    [fiveDays - 1, false],
    [fiveDays, true],
    [fiveDays + 1, true],
    [undefined, false],
  ])("after failing for %s ms: %s", (failingMs, isPaused) => {
    expect(pauses(1_000, 900, failingMs)).toBe(isPaused);
  });

  test("not if its last attempt succeeded, however few attempts there were", () => {
    expect(pauses(100, 1, undefined)).toBe(false);
  });
});

test("a receiver has ten seconds, and a paused one is probed every hour", () => {
  expect(deliveryLimits).toMatchObject({ responseTimeoutMs: 10_000, probeIntervalMs: 3_600_000 });
});

test("the delays between attempts are the documented ones", () => {
  const minutes = [5 / 60, 5, 30, 2 * 60, 5 * 60, 10 * 60, 14 * 60, 20 * 60, 24 * 60];
  const waits = minutes.map((_, index) =>
    nextDelayMs({ retryAfterMs: undefined }, index + 1, deliveryLimits, () => 0),
  );
  expect(waits).toEqual(minutes.map((each) => each * 60_000));
  expect(nextDelayMs({ retryAfterMs: undefined }, minutes.length + 1, deliveryLimits)).toBeUndefined();
});

test.each([
  [302, "it responded with 302 (redirects are not followed)"],
  [399, "it responded with 399 (redirects are not followed)"],
  [400, "it responded with 400"],
  [410, "it responded with 410 Gone"],
  [500, "it responded with 500"],
])("status %i is reported as: %s", (status, fault) => {
  expect(outcomeOfResponse({ status, retryAfter: undefined }, now)).toMatchObject({ status, fault });
});

test.each([
  [new OutboundFailure("timeout", undefined), "no response in time"],
  [
    new OutboundRejection("10.0.0.1 is not a public address (private)"),
    "10.0.0.1 is not a public address (private)",
  ],
])("%s is a failed attempt without a status", (err, fault) => {
  expect(outcomeOfError(err)).toEqual({ kind: "failed", status: undefined, fault, retryAfterMs: undefined });
});

test("an error that is no failure of the receiver is thrown", () => {
  expect(() => outcomeOfError(new TypeError("a bug"))).toThrow("a bug");
});

test("a body has the sequence in front, or is a list with the sequence as id and a numeric log index", () => {
  const stored = JSON.stringify({ uid: "u", txnLogIndex: "3", event: { a: 1 } });
  expect(bodyOf(stored, 7, "object")).toBe('{"sequence":7,"uid":"u","txnLogIndex":"3","event":{"a":1}}');
  expect(bodyOf(stored, 7, "array")).toBe(
    '[{"id":7,"sequence":7,"uid":"u","event":{"a":1},"txnLogIndex":3}]',
  );
});

test("surplus notifications and keys are cleaned up once a minute", () => {
  expect(maintenanceIntervalMs).toBe(60_000);
});

test("the documented limits of delivery", () => {
  expect(deliveryLimits).toMatchObject({
    jitter: 0.2,
    backOffMs: 100,
    maxBackOffMs: 30_000,
    maxCallsPerDestination: 8,
    maxCallsPerListener: 6,
    maxDegradedCalls: 4,
    initialRate: 100,
    leaseMs: 10_000,
    scanIntervalMs: 1_000,
    maxIdleMs: 60_000,
  });
});

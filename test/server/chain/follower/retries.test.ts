import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Retries } from "../../../../server/chain/follower/follower.ts";
import { BlockNotFound } from "../../../../server/chain/follower/source.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failure = new Error("no response");
const missing = new BlockNotFound("the node does not have the block");

test("each failure is reported, and the delay doubles up to three seconds until a success", () => {
  const retries = new Retries();
  const delays = [1, 2, 3, 4, 5].map(() => retries.failed(failure));
  expect(delays.map(({ delayMs }) => delayMs)).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
  expect(delays.every(({ isReported }) => isReported)).toBe(true);
  retries.reset();
  expect(retries.failed(failure)).toEqual({ delayMs: 500, isReported: true });
});

test("a block that is missing for less than five seconds is requested soon, and not reported", () => {
  const retries = new Retries();
  const delays = [1, 2, 3, 4, 5, 6, 7, 8].map(() => retries.failed(missing));
  expect(delays.map(({ delayMs }) => delayMs)).toEqual([10, 20, 40, 80, 160, 320, 500, 500]);
  vi.advanceTimersByTime(4_999);
  expect(retries.failed(missing)).toEqual({ delayMs: 500, isReported: false });
});

test("a block that is missing for five seconds is a failure like any other, until a success", () => {
  const retries = new Retries();
  retries.failed(missing);
  vi.advanceTimersByTime(5_000);
  expect(retries.failed(missing)).toEqual({ delayMs: 500, isReported: true });
  expect(retries.failed(missing)).toEqual({ delayMs: 1_000, isReported: true });
  retries.reset();
  expect(retries.failed(missing)).toEqual({ delayMs: 10, isReported: false });
});

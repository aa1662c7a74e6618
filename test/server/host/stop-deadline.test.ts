import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startStopDeadline, stopMaxMs } from "../../../server/host/stop-deadline.ts";

test.each([
  [0, 0, 5_000],
  [0, 20, 25_000],
  [10, 20, 35_000],
])("with a delay of %i s and %i s for calls, a host may take %i ms to stop", (delay, max, ms) => {
  expect(stopMaxMs({ stopDelaySeconds: delay, stopMaxSeconds: max })).toBe(ms);
});

describe("a process that does not stop", () => {
  const exits: unknown[] = [];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    vi.spyOn(process, "exit").mockImplementation((code) => void exits.push(code) as never);
    exits.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test.each([
    ["before the deadline is set", true],
    ["later", false],
  ])("exits with code 1 a second before the deadline, if the stop began %s", async (_, isEarly) => {
    const stop = new AbortController();
    if (isEarly) stop.abort();
    startStopDeadline(stop.signal, 25_000);
    await vi.advanceTimersByTimeAsync(isEarly ? 0 : 60_000);
    stop.abort();
    await vi.advanceTimersByTimeAsync(23_999);
    expect(exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(exits).toEqual([1]);
  });

  test("waits for its report until the deadline", async () => {
    startStopDeadline(AbortSignal.abort(), 3_000).setReport(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(exits).toEqual([1]);
  });
});

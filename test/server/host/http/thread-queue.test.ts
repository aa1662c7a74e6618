import { describe, expect, test } from "vitest";
import { ThreadQueue } from "../../../../server/host/http/capacity.ts";
import { quantile } from "../../../support/open-loop.ts";

const refusalMs = 0.05;

interface Outcome {
  /** Time from the arrival to the end of each accepted call, in milliseconds, by time of arrival. */
  readonly taken: readonly { readonly at: number; readonly ms: number }[];
  readonly refused: number;
}

/** Simulates calls that arrive at the given times and each keep the thread busy for `callMs`. */
function serve(arrivals: readonly number[], callMs: number): Outcome {
  let now = 0;
  let busyMs = 0;
  let asked = { now: 0, busyMs: 0 };
  const queue = new ThreadQueue({ burstMs: 100 }, () => {
    const share = (busyMs - asked.busyMs) / (now - asked.now);
    asked = { now, busyMs };
    return share;
  });
  const taken: { readonly at: number; readonly ms: number }[] = [];
  const work = (ms: number): void => {
    now += ms;
    busyMs += ms;
  };
  let next = 0;
  while (next < arrivals.length) {
    now = Math.max(now, arrivals[next] ?? 0);
    let end = next;
    while (end < arrivals.length && (arrivals[end] ?? 0) <= now) end++;
    const turn = arrivals.slice(next, end);
    next = end;
    for (const at of turn) {
      const isTaken = queue.admits(now);
      work(isTaken ? callMs : refusalMs);
      if (isTaken) taken.push({ at, ms: now - at });
    }
    queue.turnEnded(now);
  }
  return { taken, refused: arrivals.length - taken.length };
}

/** Arrivals at a rate per second; every third one is late and arrives together with the next ones. */
function arriving(rate: number, fromMs: number, toMs: number): readonly number[] {
  return Array.from(
    { length: Math.floor((toMs - fromMs) * rate) },
    (_, index) => fromMs + (index + (index % 3 === 0 ? 2 : 0)) / rate,
  ).sort((a, b) => a - b);
}

/** Repeated bursts of `size` calls. */
function bursts(size: number, everyMs: number): readonly number[] {
  return Array.from({ length: 40 }, (_, burst) => Array.from({ length: size }, () => burst * everyMs)).flat();
}

describe("the queue of the thread", () => {
  test.each([0.2, 0.4, 2, 10])(
    "at twice the capacity with calls of %s ms, accepted calls wait for at most two others",
    (callMs) => {
      const { taken, refused } = serve(arriving(2 / callMs, 0, 4_000), callMs);
      const later = taken.filter(({ at }) => at > 1_500).map(({ ms }) => ms);
      expect(quantile(later, 0.99)).toBeLessThanOrEqual(3 * callMs + 10 * refusalMs);
      expect(later.length * callMs).toBeGreaterThan(0.6 * 2_500);
      expect(refused).toBeGreaterThan(0);
    },
  );

  test.each([0.4, 2])("short pauses of the senders do not end an overload with calls of %s ms", (callMs) => {
    const paused = arriving(2 / callMs, 0, 8_000).map((at) => (at % 700 < 60 ? at - (at % 700) + 60 : at));
    const { taken } = serve(paused, callMs);
    const later = taken.filter(({ at }) => at > 1_500).map(({ ms }) => ms);
    expect(quantile(later, 0.99)).toBeLessThanOrEqual(3 * callMs + 10 * refusalMs);
  });

  test("a few concurrent calls are accepted, however busy the machine is", () => {
    expect(serve(bursts(8, 1_500), 150).refused).toBe(0);
  });

  test("a few concurrent calls are accepted while the host starts", () => {
    const queue = new ThreadQueue({ burstMs: 100 }, () => 1);
    for (let turn = 0; turn < 20; turn++) {
      for (let call = 0; call < 3; call++) expect(queue.admits(turn * 400 + call * 120)).toBe(true);
      queue.turnEnded(turn * 400 + 399);
    }
  });

  test("repeated bursts of a tenth of a second are accepted in full", () => {
    expect(serve(bursts(100, 200), 0.9).refused).toBe(0);
  });

  test("the part of a burst that would wait longer is rejected immediately", () => {
    const { taken, refused } = serve(
      Array.from({ length: 500 }, () => 0),
      1,
    );
    expect(taken.length).toBeGreaterThan(90);
    expect(taken.length).toBeLessThan(110);
    expect(refused).toBe(500 - taken.length);
  });

  test("below the capacity nothing is rejected", () => {
    expect(serve(arriving(0.8 / 0.4, 0, 10_000), 0.4).refused).toBe(0);
  });

  describe("three windows of a tenth of a second", () => {
    /** Lets standing queues of 20 calls pass, one for each window, and returns whether the queue is overloaded then. */
    function isOverloadedAfter(utilizations: readonly number[]): boolean {
      let utilization = 0;
      const queue = new ThreadQueue({ burstMs: 100 }, () => utilization);
      for (const [index, next] of utilizations.entries()) {
        utilization = next;
        for (let call = 0; call < 20; call++) queue.admits(index * 100);
        queue.turnEnded(index * 100 + 100);
      }
      const nowMs = utilizations.length * 100;
      queue.admits(nowMs);
      return !queue.admits(nowMs + 10);
    }

    test.each([
      [0.98, false],
      [0.99, false],
      [1, true],
    ])("with a utilization of %s start an overload: %s", (utilization, isOverloaded) => {
      expect(isOverloadedAfter([utilization, utilization])).toBe(false);
      expect(isOverloadedAfter([utilization, utilization, utilization])).toBe(isOverloaded);
    });

    test.each([
      [0.74, false],
      [0.75, false],
      [0.76, true],
    ])("with a utilization of %s continue an overload: %s", (utilization, isOverloaded) => {
      expect(isOverloadedAfter([1, 1, 1, utilization, utilization])).toBe(true);
      expect(isOverloadedAfter([1, 1, 1, utilization, utilization, utilization])).toBe(isOverloaded);
    });
  });

  test("an overload ends when the thread has time again", () => {
    const calls = [...arriving(8, 0, 3_000), ...arriving(1, 3_000, 4_000)];
    const burst = Array.from({ length: 100 }, () => 4_100);
    const before = serve(calls, 0.4);
    const with100More = serve([...calls, ...burst], 0.4);
    expect(before.refused).toBeGreaterThan(0);
    expect(with100More.refused).toBe(before.refused);
  });
});

describe("calls of one turn", () => {
  const full = (): number => 1;

  test("are accepted if there are at most eight, however long they wait", () => {
    const queue = new ThreadQueue({ burstMs: 100 }, full);
    for (let call = 0; call < 8; call++) expect(queue.admits(call * 1_000)).toBe(true);
    expect(queue.admits(7_001)).toBe(false);
    expect(queue.isInTurn).toBe(true);
    queue.turnEnded(7_002);
    expect(queue.isInTurn).toBe(false);
    expect(queue.admits(7_003)).toBe(true);
  });

  test.each([
    [99, true],
    [100, true],
    [101, false],
  ])("are accepted up to the longest wait of a burst: after %i ms, %s", (ms, isAccepted) => {
    const queue = new ThreadQueue({ burstMs: 100 }, full);
    for (let call = 0; call < 8; call++) queue.admits(0);
    expect(queue.admits(ms)).toBe(isAccepted);
  });

  test("that are over were counted already", () => {
    const queue = new ThreadQueue({ burstMs: 100 }, full);
    expect(() => queue.turnEnded(1)).not.toThrow();
  });
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchHeads } from "../../../../server/chain/follower/heads.ts";
import type { Header } from "../../../../server/chain/follower/source.ts";

// The timers of node:timers/promises cannot be faked.
vi.mock("../../../../server/base/repeat.ts", () => ({
  async repeatUntil(signal: AbortSignal, intervalMs: number, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work();
      await new Promise((done) => setTimeout(done, intervalMs));
    }
  },
}));

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Polls every ten seconds; `numbersAt` returns the newest block of each node, in seconds since the start. */
async function watch(
  seconds: number,
  numbersAt: (second: number) => readonly (number | undefined)[],
  timestamp = 1_800_000_000,
): Promise<{ readonly demoted: readonly string[]; readonly reported: readonly number[] }> {
  const demoted: string[] = [];
  const reported: number[] = [];
  const start = performance.now();
  const ended = new AbortController();
  const source = {
    latestOfEach: async () =>
      numbersAt(Math.round((performance.now() - start) / 1_000)).map((number) =>
        number === undefined ? undefined : ({ number, timestamp } as Header),
      ),
    demoteLagging: (node: number, reason: string) => void demoted.push(`${node}: ${reason}`),
  };
  const running = watchHeads(source, ({ number }) => reported.push(number), ended.signal);
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  ended.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  await running;
  return { demoted, reported };
}

test("a first node that lags is demoted after 20 seconds, and the newest block of all nodes is reported", async () => {
  const { demoted, reported } = await watch(25, (second) => [100, 200 + second]);
  expect(demoted).toEqual(["0: it is 120 blocks behind another node"]);
  expect(reported).toEqual([200, 210, 220]);
});

test.each([
  ["is less than 20 seconds behind", (second: number) => [200 + second - 19, 200 + second]],
  ["fails", (second: number) => [undefined, 200 + second]],
  ["is the only one", () => [100]],
  ["has a quiet chain, as the others", () => [100, 100]],
])("a node that %s is not demoted", async (_, numbersAt) => {
  expect((await watch(65, numbersAt)).demoted).toEqual([]);
});

test("a node with a block of the far future does not demote the others", async () => {
  expect((await watch(65, () => [100, 900], 1_800_000_500)).demoted).toEqual([]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { headComparison } from "../../../../server/chain/follower/heads.ts";
import type { Header } from "../../../../server/chain/follower/source.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Compares every ten seconds; `numbersAt` returns the newest block of each node, in seconds since the start. */
async function watch(
  seconds: number,
  numbersAt: (second: number) => readonly (number | undefined)[],
  timestamp = 1_800_000_000,
): Promise<{ readonly demoted: readonly string[]; readonly reported: readonly number[] }> {
  const demoted: string[] = [];
  const reported: number[] = [];
  let second = 0;
  const source = {
    latestOfEach: async () =>
      numbersAt(second).map((number) =>
        number === undefined ? undefined : ({ number, timestamp } as Header),
      ),
    demoteLagging: (node: number, reason: string) => void demoted.push(`${node}: ${reason}`),
  };
  const compare = headComparison(source, ({ number }) => reported.push(number));
  for (; second <= seconds; second += 10) {
    await compare();
    vi.advanceTimersByTime(10_000);
  }
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
  ["has lost blocks, as the others", (second: number) => (second < 30 ? [200, 200] : [100, 100])],
  ["has a quiet chain, as the others", () => [100, 100]],
])("a node that %s is not demoted", async (_, numbersAt) => {
  expect((await watch(65, numbersAt)).demoted).toEqual([]);
});

test("a node with a block of the far future does not demote the others", async () => {
  expect((await watch(65, () => [100, 900], 1_800_000_500)).demoted).toEqual([]);
});

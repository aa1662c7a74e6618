import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HeadStream } from "../../../../server/chain/follower/head-stream.ts";
import type { Source } from "../../../../server/chain/follower/source.ts";
import type { FollowSettings } from "../../../../server/chain/networks/follow.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [false, 999, 1],
  [false, 1_000, 2],
  [false, 1_001, 2],
  [true, 4_999, 1],
  [true, 5_000, 2],
  [true, 5_001, 2],
])("with pushed heads: %s, after %i ms the node was polled %i times", async (isLive, ms, count) => {
  let asked = 0;
  const latest = async (): Promise<undefined> => {
    asked++;
    return undefined;
  };
  const follow = { wsUrls: ["ws://node.example"], pollMs: 1_000 } as unknown as FollowSettings;
  await using heads = new HeadStream(
    { latest } as unknown as Source,
    follow,
    async (_url, _onHeader, onLive) => {
      if (isLive) onLive(true);
    },
  );
  const { signal } = new AbortController();
  await heads.next(1, signal);
  vi.advanceTimersByTime(ms);
  await heads.next(1, signal);
  expect(asked).toBe(count);
});

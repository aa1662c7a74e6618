import { expect, test } from "vitest";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { RecentBlocks } from "../../../../server/host/sandbox-page/recent-blocks.ts";
import { localNetwork } from "../../../support/local-network.ts";

const hex = (bytes: number, value: number): Hex => `0x${value.toString(16).padStart(2 * bytes, "0")}`;

/** Returns what is shown after `count` blocks with `logCount` logs each. */
async function shownAfter(count: number, logCount: number) {
  const network = localNetwork("http://127.0.0.1:1");
  const blocks = new RecentBlocks([network]);
  const logs = Array.from({ length: logCount }, () => ({ address: hex(20, 1), topics: [] }));
  const added = blocks.deriver().added as (tx: object, some: object) => Promise<(() => void) | undefined>;
  for (let number = 1; number <= count; number++) {
    const block = { number, hash: hex(32, number), timestamp: number, logs };
    (await added({ chainId: network.chainId, isRecent: true }, [block]))?.();
  }
  return blocks.snapshot();
}

test.each([
  [39, 39],
  [40, 40],
  [41, 40],
])("of %i blocks the newest %i are shown, newest first", async (count, shown) => {
  const numbers = (await shownAfter(count, 0)).map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: shown }, (_, index) => count - index));
});

test.each([
  [49, 49],
  [50, 50],
  [51, 50],
])("of %i logs of a block %i are shown", async (count, shown) => {
  const [block] = await shownAfter(1, count);
  expect(block?.logs).toEqual(Array(shown).fill({ address: hex(20, 1), event: "anonymous" }));
});

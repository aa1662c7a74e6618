/** Listeners with confirmations on a local chain. */
import { describe, expect, test } from "vitest";
import { reorganize } from "../../support/event-chain.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { known, patient, usePastWorld, window } from "./past-world.ts";

const shared = usePastWorld();
const { follow, grow, listen, onChain, stop, told, untilFollowed, untilRead } = shared;

/** The events of a listener from block `from` on must be exactly those of the chain, and be sent if they have enough confirmations. */
async function expectSent(id: number, confirmations: number, from = 0): Promise<void> {
  const rows = (await told(id)).filter(({ state }) => state !== "dropped");
  expect(known(rows).toSorted()).toEqual((await onChain(from)).toSorted());
  const head = await shared.chain.head();
  for (const { blockNumber, state } of rows)
    expect([blockNumber, state]).toEqual([
      blockNumber,
      blockNumber + confirmations - 1 <= head ? "waiting" : "held",
    ]);
}

describe.skipIf(noSandbox)("a listener with confirmations", () => {
  test("gets each event with the block that completes them", async () => {
    const random = seededRandom(1);
    follow();
    await untilFollowed();
    const ids = new Map<number, number>();
    for (const confirmations of [1, 2, 4, window + 4])
      ids.set(confirmations, await listen(undefined, { confirmations }));
    for (let block = 0; block < 20; block++) {
      await shared.chain.emit(1 + random.below(3));
      await shared.chain.mine();
      await untilFollowed();
      for (const [confirmations, id] of ids) await expectSent(id, confirmations);
    }
    // While catching up, in ranges.
    await stop();
    await grow(40, random);
    follow();
    await untilFollowed();
    for (const [confirmations, id] of ids) await expectSent(id, confirmations);
    expect(shared.failures).toEqual([]);
  });

  test("gets past events that have enough confirmations at once", async () => {
    const random = seededRandom(2);
    await grow(60, random);
    follow();
    await untilFollowed();
    const ids = new Map<number, number>();
    for (const confirmations of [2, window, window + 1, 30])
      ids.set(confirmations, await listen(5, { confirmations }));
    await untilRead();
    for (const [confirmations, id] of ids) await expectSent(id, confirmations, 5);
    for (let block = 0; block < 5; block++) {
      await grow(1, random);
      await untilFollowed();
      for (const [confirmations, id] of ids) await expectSent(id, confirmations, 5);
    }
  });

  test.each([
    ["in the window", 3],
    ["below the window", window + 5],
  ])(
    "never hears of blocks that a reorganization %s removes before they are confirmed",
    async (_, depth) => {
      const random = seededRandom(depth);
      await grow(10, random);
      follow();
      await untilFollowed();
      const confirmations = depth + 1;
      const id = await listen(undefined, { confirmations });
      for (let block = 0; block < depth; block++) {
        await shared.chain.emit(1);
        await shared.chain.mine();
      }
      await untilFollowed();
      await reorganize(shared.chain, depth);
      await untilFollowed();
      await grow(confirmations, random);
      await untilFollowed();
      const rows = await told(id);
      expect(rows.filter(({ type }) => type === "BLOCK_REMOVED")).toEqual([]);
      expect(rows.filter(({ state }) => state === "dropped")).toHaveLength(depth);
      await expectSent(id, confirmations, 11);
    },
    120_000,
  );

  test("gets a removal of a block that leaves the chain after it was confirmed", async () => {
    await grow(5, seededRandom(3));
    follow();
    await untilFollowed();
    const id = await listen(undefined, { confirmations: 2 });
    await shared.chain.emit(1);
    await shared.chain.mine();
    await shared.chain.mine();
    await untilFollowed();
    await expectSent(id, 2, 6);
    await reorganize(shared.chain, 2);
    await untilFollowed();
    await expect
      .poll(async () => (await told(id)).map(({ type }) => type), patient)
      .toContain("BLOCK_REMOVED");
    expect(known(await told(id)).toSorted()).toEqual((await onChain(6)).toSorted());
  });
});

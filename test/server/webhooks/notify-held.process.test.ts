import { describe, expect, test } from "vitest";
import { updateListener } from "../../../server/webhooks/listeners.ts";
import { block, chainId, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, remove, settled, settle, told, listenerOfEachDelivery } = shared;

describe("a listener of safe or final blocks", () => {
  const statesOf = async (id: number) => (await told(id)).map(({ state }) => state);

  test("gets its notifications when their block is settled, and the same bodies and numbers", async () => {
    const { head, safe, finalized } = await listenerOfEachDelivery();
    await add(block(10, "10", 1), block(11, "11", 1));
    expect(await shared.deriver.awaitsFinality?.(chainId)).toBe(true);
    expect(shared.woken).toHaveLength(1);
    await settled(9, 9);
    expect(shared.woken).toHaveLength(1);
    await settled(10, 9);
    expect(await statesOf(safe)).toEqual(["waiting", "held"]);
    expect(await statesOf(finalized)).toEqual(["held", "held"]);
    expect(shared.woken).toHaveLength(2);
    await settled(11, 10);
    expect(await statesOf(safe)).toEqual(["waiting", "waiting"]);
    expect(await statesOf(finalized)).toEqual(["waiting", "held"]);
    await settled(12, 11);
    expect(await statesOf(finalized)).toEqual(["waiting", "waiting"]);
    expect(await shared.deriver.awaitsFinality?.(chainId)).toBe(false);
    const bodies = async (id: number) => (await told(id)).map(({ body }) => body);
    expect(await bodies(safe)).toEqual(await bodies(head));
    expect(await bodies(finalized)).toEqual(await bodies(head));
    const sequences = (await told(finalized)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });

  test("gets nothing of a block that leaves the chain before that", async () => {
    const { head, safe, finalized } = await listenerOfEachDelivery();
    const left = block(10, "A", 1);
    await add(left);
    await remove(left);
    await add(block(10, "B", 1));
    await settled(10, 10);
    expect(await statesOf(head)).toEqual(["waiting", "waiting", "waiting"]);
    expect(await statesOf(safe)).toEqual(["dropped", "waiting"]);
    expect(await statesOf(finalized)).toEqual(["dropped", "waiting"]);
  });

  test.each([
    ["waiting", ["waiting", "waiting"], ["dropped"]],
    ["accepted", ["accepted", "waiting"], ["accepted"]],
    ["failed", ["dropped"], ["dropped"]],
  ] as const)(
    "whose block leaves the chain after that, with a notification that is %s: safe %j, finalized %j",
    async (state, ofSafe, ofFinalized) => {
      const { safe, finalized } = await listenerOfEachDelivery();
      const left = block(10, "A", 1);
      await add(left);
      await settled(10, 10);
      await settle(state);
      await remove(left);
      expect(await statesOf(safe)).toEqual(ofSafe);
      expect(await statesOf(finalized)).toEqual(ofFinalized);
    },
  );

  test("keeps waiting for a block that was held when the delivery changes to head", async () => {
    const { finalized } = await listenerOfEachDelivery();
    await add(block(10, "10", 1));
    const owned = { projectId: shared.world.projectId, chainId };
    await shared.world.database.transaction((tx) =>
      updateListener(tx, owned, finalized, { delivery: "head" }),
    );
    await add(block(11, "11", 1));
    expect(await statesOf(finalized)).toEqual(["held", "waiting"]);
    await settled(10, 10);
    expect(await statesOf(finalized)).toEqual(["waiting", "waiting"]);
  });
});

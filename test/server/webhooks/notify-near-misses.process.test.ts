import { describe, expect, test } from "vitest";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { updateListener } from "../../../server/webhooks/listeners.ts";
import { nearMissesOf } from "../../../server/webhooks/notify/near-miss-counts.ts";
import { block, chainId, contract, transfer, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, told, listener } = shared;

describe("an event that can never match", () => {
  const wrong = "Transfer(address,address,uint256)";

  test("is counted, with the declaration that would match", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong] });
    await add(block(10, "10", 3));
    expect(await told(id)).toEqual([]);
    const miss = { listenerId: id, event: wrong, matchingEvent: transfer, logs: 3, blockNumber: 10 };
    expect(await nearMissesOf(shared.world.database, id)).toEqual([miss]);
    expect(shared.nearMisses).toMatchObject([miss]);
  });

  test("is stored again when its count has doubled", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong] });
    const logs: number[] = [];
    for (let number = 10; number < 18; number++) {
      await add(block(number, String(number), 1));
      logs.push((await nearMissesOf(shared.world.database, id))[0]?.logs ?? 0);
    }
    expect(logs).toEqual([1, 2, 2, 4, 4, 4, 4, 8]);
    expect(shared.nearMisses).toHaveLength(1);
  });

  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
  ])("of %i such events of a listener, %i are returned", async (events, count) => {
    const id = await listener();
    await shared.world.database.query(
      `insert into webhook_near_miss (listener_id, event, indexed_count, logs, block_number)
       select $1, 'E' || number, 0, number, 1 from generate_series(1, $2::int) as number`,
      [id, events],
    );
    const misses = await nearMissesOf(shared.world.database, id);
    expect(misses.map(({ logs }) => logs)).toEqual(
      Array.from({ length: count }, (_, index) => events - index),
    );
  });

  test("counts the logs of all its contracts together", async () => {
    const other: Hex = `0x${"c1".repeat(20)}`;
    const id = await listener("http://127.0.0.1:9/", {
      events: [wrong],
      contractAddresses: [contract, other],
    });
    const mixed = block(10, "10", 4);
    await add({
      ...mixed,
      logs: mixed.logs.map((log, index) => (index < 3 ? log : { ...log, address: other })),
    });
    expect(await nearMissesOf(shared.world.database, id)).toMatchObject([{ logs: 4 }]);
  });

  test("is not counted if another event of the listener matches the log", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong, transfer] });
    await add(block(10, "10", 1));
    expect(await told(id)).toHaveLength(1);
    expect(await nearMissesOf(shared.world.database, id)).toEqual([]);
  });

  test("is deleted when the filters change", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong] });
    await add(block(10, "10", 1));
    const filters = { contractAddresses: [contract], events: [transfer] };
    const { projectId } = shared.world;
    await shared.world.database.transaction((tx) =>
      updateListener(tx, { projectId, chainId }, id, { filters }),
    );
    expect(await nearMissesOf(shared.world.database, id)).toEqual([]);
    await add(block(11, "11", 1));
    expect(await nearMissesOf(shared.world.database, id)).toEqual([]);
    expect(await told(id)).toHaveLength(1);
  });
});

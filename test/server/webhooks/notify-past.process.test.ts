import { describe, expect, test } from "vitest";
import { block, chainId, contract, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, remove, told, listener } = shared;

describe("a listener whose past is read", () => {
  const start = (id: number, next: number) =>
    shared.world.database.query(
      "insert into webhook_past (listener_id, chain_id, from_block, next_block) values ($1, $2, 8, $3)",
      [id, chainId, next],
    );
  const nextOf = async (id: number) =>
    (
      await shared.world.database.query<{ next: number }>(
        "select next_block::float8 as next from webhook_past where listener_id = $1",
        [id],
      )
    )[0]?.next;

  test("gets no new blocks, but their logs are requested", async () => {
    const id = await listener();
    await start(id, 10);
    const filter = await shared.deriver.logFilter(chainId);
    expect(filter.addresses).toEqual(new Set([contract]));
    await add(block(10, "10", 1));
    expect(await told(id)).toEqual([]);
    await shared.world.database.query("delete from webhook_past");
    await shared.world.database.query("update webhook_network set revision = revision + 1");
    // The filter is the same object, so the follower requests nothing again.
    expect(await shared.deriver.logFilter(chainId)).toBe(filter);
    await add(block(11, "11", 1));
    expect((await told(id)).map(({ body }) => body["blockNumber"])).toEqual([11]);
  });

  test.each([
    ["at the first removed block", 12, 12, 12],
    ["above it", 14, 12, 12],
    ["below it", 11, 12, 11],
    ["above a block that no one stored", 14, 13, 12],
    ["above its own first block only", 14, 8, 8],
  ])("%s, continues at the ancestor after a reorganization", async (_, next, lowest, expected) => {
    const id = await listener();
    await add(block(11, "11", 1));
    await shared.world.database.query(
      "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 5, 14)",
      [chainId],
    );
    await start(id, next);
    await remove(
      ...[14, 13, 12].filter((number) => number > lowest).map((number) => block(number, `${number}`, 0)),
      block(lowest, `${lowest}`, 0),
    );
    expect(await nextOf(id)).toBe(expected);
    await shared.world.database.query("delete from follower_cursor");
  });
});

import { describe, expect, test } from "vitest";
import { databaseOf } from "../../support/database.ts";
import { filters, url, useListenerHost } from "./listener-host.ts";

const shared = useListenerHost();
const { add, call } = shared;

describe("a past", () => {
  const tooMany =
    "/fromBlock: past blocks are being read for 100 listeners of the project, the most at a time; try again when one is done";

  test("on a network whose newest block is unknown is refused", async () => {
    expect(await add({ fromBlock: 0 })).toMatchObject({
      error: "Unavailable",
      cause: "/fromBlock: the host does not know the newest block of the network yet; try again later",
    });
  });

  test.each([
    [0, undefined],
    [109, undefined],
    [110, undefined],
    [111, "/fromBlock: 111 is above the newest block, 110; omit fromBlock to start with the next block"],
  ])("from block %i of 110, of which 100 are committed, is refused with %j", async (fromBlock, cause) => {
    await followPolygon();
    const answer = await call("AddWebhookListener", { url, filters, fromBlock }, shared.host, "/polygon");
    if (cause !== undefined) return expect(answer).toMatchObject({ code: 2000, cause });
    const { listener } = answer;
    expect(listener.past).toEqual({
      fromBlock,
      nextBlock: fromBlock,
      toBlock: Math.max(100, fromBlock),
    });
    expect(await call("GetWebhookListener", { id: listener.id }, shared.host, "/polygon")).toEqual({
      listener,
    });
    const change = { id: listener.id, name: "x" };
    const changed = await call("UpdateWebhookListener", change, shared.host, "/polygon");
    expect(changed["listener"].past).toEqual(listener.past);
    await call("RemoveWebhookListener", { id: listener.id }, shared.host, "/polygon");
    await using database = databaseOf(shared.data);
    expect(await database.query("select 1 from webhook_past where listener_id = $1", [listener.id])).toEqual(
      [],
    );
  });

  test.each([
    [98, [undefined, undefined]],
    [99, [undefined, tooMany]],
    [100, [tooMany, tooMany]],
  ])("of a project with %i others is refused with %j", async (others, causes) => {
    await followPolygon();
    await using database = databaseOf(shared.data);
    await call("RemoveAllWebhookListeners", {}, shared.host, "/polygon");
    const { listener } = await call("AddWebhookListener", { url, filters }, shared.host, "/polygon");
    await database.query(
      `with copied as (
       insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
       select id + copy, project_id, chain_id, url, host, name, format, filters, secret
       from webhook_listener, generate_series(1, $2::int) copy where id = $1 returning id, chain_id
     )
     insert into webhook_past (listener_id, chain_id, from_block, next_block) select id, chain_id, 0, 0 from copied`,
      [listener.id, others],
    );
    const past = { url, filters, fromBlock: 0 };
    for (const cause of causes)
      expect((await call("AddWebhookListener", past, shared.host, "/polygon"))["cause"]).toBe(cause);
    const added = causes.filter((cause) => cause === undefined).length;
    // Each from block 0 to 100.
    const left = `platform_webhook_past_blocks{chain="polygon"} ${(others + added) * 101}\n`;
    expect(await (await fetch(`${shared.host.adminUrl}/metrics`)).text()).toContain(left);
    // Neither listeners without a past nor other projects are affected.
    expect(await call("AddWebhookListener", { url, filters }, shared.host, "/polygon")).toHaveProperty(
      "secret",
    );
    const { listener: foreign } = await call("AddWebhookListener", past, shared.other, "/polygon");
    await call("RemoveWebhookListener", { id: foreign.id }, shared.other, "/polygon");
    await call("RemoveAllWebhookListeners", {}, shared.host, "/polygon");
  });

  async function followPolygon(): Promise<void> {
    await using database = databaseOf(shared.data);
    await database.query(
      `insert into follower_cursor (chain_id, first_block, block_number, head) values (137, 0, 100, 110)
     on conflict do nothing`,
    );
  }
});

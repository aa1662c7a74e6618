import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runMaintenance } from "../../../server/webhooks/delivery/maintenance.ts";
import { openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await world.database.query(
    "truncate webhook_notification, webhook_batch, webhook_attempt, webhook_health, webhook_destination, webhook_listener cascade",
  );
});

test("surplus and old notifications fail, orphaned ones are dropped, and all are finally deleted", async () => {
  const { listener } = await world.add("http://127.0.0.1:9/");
  const { listener: gone } = await world.add("http://127.0.0.1:9/");
  await world.tell([listener.id], 100_002);
  await world.tell([gone.id], 2);
  await world.database.query("delete from webhook_listener where id = $1", [gone.id]);
  const failures: number[] = [];
  const maintain = () => runMaintenance(world.database, undefined, (failed) => failures.push(failed));
  await maintain();
  expect(await world.states()).toEqual({ waiting: 100_000, failed: 2, dropped: 2 });
  // The oldest failed.
  const failed = await world.database.query<{ sequence: string }>(
    "select sequence from webhook_notification where state = $1 order by sequence",
    ["failed"],
  );
  expect(failed.map(({ sequence }) => Number(sequence))).toEqual([1, 2]);

  await world.database.query("delete from webhook_notification where sequence between 3 and 100000");
  await world.database.query("update webhook_batch set stored_at = now() - interval '8 days'");
  // Replayed notifications do not fail again immediately.
  await runMaintenance(world.database);
  expect(await world.states()).toEqual({ waiting: 2, failed: 2, dropped: 2 });
  await world.database.query("update webhook_notification set due_at = now() - interval '8 days'");
  await maintain();
  expect(await world.states()).toEqual({ failed: 4, dropped: 2 });
  expect(failures).toEqual([2, 2]);

  await world.database.query(
    "update webhook_batch set stored_at = now() - interval '31 days' where last_sequence > 99999",
  );
  await runMaintenance(world.database);
  expect(await world.states()).toEqual({ failed: 2 });
});

test("an old addition that is dropped with its removal does not count as failed", async () => {
  const { listener } = await world.add("http://127.0.0.1:9/");
  const added = await world.tell([listener.id], 1);
  await world.database.query("update webhook_batch set stored_at = now() - interval '8 days'");
  await world.database.query("update webhook_notification set due_at = now() - interval '8 days'");
  const removed = await world.tell([listener.id], 1);
  await world.database.query(
    "update webhook_notification set after = $2, due_at = 'infinity' where sequence = $1",
    [removed, added],
  );
  const failures: number[] = [];
  await runMaintenance(world.database, undefined, (failed) => failures.push(failed));
  expect(await world.states()).toEqual({ dropped: 2 });
  expect(failures).toEqual([]);
});

describe("the age of stored notifications", () => {
  test.each([
    ["6 days 23:59:00", { waiting: 1 }],
    ["7 days", { failed: 1 }],
    ["7 days 00:01:00", { failed: 1 }],
  ])("after %s waiting notifications are %j", async (age, states) => {
    const { listener } = await world.add("http://127.0.0.1:9/");
    await world.tell([listener.id], 1);
    await world.database.query("update webhook_batch set stored_at = now() - $1::interval", [age]);
    await world.database.query("update webhook_notification set due_at = now() - $1::interval", [age]);
    await runMaintenance(world.database);
    expect(await world.states()).toEqual(states);
  });

  test.each([4_999, 5_000, 5_001, 10_001])("%i of more than 30 days are all deleted", async (count) => {
    const { listener } = await world.add("http://127.0.0.1:9/");
    await world.tell([listener.id], count);
    await world.database.query("update webhook_batch set stored_at = now() - interval '31 days'");
    await runMaintenance(world.database);
    expect(await world.database.query("select from webhook_batch limit 1")).toHaveLength(0);
  });

  test.each([99, 100, 101, 201])("%i batches of more than 30 days are all deleted", async (count) => {
    const { listener } = await world.add("http://127.0.0.1:9/");
    for (let batch = 0; batch < count; batch++) await world.tell([listener.id], 1);
    await world.database.query(
      `insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms)
       select chain_id, sequence, 1, now(), 5 from webhook_notification`,
    );
    await world.tell([listener.id], 2);
    await world.database.query(
      "update webhook_batch set stored_at = now() - interval '31 days' where first_sequence = last_sequence",
    );
    await runMaintenance(world.database);
    expect(await world.states()).toEqual({ waiting: 2 });
    expect(await world.database.query("select from webhook_attempt")).toHaveLength(0);
    expect(await world.database.query("select from webhook_batch")).toHaveLength(1);
  });

  test("old batches between newer ones are deleted alone", async () => {
    const { listener } = await world.add("http://127.0.0.1:9/");
    let last = 0;
    for (let batch = 0; batch < 5; batch++) last = await world.tell([listener.id], 2);
    await world.database.query(
      "update webhook_batch set stored_at = now() - interval '31 days' where first_sequence = any($1)",
      [[last - 7, last - 5, last - 1]],
    );
    await runMaintenance(world.database);
    const left = await world.database.query<{ sequence: number }>(
      "select sequence::int from webhook_notification order by sequence",
    );
    expect(left.map(({ sequence }) => sequence - last)).toEqual([-9, -8, -3, -2]);
    expect(await world.database.query("select from webhook_batch")).toHaveLength(2);
  });

  test.each([
    ["29 days 23:59:00", { accepted: 1 }],
    ["30 days", {}],
    ["30 days 00:01:00", {}],
  ])("after %s accepted notifications are %j", async (age, states) => {
    const { listener } = await world.add("http://127.0.0.1:9/");
    await world.tell([listener.id], 1);
    await world.database.query("update webhook_notification set state = 'accepted'");
    await world.database.query("update webhook_batch set stored_at = now() - $1::interval", [age]);
    await runMaintenance(world.database);
    expect(await world.states()).toEqual(states);
  });
});

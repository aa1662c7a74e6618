import { afterAll, beforeAll, expect, test } from "vitest";
import { pastBlocksLeft } from "../../../../server/webhooks/past-progress.ts";
import { type Data, makeData } from "../../../support/host.ts";
import { ask, operate, operateInProcess } from "../../../support/operator.ts";
import { startReceiver } from "../../../support/receiver.ts";
import { openWebhookWorld, startDispatcher, type WebhookWorld } from "../../../support/webhook-world.ts";

let world: WebhookWorld;
let data: Data;
beforeAll(async () => {
  world = await openWebhookWorld();
  const folder = await makeData();
  data = { ...folder, env: { DATABASE_URL: world.url, SIGNING_KEY: Buffer.alloc(32, 1).toString("base64") } };
});
afterAll(async () => {
  await data?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

test("an operator lists waiting notifications, replays failed ones, and pauses a listener", async () => {
  let isGood = false;
  await using receiver = await startReceiver((res) => res.writeHead(isGood ? 200 : 500).end());
  const { listener } = await world.add(receiver.url);
  await world.tell([listener.id], 3);
  await using dispatcher = startDispatcher(world.database, { retryDelaysMs: [], backOffMs: 1 });
  dispatcher.wake(["127.0.0.1"]);
  await expect.poll(() => world.states(), { timeout: 120_000 }).toEqual({ failed: 3 });

  const [line] = await ask<object[]>(data, "webhooks", "list");
  expect(line).toMatchObject({ listener: listener.id, state: "active", waiting: 0, failed: 3 });
  const shown = await ask<{ uid: string }[]>(
    data,
    "webhooks",
    "show",
    String(listener.id),
    "--state",
    "failed",
  );
  expect(shown).toHaveLength(3);
  expect(shown[0]).toMatchObject({
    state: "failed",
    attempts: 1,
    status: 500,
    fault: "it responded with 500",
  });

  isGood = true;
  expect(await ask(data, "webhooks", "replay", "--uid", shown[0]?.uid ?? "")).toEqual({ replayed: 1 });
  await expect.poll(() => world.states(), { timeout: 120_000 }).toEqual({ failed: 2, accepted: 1 });
  const again = ["webhooks", "replay", "--listener", String(listener.id)];
  expect(await ask(data, ...again, "--from-block", "2")).toEqual({ replayed: 0 });
  expect(await ask(data, ...again, "--from-block", "2", "--to-block", "2")).toEqual({ replayed: 0 });
  expect(await ask(data, ...again, "--to-block", "1")).toEqual({ replayed: 2 });
  await expect.poll(() => world.states(), { timeout: 120_000 }).toEqual({ accepted: 3 });
  expect(await ask(data, ...again, "--state", "all")).toEqual({ replayed: 3 });
  await expect.poll(() => receiver.calls.length, { timeout: 120_000 }).toBe(9);
  // Replays keep the webhook-id of the first attempt.
  expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(3);

  expect(await ask(data, "webhooks", "pause", String(listener.id))).toEqual({
    listener: listener.id,
    active: false,
  });
  expect((await ask<object[]>(data, "webhooks", "list", String(world.projectId)))[0]).toMatchObject({
    state: "paused by owner",
  });
  expect(await ask(data, "webhooks", "resume", String(listener.id))).toMatchObject({ active: true });
});

test("an operator sees how far the past of a listener is read", async () => {
  const { listener } = await world.add("http://127.0.0.1:9/");
  const show = (): Promise<{ readonly out: string }> =>
    operateInProcess(data, ["webhooks", "show", String(listener.id)]);
  expect((await show()).out).not.toContain("Past blocks");
  await world.database.query(
    "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 0, 20)",
    [listener.chainId],
  );
  await world.database.query(
    "insert into webhook_past (listener_id, chain_id, from_block, next_block) values ($1, $2, 5, 12)",
    [listener.id, listener.chainId],
  );
  const followed = (block: number): Promise<unknown> =>
    world.database.query("update follower_cursor set block_number = $1", [block]);
  const paused = (reason: string | null): Promise<unknown> =>
    world.database.query("update webhook_listener set pause_reason = $1", [reason]);
  const left = (): Promise<ReadonlyMap<number, number>> => pastBlocksLeft(world.database, [listener.chainId]);
  const reading = "Past blocks are being read, from 5 to 20; the next one is 12.";
  for (const [reason, block, note, blocks] of [
    [null, 20, reading, 9],
    ["failing", 20, reading, 9],
    ["owner", 20, "Reading past blocks is paused at block 12 of 5 to 20.", 0],
    ["gone", 20, "Reading past blocks is paused at block 12 of 5 to 20.", 0],
    [null, 12, "Past blocks are being read, from 5 to 12; the next one is 12.", 1],
    [null, 11, "Reading past blocks waits until block 12 is followed.", 0],
    [null, 3, "Reading past blocks waits until block 12 is followed.", 0],
    // The follower restarts from a lower block.
    ["owner", 3, "Reading past blocks is paused at block 12 of 5 to 12.", 0],
  ] as const) {
    await paused(reason);
    await followed(block);
    expect((await show()).out).toContain(note);
    expect(await left()).toEqual(new Map([[listener.chainId, blocks]]));
  }
  await paused(null);
  await followed(20);
  const lines = await ask<{ listener: number }[]>(data, "webhooks", "list");
  expect(lines.find((line) => line.listener === listener.id)).toMatchObject({ pastBlocks: 9 });
});

test.each([
  [["show", "x"], 'invalid listener id "x"'],
  [["pause", "1"], "listener 1 does not exist"],
  [["replay"], "choose what to replay"],
  [["list", "99"], "project 99 does not exist; see: platform projects list"],
  [["replay", "--uid", "zz"], 'no event has the uid "zz"; see: platform webhooks show LISTENER'],
  [["replay", "--listener", "1"], "listener 1 does not exist; see: platform webhooks list"],
  [["replay", "--uid", "a", "--from-block", "1"], "--from-block and --to-block need --network or --listener"],
  [["replay", "--network", "nowhere"], '"nowhere"'],
  [["show", "1", "--state", "lost"], "expected one of held, waiting"],
  [["show", "1"], "listener 1 does not exist; see: platform webhooks list"],
  [["show", "1", "--most", "0"], "--most: expected a number from 1, found 0"],
  [
    ["replay", "--listener", "1", "--from-block", "9", "--to-block", "8"],
    "--from-block: 9 is above --to-block, 8",
  ],
])("%j is rejected with a reason", async (args, reason) => {
  const { code, err } = await operate(data, "webhooks", ...args);
  expect(code).toBe(1);
  expect(err).toContain(reason);
});

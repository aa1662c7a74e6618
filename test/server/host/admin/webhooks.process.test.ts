import { Webhook } from "standardwebhooks";
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

  expect((await operateInProcess(data, ["webhooks", "show", String(listener.id)])).out).toMatch(
    /The last call, at \S+, failed: it responded with 500\n$/,
  );

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

test("notifications of a range of times are resent", async () => {
  await using receiver = await startReceiver();
  const { listener } = await world.add(receiver.url);
  await world.tell([listener.id], 1);
  await world.tell([listener.id], 2);
  const stored = `update webhook_batch set stored_at = $1 where first_sequence = (
    select $2(sequence) from webhook_notification where listener_id = $3)`;
  for (const [time, end] of [
    ["2026-01-01T12:00:00Z", "min"],
    ["2026-01-02T00:00:00Z", "max"],
  ] as const)
    await world.database.query(stored.replace("$2", end === "min" ? "min" : "-1 + max").replace("$3", "$2"), [
      time,
      listener.id,
    ]);
  await world.database.query("update webhook_notification set state = 'accepted' where listener_id = $1", [
    listener.id,
  ]);
  const resent = async (...range: readonly string[]): Promise<unknown> => {
    const { replayed } = await ask<{ replayed: number }>(
      data,
      ...["webhooks", "replay", "--listener", String(listener.id), "--state", "all", ...range],
    );
    await world.database.query("update webhook_notification set state = 'accepted' where listener_id = $1", [
      listener.id,
    ]);
    return replayed;
  };
  expect(await resent("--since", "2026-01-01", "--until", "2026-01-02")).toBe(1);
  expect(await resent("--since", "2026-01-01T12:00:01Z", "--until", "2026-01-03")).toBe(2);
  expect(await resent("--since", "2026-01-02")).toBe(2);
  expect(await resent("--until", "2026-01-01T12:00:00Z")).toBe(0);
});

test("an operator rotates the secret of a listener, and deletes it", async () => {
  await using receiver = await startReceiver();
  const { listener, secret: oldSecret } = await world.add(receiver.url);
  const { secret } = await ask<{ secret: string }>(data, "webhooks", "rotate", String(listener.id));
  await world.tell([listener.id], 1);
  {
    await using dispatcher = startDispatcher(world.database);
    dispatcher.wake(["127.0.0.1"]);
    await expect.poll(() => receiver.calls.length).toBe(1);
  }
  const [call] = receiver.calls;
  for (const each of [secret, oldSecret])
    expect(() => new Webhook(each).verify(call?.body ?? "", { ...call?.headers })).not.toThrow();

  await world.tell([listener.id], 2);
  const args = ["webhooks", "delete", String(listener.id)];
  expect(await operateInProcess(data, args)).toEqual({
    code: 2,
    out: "",
    err: `platform: listener ${listener.id} of project ${world.projectId} will be deleted, and 2 notifications will not be sent, which cannot be undone; to confirm, repeat the command with --yes\n`,
  });
  expect(await ask(data, ...args, "--yes")).toEqual({
    listener: listener.id,
    projectId: world.projectId,
    notifications: 2,
  });
  const left = await ask<{ listener: number }[]>(data, "webhooks", "list");
  expect(left.map((each) => each.listener)).not.toContain(listener.id);
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
  [["delete", "1"], "listener 1 does not exist; see: platform webhooks list"],
  [["rotate", "1"], "listener 1 does not exist; see: platform webhooks list"],
  [["replay", "--uid", "a", "--since", "2027-01-31"], "--since and --until need --network or --listener"],
  [["replay", "--listener", "1", "--since", "today"], "--since: expected 2027-01-31 or"],
  [
    ["replay", "--listener", "1", "--since", "2027-01-31", "--until", "2027-01-31"],
    "--since: it must be before --until",
  ],
  [
    ["replay", "--listener", "1", "--from-block", "9", "--to-block", "8"],
    "--from-block: 9 is above --to-block, 8",
  ],
])("%j is rejected with a reason", async (args, reason) => {
  const { code, err } = await operate(data, "webhooks", ...args);
  expect(code).toBe(1);
  expect(err).toContain(reason);
});

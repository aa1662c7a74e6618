import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createSecretBox, generateSecret } from "../../../server/webhooks/secret.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { signingKeysOf } from "../../support/signing-keys.ts";
import { openWebhookWorld, startDispatcher, type WebhookWorld } from "../../support/webhook-world.ts";

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

const patient = { timeout: 120_000 };

test("three processes share the destinations, each destination is called by one process, and others take over from a stopped one", async () => {
  const receivers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => startReceiver(undefined, `127.0.1.${index + 1}`)),
  );
  const ids: number[] = [];
  for (const { url } of receivers) ids.push((await world.add(url)).listener.id);
  const processes = [0, 1, 2].map(() => startDispatcher(world.database, { scanIntervalMs: 100 }));
  await world.tell(ids, 10);
  await expect.poll(() => world.states(), patient).toEqual({ accepted: 120 });
  const owners = await world.database.query<{ owner: string; destinations: number }>(
    "select owner, count(*)::int as destinations from webhook_destination group by owner",
  );
  expect(owners.reduce((sum, { destinations }) => sum + destinations, 0)).toBe(12);
  const loads = processes.map((each) => each.load().destinations);
  expect(loads.reduce((sum, destinations) => sum + destinations, 0)).toBe(12);

  await processes[0]?.[Symbol.asyncDispose]();
  await processes[1]?.[Symbol.asyncDispose]();
  await world.tell(ids, 10);
  await expect.poll(() => world.states(), patient).toEqual({ accepted: 240 });
  // None was sent twice, because no process died during a call.
  for (const { calls } of receivers) expect(calls).toHaveLength(20);
  await processes[2]?.[Symbol.asyncDispose]();
  await Promise.all(receivers.map((each: Receiver) => each[Symbol.asyncDispose]()));
});

test("a process without a listener's signing key leaves its deliveries to one that has it", async () => {
  const receivers = [
    await startReceiver(undefined, "127.0.1.1"),
    await startReceiver(undefined, "127.0.1.2"),
  ];
  const listeners: number[] = [];
  for (const { url } of receivers) listeners.push((await world.add(url)).listener.id);
  const [, second] = listeners;
  const [box1, box2] = [1, 2].map((key) => createSecretBox(signingKeysOf(key)));
  await world.database.query("update webhook_listener set secret = $2 where id = $1", [
    second,
    box2?.seal(generateSecret(), second ?? 0),
  ]);
  {
    await using _ = startDispatcher(world.database, { scanIntervalMs: 100 }, box2);
    await world.tell(listeners, 5);
    await expect.poll(() => world.states(), patient).toEqual({ accepted: 5, waiting: 5 });
    await using _other = startDispatcher(world.database, { scanIntervalMs: 100 }, box1);
    await expect.poll(() => world.states(), patient).toEqual({ accepted: 10 });
  }
  expect(await world.database.query("select from webhook_attempt where fault is not null")).toEqual([]);
  for (const receiver of receivers) {
    expect(receiver.calls).toHaveLength(5);
    await receiver[Symbol.asyncDispose]();
  }
});

test("receivers that do not respond, fail, redirect, send endless bodies or respond 410 do not affect others", async () => {
  const good = await startReceiver(undefined, "127.0.2.1");
  const bad = await Promise.all([
    startReceiver(() => {}, "127.0.2.2"),
    startReceiver((res) => res.writeHead(500).end(), "127.0.2.3"),
    startReceiver((res) => res.writeHead(429, { "retry-after": "1" }).end(), "127.0.2.4"),
    startReceiver((res) => res.writeHead(410).end(), "127.0.2.5"),
    startReceiver((res) => res.writeHead(302, { location: "http://127.0.2.1/" }).end(), "127.0.2.6"),
    startReceiver((res) => void res.writeHead(200).write("x".repeat(1_000_000)), "127.0.2.7"),
    // On the same destination as the good receiver.
    startReceiver(() => {}, "127.0.2.1"),
  ]);
  const { listener } = await world.add(good.url);
  const others: number[] = [];
  for (const { url } of bad) others.push((await world.add(url)).listener.id);
  await world.tell([...others, listener.id], 200);
  await using dispatcher = startDispatcher(world.database, {
    responseTimeoutMs: 2_000,
    scanIntervalMs: 100,
    initialRate: 10_000,
  });
  dispatcher.wake([
    "127.0.2.1",
    "127.0.2.2",
    "127.0.2.3",
    "127.0.2.4",
    "127.0.2.5",
    "127.0.2.6",
    "127.0.2.7",
  ]);
  await expect.poll(() => good.calls.length, patient).toBe(200);
  // The unresponsive receiver on the same destination got no more calls than its limit.
  expect(bad.at(-1)?.most()).toBeLessThanOrEqual(6);
  const waiting = (await world.states())["waiting"] ?? 0;
  expect(waiting).toBeGreaterThan(200);
  await Promise.all([good, ...bad].map((each) => each[Symbol.asyncDispose]()));
});

test("the backlog of failing listeners does not take up the buffer of others on the same destination", async () => {
  const bad = await Promise.all(
    Array.from({ length: 5 }, () => startReceiver((res) => res.writeHead(500).end(), "127.0.5.1")),
  );
  await using good = await startReceiver(undefined, "127.0.5.1");
  const failing: number[] = [];
  for (const { url } of bad) failing.push((await world.add(url)).listener.id);
  await world.tell(failing, 300);
  const { listener } = await world.add(good.url);
  // Failed listeners back off for longer than this test waits.
  await using dispatcher = startDispatcher(world.database, { backOffMs: 120_000, maxBackOffMs: 120_000 });
  dispatcher.wake(["127.0.5.1"]);
  await expect.poll(() => dispatcher.told.failed, patient).toBe(5);
  await world.tell([listener.id], 300);
  dispatcher.wake(["127.0.5.1"]);
  await expect.poll(() => good.calls.length, { timeout: 120_000 }).toBe(300);
  for (const { calls } of bad) expect(calls).toHaveLength(1);
  await Promise.all(bad.map((each) => each[Symbol.asyncDispose]()));
});

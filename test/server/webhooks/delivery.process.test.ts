import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { removeListener, updateListener } from "../../../server/webhooks/listeners.ts";
import { startReceiver } from "../../support/receiver.ts";
import { chainId, startDispatcher } from "../../support/webhook-world.ts";
import { destinationsOf, patient, useWebhookWorld } from "./delivery-world.ts";

const shared = useWebhookWorld();

test("each notification is sent once, signed and in order, within the listener's concurrency limit", async () => {
  await using receiver = await startReceiver((res) => setTimeout(() => res.writeHead(200).end("thanks"), 2));
  const { listener, secret } = await shared.world.add(receiver.url);
  await using dispatcher = startDispatcher(shared.world.database, { initialRate: 1_000 });
  await shared.world.tell([listener.id], 300);
  dispatcher.wake(destinationsOf(receiver.url));
  await expect.poll(() => shared.world.states(), patient).toEqual({ accepted: 300 });
  expect(receiver.calls).toHaveLength(300);
  expect(receiver.most()).toBeLessThanOrEqual(6);
  for (const { headers, body } of receiver.calls) {
    expect(headers).toMatchObject({ "content-type": "application/json" });
    new Webhook(secret).verify(body, { ...headers });
  }
  const sequences = receiver.calls.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
  expect(new Set(sequences).size).toBe(300);
  // Six calls are in flight, so none overtakes others by more than that.
  for (const [place, sequence] of sequences.entries())
    expect(Math.abs(place - (sequence - Math.min(...sequences)))).toBeLessThan(12);
  expect(receiver.calls[0]?.headers["webhook-id"]).toMatch(/^[0-9a-f]{64}-1$/);
});

test("format `array` sends a list of one, with numeric fields", async () => {
  await using receiver = await startReceiver();
  const { listener } = await shared.world.add(receiver.url, "array");
  await using dispatcher = startDispatcher(shared.world.database);
  const sequence = await shared.world.tell([listener.id], 1);
  dispatcher.wake(destinationsOf(receiver.url));
  await expect.poll(() => receiver.calls.length, patient).toBe(1);
  expect(JSON.parse(receiver.calls[0]?.body ?? "")).toEqual([
    { id: sequence, sequence, uid: expect.any(String), event: { names: ["a"] }, txnLogIndex: 3 },
  ]);
});

describe("changes of a listener apply to queued notifications", () => {
  const owned = () => ({ projectId: shared.world.projectId, chainId });

  test("a new URL", async () => {
    await using old = await startReceiver((res) => res.writeHead(500).end());
    await using current = await startReceiver(undefined, "127.0.0.2");
    const { listener } = await shared.world.add(old.url);
    await using dispatcher = startDispatcher(shared.world.database, {
      scanIntervalMs: 50,
      retryDelaysMs: [200, 200, 200],
    });
    await shared.world.tell([listener.id], 3);
    dispatcher.wake(destinationsOf(old.url));
    await expect.poll(() => old.calls.length, patient).toBeGreaterThan(0);
    await shared.world.database.transaction((tx) =>
      updateListener(tx, owned(), listener.id, { url: current.url }),
    );
    await expect.poll(() => shared.world.states(), patient).toEqual({ accepted: 3 });
    expect(current.calls).toHaveLength(3);
  });

  test("its removal", async () => {
    await using receiver = await startReceiver((res) => setTimeout(() => res.writeHead(200).end(), 20));
    const { listener } = await shared.world.add(receiver.url);
    await using dispatcher = startDispatcher(shared.world.database);
    await shared.world.tell([listener.id], 1_000);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => receiver.calls.length, patient).toBeGreaterThan(5);
    expect(await removeListener(shared.world.database, owned(), listener.id)).toBe(true);
    await new Promise((done) => setTimeout(done, 500));
    const calls = receiver.calls.length;
    await new Promise((done) => setTimeout(done, 500));
    expect(receiver.calls).toHaveLength(calls);
    expect(calls).toBeLessThan(500);
  });
});

describe("a removal", () => {
  async function tellRemoval(listenerId: number, after: number): Promise<void> {
    const sequence = await shared.world.tell([listenerId], 1);
    await shared.world.database.query(
      "update webhook_notification set after = $2, due_at = 'infinity' where sequence = $1",
      [sequence, after],
    );
  }

  test("is never sent before its addition was accepted", async () => {
    let failures = 2;
    await using receiver = await startReceiver((res) => res.writeHead(failures-- > 0 ? 500 : 200).end());
    const { listener } = await shared.world.add(receiver.url);
    const added = await shared.world.tell([listener.id], 1);
    await tellRemoval(listener.id, added);
    await using dispatcher = startDispatcher(shared.world.database, {
      scanIntervalMs: 50,
      retryDelaysMs: [50, 50, 50],
    });
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => shared.world.states(), patient).toEqual({ accepted: 2 });
    const sequences = receiver.calls.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
    expect(sequences).toEqual([added, added, added, added + 1]);
  });

  test("is dropped together with its failed addition, which is not counted", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(500).end());
    const { listener } = await shared.world.add(receiver.url);
    const added = await shared.world.tell([listener.id], 1);
    await tellRemoval(listener.id, added);
    const dispatcher = startDispatcher(shared.world.database, { retryDelaysMs: [] });
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => shared.world.states(), patient).toEqual({ dropped: 2 });
    await dispatcher[Symbol.asyncDispose]();
    expect(receiver.calls).toHaveLength(1);
    expect(dispatcher.told.notificationsFailed).toBe(0);
  });
});

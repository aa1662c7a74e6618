import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Queries } from "../../../server/base/storage/database.ts";
import { createLeases } from "../../../server/webhooks/delivery/leases.ts";
import { readPage, settle } from "../../../server/webhooks/delivery/queue.ts";
import { removeListener, replaceSecret, updateListener } from "../../../server/webhooks/listeners.ts";
import { startReceiver } from "../../support/receiver.ts";
import {
  chainId,
  openWebhookWorld,
  sealSecret,
  startDispatcher,
  type WebhookWorld,
} from "../../support/webhook-world.ts";

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
const hostsOf = (...urls: readonly string[]) => urls.map((url) => new URL(url).hostname);

test("each notification is sent once, signed and in order, within the listener's concurrency limit", async () => {
  await using receiver = await startReceiver((res) => setTimeout(() => res.writeHead(200).end("thanks"), 2));
  const { listener, secret } = await world.add(receiver.url);
  await using dispatcher = startDispatcher(world.database, { initialRate: 1_000 });
  await world.tell([listener.id], 300);
  dispatcher.wake(hostsOf(receiver.url));
  await expect.poll(() => world.states(), patient).toEqual({ accepted: 300 });
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
  const { listener } = await world.add(receiver.url, "array");
  await using dispatcher = startDispatcher(world.database);
  const sequence = await world.tell([listener.id], 1);
  dispatcher.wake(hostsOf(receiver.url));
  await expect.poll(() => receiver.calls.length, patient).toBe(1);
  expect(JSON.parse(receiver.calls[0]?.body ?? "")).toEqual([
    { id: sequence, sequence, uid: expect.any(String), event: { names: ["a"] }, txnLogIndex: 3 },
  ]);
});

describe("a failed delivery", () => {
  test("is retried on schedule under the same id, then parked", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(500).end());
    const { listener } = await world.add(receiver.url);
    await using dispatcher = startDispatcher(world.database, {
      retryDelaysMs: [50, 100],
      scanIntervalMs: 50,
      backOffMs: 1,
    });
    await world.tell([listener.id], 1);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => world.states(), patient).toEqual({ parked: 1 });
    expect(receiver.calls).toHaveLength(3);
    expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const attempts = await world.database.query<object>(
      "select attempt, status, fault from webhook_attempt order by attempt",
    );
    expect(attempts).toEqual(
      [1, 2, 3].map((attempt) => ({ attempt, status: 500, fault: "it responded with 500" })),
    );
  });

  test.each([
    ["as long as the receiver asks", "3600", 3_500],
    ["as long as the schedule says where the receiver asks for less", "1", 3_000],
  ])("waits %s", async (_, retryAfter, leastSeconds) => {
    await using receiver = await startReceiver((res) =>
      res.writeHead(503, { "retry-after": retryAfter }).end(),
    );
    const { listener } = await world.add(receiver.url);
    await using dispatcher = startDispatcher(world.database, { retryDelaysMs: [3_100_000, 3_100_000] });
    await world.tell([listener.id], 5);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => dispatcher.told.failed, patient).toBe(1);
    await expect
      .poll(async () => (await world.database.query("select 1 from webhook_attempt")).length, patient)
      .toBe(1);
    const [row] = await world.database.query<{ wait: number }>(
      "select extract(epoch from due_at - now())::float8 as wait from webhook_notification order by due_at desc",
    );
    expect(row?.wait).toBeGreaterThan(leastSeconds);
    // The listener's other notifications are not sent while it backs off.
    expect(receiver.calls).toHaveLength(1);
  });

  test("a 410 pauses the listener permanently and keeps its queue", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(410).end());
    const { listener } = await world.add(receiver.url);
    await using dispatcher = startDispatcher(world.database, {
      scanIntervalMs: 50,
      retryDelaysMs: [10],
      backOffMs: 1,
    });
    await world.tell([listener.id], 3);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} gone`]);
    const calls = receiver.calls.length;
    await new Promise((done) => setTimeout(done, 300));
    expect(receiver.calls).toHaveLength(calls);
    expect(await world.states()).toEqual({ waiting: 3 });
  });

  test.each([
    ["a failure", 500, null, "parked"],
    ["a 410", 410, null, "waiting"],
    ["a failed probe", 500, "failing", "waiting"],
  ])(
    "after %s (%i) at the last attempt of a listener with the pause %j, a notification is %s",
    async (_, status, pauseReason, state) => {
      await using receiver = await startReceiver((res) => res.writeHead(status).end());
      const { listener } = await world.add(receiver.url);
      await world.tell([listener.id], 1);
      await world.database.query("update webhook_notification set attempts = 2");
      await world.database.query("update webhook_listener set pause_reason = $1", [pauseReason]);
      await using dispatcher = startDispatcher(world.database, { retryDelaysMs: [600_000, 600_000] });
      dispatcher.wake(hostsOf(receiver.url));
      await expect
        .poll(async () => (await world.database.query("select from webhook_attempt")).length, patient)
        .toBe(1);
      expect(await world.states()).toEqual({ [state]: 1 });
    },
  );

  test("a redirect is a failure and is not followed; so is a refused connection", async () => {
    await using second = await startReceiver();
    await using receiver = await startReceiver((res) => res.writeHead(308, { location: second.url }).end());
    const { listener } = await world.add(receiver.url);
    const { listener: nobody } = await world.add("http://127.0.0.3:1/");
    await using dispatcher = startDispatcher(world.database, { retryDelaysMs: [] });
    await world.tell([listener.id, nobody.id], 1);
    dispatcher.wake(hostsOf(receiver.url, "http://127.0.0.3"));
    await expect.poll(() => world.states(), patient).toEqual({ parked: 2 });
    const faults = await world.database.query<{ fault: string }>(
      "select fault from webhook_attempt order by sequence",
    );
    expect(faults.map(({ fault }) => fault)).toEqual([
      "it responded with 308 (redirects are not followed)",
      "the connection failed",
    ]);
    expect(second.calls).toHaveLength(0);
  });

  test("a 410 ends the probes of a listener that is paused for failing", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(410).end());
    const { listener } = await world.add(receiver.url);
    await world.database.query("update webhook_listener set pause_reason = 'failing'");
    await world.tell([listener.id], 3);
    await using dispatcher = startDispatcher(world.database, { scanIntervalMs: 50, probeIntervalMs: 1 });
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} gone`]);
    const listeners = await world.database.query<object>("select pause_reason from webhook_listener");
    expect(listeners).toEqual([{ pause_reason: "gone" }]);
    expect(await world.states()).toEqual({ waiting: 3 });
    expect(await readDue(world.database, receiver.url)).toEqual([]);
  });

  test("after a change of the signing key, nothing is sent unsigned", async () => {
    await using receiver = await startReceiver();
    const { listener } = await world.add(receiver.url);
    await world.database.query("update webhook_listener set secret = '\\x0102' || secret");
    await using dispatcher = startDispatcher(world.database, { retryDelaysMs: [] });
    await world.tell([listener.id], 1);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => world.states(), patient).toEqual({ parked: 1 });
    expect(receiver.calls).toHaveLength(0);
    const [attempt] = await world.database.query<{ fault: string }>("select fault from webhook_attempt");
    expect(attempt?.fault).toContain("RotateWebhookSecret");
  });
});

/** The due items of a host, as of the transaction's time. */
function readDue(queries: Queries, url: string): ReturnType<typeof readPage> {
  const [host = ""] = hostsOf(url);
  return readPage(queries, {
    host,
    unsettled: [],
    excluded: [],
    limitedToOne: [],
    itemsPerListener: 10,
    limit: 10,
  });
}

/** The database's clock counts microseconds, and stands still within a transaction. */
const ends = [
  ["a microsecond before", "-1 microsecond"],
  ["at", "0"],
  ["a microsecond after", "1 microsecond"],
] as const;

describe("a rotated secret", () => {
  const url = "http://127.0.0.1:9/";

  test("stays valid for one day", async () => {
    const { listener } = await world.add(url);
    const owned = { projectId: world.projectId, chainId };
    await replaceSecret(world.database, owned, listener.id, sealSecret("whsec_AAAA", listener.id));
    const [row] = await world.database.query<object>(
      "select (previous_secret_until - updated_at)::text as lasts from webhook_listener",
    );
    expect(row).toEqual({ lasts: "1 day" });
  });

  test.each([
    [...ends[0], 2],
    [...ends[1], 1],
    [...ends[2], 1],
  ])("%s its expiry signs calls together with the new one, or does not", async (_, passed, signatures) => {
    const { listener } = await world.add(url);
    await world.tell([listener.id], 1);
    const [item] = await world.database.transaction(async (tx) => {
      await tx.query(
        "update webhook_listener set previous_secret = secret, previous_secret_until = now() - $1::interval",
        [passed],
      );
      return readDue(tx, url);
    });
    expect(item?.listener.sealed).toHaveLength(signatures);
  });

  test("lets receivers switch over: deliveries verify with either secret", async () => {
    await using receiver = await startReceiver();
    const { listener, secret } = await world.add(receiver.url);
    const current = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const owned = { projectId: world.projectId, chainId };
    await replaceSecret(world.database, owned, listener.id, sealSecret(current, listener.id));
    await using dispatcher = startDispatcher(world.database);
    await world.tell([listener.id], 1);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => receiver.calls.length, patient).toBe(1);
    const [sent] = receiver.calls;
    for (const known of [secret, current]) new Webhook(known).verify(sent?.body ?? "", { ...sent?.headers });
  });
});

describe("due items", () => {
  const url = "http://127.0.0.1:9/";

  test.each([
    [...ends[0], 0],
    [...ends[1], 1],
    [...ends[2], 1],
  ])("%s its due time an item is read, or not", async (_, passed, count) => {
    const { listener } = await world.add(url);
    await world.tell([listener.id], 1);
    const items = await world.database.transaction(async (tx) => {
      await tx.query("update webhook_notification set due_at = now() - $1::interval", [passed]);
      return readDue(tx, url);
    });
    expect(items).toHaveLength(count);
  });

  test.each([
    [...ends[0], 0],
    [...ends[1], 1],
    [...ends[2], 1],
  ])("%s its probe time a paused listener is probed, or not", async (_, passed, count) => {
    const { listener } = await world.add(url);
    await world.tell([listener.id], 3);
    const items = await world.database.transaction(async (tx) => {
      await tx.query("update webhook_listener set pause_reason = 'failing'");
      await tx.query("insert into webhook_health (listener_id, probe_at) values ($1, now() - $2::interval)", [
        listener.id,
        passed,
      ]);
      return readDue(tx, url);
    });
    expect(items).toHaveLength(count);
  });

  test.each([
    [...ends[0], []],
    [...ends[1], []],
    [...ends[2], ["a.example"]],
  ])("%s the end of a lease another process can claim the host, or not", async (_, passed, claimed) => {
    const hosts = await world.database.transaction(async (tx) => {
      await createLeases(tx, randomUUID(), 10_000).claim(["a.example"]);
      await tx.query("update webhook_destination set lease_until = now() - $1::interval", [passed]);
      return createLeases(tx, randomUUID(), 10_000).claim(["a.example"]);
    });
    expect(hosts).toEqual(claimed);
  });
});

describe("the health of a receiver", () => {
  const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));

  /** Stores one batch for each text, with an attempt for each letter: A is accepted, F failed. Returns the last health. */
  async function healthAfter(...batches: readonly string[]): Promise<object | undefined> {
    const url = "http://127.0.0.1:9/";
    const { listener } = await world.add(url);
    await world.tell([listener.id], 1);
    const [item] = await readDue(world.database, url);
    if (item === undefined) throw new Error("nothing is due");
    let minute = 0;
    let last: object | undefined;
    for (const letters of batches) {
      const results = [...letters].map((letter) => ({
        item,
        state: letter === "A" ? ("accepted" as const) : ("waiting" as const),
        waitMs: 0,
        at: at(++minute),
        tookMs: 1,
        status: letter === "A" ? 200 : 500,
        fault: letter === "A" ? undefined : "it failed",
      }));
      [last] = await settle(world.database, results);
    }
    return last;
  }

  test.each([
    [["F"], { attempts: 1, successes: 0, failingSince: at(1) }],
    [["F", "FF"], { attempts: 3, successes: 0, failingSince: at(1) }],
    [["A", "F"], { attempts: 2, successes: 1, failingSince: at(2) }],
    [["AF", "F"], { attempts: 3, successes: 1, failingSince: at(2) }],
    [["F", "AF"], { attempts: 3, successes: 1, failingSince: at(3) }],
    [["F", "FA"], { attempts: 3, successes: 1, failingSince: undefined }],
  ])("counts all batches: %j", async (batches, health) => {
    expect(await healthAfter(...batches)).toMatchObject(health);
  });
});

describe("a listener whose receiver always fails", () => {
  test("since its first attempt is paused, probed, and resumed after a successful probe", async () => {
    let isGood = false;
    await using receiver = await startReceiver((res) => res.writeHead(isGood ? 200 : 503).end());
    const { listener } = await world.add(receiver.url);
    await using dispatcher = startDispatcher(world.database, {
      maxInitialFailures: 5,
      probeIntervalMs: 400,
      scanIntervalMs: 50,
      backOffMs: 1,
      retryDelaysMs: [10, 10, 10],
    });
    await world.tell([listener.id], 20);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} failing`]);
    const before = receiver.calls.length;
    await new Promise((done) => setTimeout(done, 1_000));
    // One probe every 400 ms, not the whole backlog.
    expect(receiver.calls.length - before).toBeLessThanOrEqual(4);
    const { waiting = 0 } = await world.states();
    expect(waiting).toBeGreaterThan(10);
    isGood = true;
    await expect
      .poll(() => dispatcher.told.paused, patient)
      .toEqual([`${listener.id} failing`, `${listener.id} resumed`]);
    await expect.poll(async () => (await world.states())["waiting"] ?? 0, patient).toBe(0);
  });

  test("for five days is paused", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(500).end());
    const { listener } = await world.add(receiver.url);
    await world.database.query(
      "insert into webhook_health values ($1, 1000, 900, now() - interval '5 days', null)",
      [listener.id],
    );
    await using dispatcher = startDispatcher(world.database);
    await world.tell([listener.id], 1);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} failing`]);
  });
});

describe("changes of a listener apply to queued notifications", () => {
  const owned = () => ({ projectId: world.projectId, chainId });

  test("a new URL", async () => {
    await using old = await startReceiver((res) => res.writeHead(500).end());
    await using current = await startReceiver(undefined, "127.0.0.2");
    const { listener } = await world.add(old.url);
    await using dispatcher = startDispatcher(world.database, {
      scanIntervalMs: 50,
      retryDelaysMs: [200, 200, 200],
    });
    await world.tell([listener.id], 3);
    dispatcher.wake(hostsOf(old.url));
    await expect.poll(() => old.calls.length, patient).toBeGreaterThan(0);
    await world.database.transaction((tx) => updateListener(tx, owned(), listener.id, { url: current.url }));
    await expect.poll(() => world.states(), patient).toEqual({ accepted: 3 });
    expect(current.calls).toHaveLength(3);
  });

  test("its removal", async () => {
    await using receiver = await startReceiver((res) => setTimeout(() => res.writeHead(200).end(), 20));
    const { listener } = await world.add(receiver.url);
    await using dispatcher = startDispatcher(world.database);
    await world.tell([listener.id], 1_000);
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => receiver.calls.length, patient).toBeGreaterThan(5);
    expect(await removeListener(world.database, owned(), listener.id)).toBe(true);
    await new Promise((done) => setTimeout(done, 500));
    const calls = receiver.calls.length;
    await new Promise((done) => setTimeout(done, 500));
    expect(receiver.calls).toHaveLength(calls);
    expect(calls).toBeLessThan(500);
  });
});

describe("a removal", () => {
  async function tellRemoval(listenerId: number, after: number): Promise<void> {
    const sequence = await world.tell([listenerId], 1);
    await world.database.query(
      "update webhook_notification set after = $2, due_at = 'infinity' where sequence = $1",
      [sequence, after],
    );
  }

  test("is never sent before its addition was accepted", async () => {
    let failures = 2;
    await using receiver = await startReceiver((res) => res.writeHead(failures-- > 0 ? 500 : 200).end());
    const { listener } = await world.add(receiver.url);
    const added = await world.tell([listener.id], 1);
    await tellRemoval(listener.id, added);
    await using dispatcher = startDispatcher(world.database, {
      scanIntervalMs: 50,
      retryDelaysMs: [50, 50, 50],
    });
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => world.states(), patient).toEqual({ accepted: 2 });
    const sequences = receiver.calls.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
    expect(sequences).toEqual([added, added, added, added + 1]);
  });

  test("is dropped together with its parked addition", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(500).end());
    const { listener } = await world.add(receiver.url);
    const added = await world.tell([listener.id], 1);
    await tellRemoval(listener.id, added);
    await using dispatcher = startDispatcher(world.database, { retryDelaysMs: [] });
    dispatcher.wake(hostsOf(receiver.url));
    await expect.poll(() => world.states(), patient).toEqual({ dropped: 2 });
    expect(receiver.calls).toHaveLength(1);
  });
});

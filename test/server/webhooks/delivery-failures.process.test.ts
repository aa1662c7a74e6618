import { describe, expect, test } from "vitest";
import { countFailing } from "../../../server/webhooks/delivery/maintenance.ts";
import { storeResults } from "../../../server/webhooks/delivery/results.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startDispatcher } from "../../support/webhook-world.ts";
import { destinationsOf, patient, readDue, useWebhookWorld } from "./delivery-world.ts";

const shared = useWebhookWorld();

describe("a failed delivery", () => {
  test("is retried on schedule under the same id, then fails", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(500).end());
    const { listener } = await shared.world.add(receiver.url);
    await using dispatcher = startDispatcher(shared.world.database, {
      retryDelaysMs: [50, 100],
      scanIntervalMs: 50,
      backOffMs: 1,
    });
    await shared.world.tell([listener.id], 1);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => shared.world.states(), patient).toEqual({ failed: 1 });
    await expect.poll(() => dispatcher.told.notificationsFailed, patient).toBe(1);
    expect(receiver.calls).toHaveLength(3);
    expect(new Set(receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const attempts = await shared.world.database.query<object>(
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
    const { listener } = await shared.world.add(receiver.url);
    await using dispatcher = startDispatcher(shared.world.database, {
      retryDelaysMs: [3_100_000, 3_100_000],
    });
    await shared.world.tell([listener.id], 5);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => dispatcher.told.failed, patient).toBe(1);
    await expect
      .poll(async () => (await shared.world.database.query("select 1 from webhook_attempt")).length, patient)
      .toBe(1);
    const [row] = await shared.world.database.query<{ wait: number }>(
      "select extract(epoch from due_at - now())::float8 as wait from webhook_notification order by due_at desc",
    );
    expect(row?.wait).toBeGreaterThan(leastSeconds);
    // The listener's other notifications are not sent while it backs off.
    expect(receiver.calls).toHaveLength(1);
  });

  test("a 410 pauses the listener permanently and keeps its queue", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(410).end());
    const { listener } = await shared.world.add(receiver.url);
    await using dispatcher = startDispatcher(shared.world.database, {
      scanIntervalMs: 50,
      retryDelaysMs: [10],
      backOffMs: 1,
    });
    await shared.world.tell([listener.id], 3);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} gone`]);
    // Calls that were in flight before the pause may still arrive.
    const arrivingIn300Ms = async (): Promise<number> => {
      const before = receiver.calls.length;
      await new Promise((done) => setTimeout(done, 300));
      return receiver.calls.length - before;
    };
    await expect.poll(arrivingIn300Ms, patient).toBe(0);
    expect(await shared.world.states()).toEqual({ waiting: 3 });
  });

  test.each([
    ["a failure", 500, null, "failed"],
    ["a 410", 410, null, "waiting"],
    ["a failed probe", 500, "failing", "waiting"],
  ])(
    "after %s (%i) at the last attempt of a listener with the pause %j, a notification is %s",
    async (_, status, pauseReason, state) => {
      await using receiver = await startReceiver((res) => res.writeHead(status).end());
      const { listener } = await shared.world.add(receiver.url);
      await shared.world.tell([listener.id], 1);
      await shared.world.database.query("update webhook_notification set attempts = 2");
      await shared.world.database.query("update webhook_listener set pause_reason = $1", [pauseReason]);
      await using dispatcher = startDispatcher(shared.world.database, { retryDelaysMs: [600_000, 600_000] });
      dispatcher.wake(destinationsOf(receiver.url));
      await expect
        .poll(async () => (await shared.world.database.query("select from webhook_attempt")).length, patient)
        .toBe(1);
      expect(await shared.world.states()).toEqual({ [state]: 1 });
    },
  );

  test("a redirect is a failure and is not followed; so is a refused connection", async () => {
    await using second = await startReceiver();
    await using receiver = await startReceiver((res) => res.writeHead(308, { location: second.url }).end());
    const { listener } = await shared.world.add(receiver.url);
    const { listener: unreachable } = await shared.world.add("http://127.0.0.3:1/");
    await using dispatcher = startDispatcher(shared.world.database, { retryDelaysMs: [] });
    await shared.world.tell([listener.id, unreachable.id], 1);
    dispatcher.wake(destinationsOf(receiver.url, "http://127.0.0.3"));
    await expect.poll(() => shared.world.states(), patient).toEqual({ failed: 2 });
    const faults = await shared.world.database.query<{ fault: string }>(
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
    const { listener } = await shared.world.add(receiver.url);
    await shared.world.database.query("update webhook_listener set pause_reason = 'failing'");
    await shared.world.tell([listener.id], 3);
    await using dispatcher = startDispatcher(shared.world.database, {
      scanIntervalMs: 50,
      probeIntervalMs: 1,
    });
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} gone`]);
    const listeners = await shared.world.database.query<object>("select pause_reason from webhook_listener");
    expect(listeners).toEqual([{ pause_reason: "gone" }]);
    expect(await shared.world.states()).toEqual({ waiting: 3 });
    expect(await readDue(shared.world.database, receiver.url)).toEqual([]);
  });

  test("after a change of the signing key, nothing is sent unsigned", async () => {
    await using receiver = await startReceiver();
    const { listener } = await shared.world.add(receiver.url);
    await shared.world.database.query("update webhook_listener set secret = '\\x0102' || secret");
    await using dispatcher = startDispatcher(shared.world.database, { retryDelaysMs: [] });
    await shared.world.tell([listener.id], 1);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => shared.world.states(), patient).toEqual({ failed: 1 });
    expect(receiver.calls).toHaveLength(0);
    const [attempt] = await shared.world.database.query<{ fault: string }>(
      "select fault from webhook_attempt",
    );
    expect(attempt?.fault).toContain("RotateWebhookSecret");
  });
});

describe("the health of a receiver", () => {
  const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));

  /** Stores one batch for each text, with an attempt for each letter: A is accepted, F failed. Returns the last health. */
  async function healthAfter(...batches: readonly string[]): Promise<object | undefined> {
    const url = "http://127.0.0.1:9/";
    const { listener } = await shared.world.add(url);
    await shared.world.tell([listener.id], 1);
    const [item] = await readDue(shared.world.database, url);
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
      [last] = (await storeResults(shared.world.database, results)).health;
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
    const { listener } = await shared.world.add(receiver.url);
    await using dispatcher = startDispatcher(shared.world.database, {
      maxInitialFailures: 5,
      probeIntervalMs: 400,
      scanIntervalMs: 50,
      backOffMs: 1,
      retryDelaysMs: [10, 10, 10],
    });
    await shared.world.tell([listener.id], 20);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} failing`]);
    const before = receiver.calls.length;
    await new Promise((done) => setTimeout(done, 1_000));
    // One probe every 400 ms, not the whole backlog.
    expect(receiver.calls.length - before).toBeLessThanOrEqual(4);
    const { waiting = 0 } = await shared.world.states();
    expect(waiting).toBeGreaterThan(10);
    isGood = true;
    await expect
      .poll(() => dispatcher.told.paused, patient)
      .toEqual([`${listener.id} failing`, `${listener.id} resumed`]);
    await expect.poll(async () => (await shared.world.states())["waiting"] ?? 0, patient).toBe(0);
  });

  test("for a minute is reported once, and again when it succeeds", async () => {
    let status = 500;
    await using receiver = await startReceiver((res) => res.writeHead(status).end());
    const { listener } = await shared.world.add(receiver.url);
    await using dispatcher = startDispatcher(shared.world.database, {
      retryDelaysMs: Array<number>(1_000).fill(10),
      scanIntervalMs: 50,
      backOffMs: 1,
      maxBackOffMs: 10,
      reportFailingMs: 500,
      maxInitialFailures: 1_000_000,
    });
    await shared.world.tell([listener.id], 1);
    dispatcher.wake(destinationsOf(receiver.url));
    const failing = `${listener.id} of ${shared.world.projectId} at 127.0.0.1: it responded with 500`;
    await expect.poll(() => dispatcher.told.changes, patient).toEqual([failing]);
    expect(await countFailing(shared.world.database)).toBe(1);
    const before = dispatcher.told.failed;
    await expect.poll(() => dispatcher.told.failed, patient).toBeGreaterThan(before + 2);
    expect(dispatcher.told.changes).toEqual([failing]);
    status = 200;
    await expect.poll(() => dispatcher.told.changes, patient).toEqual([failing, `${listener.id} recovered`]);
    expect(await countFailing(shared.world.database)).toBe(0);
  });

  test("for five days is paused", async () => {
    await using receiver = await startReceiver((res) => res.writeHead(500).end());
    const { listener } = await shared.world.add(receiver.url);
    await shared.world.database.query(
      "insert into webhook_health values ($1, 1000, 900, now() - interval '5 days', null)",
      [listener.id],
    );
    await using dispatcher = startDispatcher(shared.world.database);
    await shared.world.tell([listener.id], 1);
    dispatcher.wake(destinationsOf(receiver.url));
    await expect.poll(() => dispatcher.told.paused, patient).toEqual([`${listener.id} failing`]);
  });
});

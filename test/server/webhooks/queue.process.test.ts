import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listWebhooks, showWebhook } from "../../../server/host/admin/commands/webhooks.ts";
import { createLeases } from "../../../server/webhooks/delivery/dispatcher.ts";
import { deliveryLimits } from "../../../server/webhooks/delivery/limits.ts";
import {
  dueDestinations,
  oldestDueSeconds,
  type PageRequest,
  readPage,
} from "../../../server/webhooks/delivery/queue.ts";
import {
  pauseFailing,
  pauseGone,
  resume,
  scheduleProbe,
} from "../../../server/webhooks/delivery/receiver-health.ts";
import { storeResults } from "../../../server/webhooks/delivery/results.ts";
import type { ChangedListener } from "../../../server/webhooks/events.ts";
import {
  pauseAllListeners,
  removeAllListeners,
  resumeAllListeners,
  setPaused,
  toggleListener,
  updateListener,
} from "../../../server/webhooks/listeners.ts";
import type { NotificationState } from "../../../server/webhooks/notifications.ts";
import { replay } from "../../../server/webhooks/replay.ts";
import { chainId, keyIds, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

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

const url = "http://127.0.0.1:9/";
const me = "00000000-0000-4000-8000-000000000001";
const otherKey = "0123456789abcdef";
const someone = "00000000-0000-4000-8000-000000000002";
const add = async (): Promise<number> => (await world.add(url)).listener.id;
const due = (ids = keyIds) => dueDestinations(world.database, me, ids);
const run = (sql: string, values: readonly unknown[] = []) => world.database.query<object>(sql, values);

describe("a page of due items", () => {
  const read = async (more: Partial<PageRequest> = {}): Promise<readonly (readonly [number, number])[]> => {
    const request = { destination: "127.0.0.1", keyIds, unstored: [], excluded: [], limitedToOne: [] };
    const items = await readPage(world.database, { ...request, itemsPerListener: 3, limit: 10, ...more });
    return items.map(({ listener, sequence }) => [listener.id, sequence]);
  };

  test("takes turns between listeners, each in the order of its due times and sequences", async () => {
    const [first, second] = [await add(), await add()];
    const last = await world.tell([first, second], 4);
    const [a, b] = [last - 7, last - 6];
    // The third item of the first listener is the oldest due one.
    await run("update webhook_notification set due_at = now() - interval '1 hour' where sequence = $1", [
      a + 4,
    ]);
    expect(await read()).toEqual([
      [first, a + 4],
      [second, b],
      [first, a],
      [second, b + 2],
      [first, a + 2],
      [second, b + 4],
    ]);
    expect(await read({ limit: 3 })).toHaveLength(3);
    expect(await read({ itemsPerListener: 1 })).toEqual([
      [first, a + 4],
      [second, b],
    ]);
    expect(await read({ excluded: [first] })).toEqual([
      [second, b],
      [second, b + 2],
      [second, b + 4],
    ]);
    expect(await read({ limitedToOne: [second], excluded: [first] })).toEqual([[second, b]]);
    expect(
      await read({ unstored: [{ chainId, sequence: b }], excluded: [first], itemsPerListener: 1 }),
    ).toEqual([[second, b + 2]]);
    expect(await read({ destination: "127.0.0.2" })).toEqual([]);
  });

  test.each([
    [null, 3, false],
    ["failing", 1, true],
    ["owner", 0, undefined],
    ["gone", 0, undefined],
  ])("has of a listener with the pause %j %i items", async (reason, count, isProbe) => {
    const id = await add();
    await world.tell([id], 3);
    await run("update webhook_listener set pause_reason = $1", [reason]);
    const request = { destination: "127.0.0.1", keyIds, unstored: [], excluded: [], limitedToOne: [] };
    const items = await readPage(world.database, { ...request, itemsPerListener: 3, limit: 10 });
    expect(items).toHaveLength(count);
    expect(items[0]?.listener.isProbe).toBe(isProbe);
    expect(await due()).toEqual(count > 0 ? ["127.0.0.1"] : []);
  });

  test.each(["accepted", "failed", "dropped"] as const)("has no %s items", async (state) => {
    await world.tell([await add()], 1);
    await run("update webhook_notification set state = $1", [state]);
    expect(await read()).toEqual([]);
    expect(await due()).toEqual([]);
  });

  test("counts the attempts since the last replay", async () => {
    await world.tell([await add()], 1);
    await run("update webhook_notification set attempts = 5, attempts_before = 3");
    const request = { destination: "127.0.0.1", keyIds, unstored: [], excluded: [], limitedToOne: [] };
    const [item] = await readPage(world.database, { ...request, itemsPerListener: 3, limit: 10 });
    expect(item?.attempts).toBe(2);
  });
});

describe("destinations with due items", () => {
  test.each([
    [me, "1 minute", true],
    [someone, "1 minute", false],
    [someone, "-1 second", true],
  ])("leased to %s for %s are found: %s", async (owner, lease, areFound) => {
    await world.tell([await add()], 1);
    await run(
      "insert into webhook_destination (host, owner, lease_until) values ('127.0.0.1', $1, now() + $2::interval)",
      [owner, lease],
    );
    expect(await due()).toEqual(areFound ? ["127.0.0.1"] : []);
  });

  test("are found if a key of the process signs any due item", async () => {
    const [first, second] = [await add(), await add()];
    await world.tell([first], 1);
    expect(await due(keyIds)).toEqual(["127.0.0.1"]);
    expect(await due([otherKey])).toEqual([]);
    await world.tell([second], 1);
    await run(
      "update webhook_listener set secret = substr(secret, 1, 4) || decode($2, 'hex') || substr(secret, 13) where id = $1",
      [second, otherKey],
    );
    expect(await due(keyIds)).toEqual(["127.0.0.1"]);
    expect(await due([otherKey])).toEqual(["127.0.0.1"]);
    // Given up: no process can sign.
    await run("update webhook_listener set secret = ''");
    expect(await due([...keyIds, otherKey])).toEqual([]);
    expect(await oldestDueSeconds(world.database)).toBe(0);
  });

  test("are not found before an item is due", async () => {
    await world.tell([await add()], 1);
    await run("update webhook_notification set due_at = now() + interval '1 minute'");
    expect(await due()).toEqual([]);
    expect(await oldestDueSeconds(world.database)).toBe(0);
  });

  test.each([
    [null, 100],
    ["failing", 0],
    ["owner", 0],
  ])("with the pause %j count as late: %i seconds", async (reason, seconds) => {
    const [first, second] = [await add(), await add()];
    await world.tell([first, second], 1);
    await run("update webhook_listener set pause_reason = $1", [reason]);
    await run(
      "update webhook_notification set due_at = now() - interval '100 seconds' where listener_id = $1",
      [first],
    );
    expect(Math.round((await oldestDueSeconds(world.database)) / 100) * 100).toBe(seconds);
  });
});

test("a lease is renewed and released by its owner only", async () => {
  for (const host of ["a", "b", "c"]) await world.add(`https://${host}.example/`);
  const leasesOf = (owner: string) => createLeases(world.database, { owner, leaseMs: 60_000, keyIds });
  const [mine, other] = [leasesOf(me), leasesOf(someone)];
  expect(await mine.claim(["a.example", "b.example"])).toEqual(["a.example", "b.example"]);
  expect(await other.claim(["a.example", "c.example"])).toEqual(["c.example"]);
  expect(await mine.claim(["a.example"])).toEqual(["a.example"]);
  expect(await other.renew(["a.example", "c.example"])).toEqual(["c.example"]);
  await other.release(["a.example", "c.example"]);
  expect(await other.claim(["a.example", "c.example"])).toEqual(["c.example"]);
  await mine.release(["a.example"]);
  expect(await other.claim(["a.example"])).toEqual(["a.example"]);
  expect(await mine.claim([])).toEqual([]);
});

test("a destination is claimed only with the signing key of one of its listeners", async () => {
  await world.add("https://a.example/");
  const leases = createLeases(world.database, { owner: me, leaseMs: 60_000, keyIds: [otherKey] });
  expect(await leases.claim(["a.example"])).toEqual([]);
});

describe("the platform's own pauses", () => {
  const reasonAfter = async (
    reason: string | null,
    change: (id: number) => Promise<ChangedListener | undefined>,
  ): Promise<readonly [boolean, unknown]> => {
    const id = await add();
    await run("update webhook_listener set pause_reason = $1", [reason]);
    const changed = await change(id);
    if (changed !== undefined)
      expect(changed).toEqual({ listenerId: id, project: world.projectId, host: "127.0.0.1" });
    const isChanged = changed !== undefined;
    const [row] = await world.database.query<{ pause_reason: unknown }>(
      "select pause_reason from webhook_listener",
    );
    return [isChanged, row?.pause_reason];
  };

  test.each([
    [null, [true, "failing"], [true, "gone"], [false, null]],
    ["failing", [false, "failing"], [true, "gone"], [true, null]],
    ["owner", [false, "owner"], [false, "owner"], [false, "owner"]],
    ["gone", [false, "gone"], [false, "gone"], [false, "gone"]],
  ])("of a listener with the pause %j", async (reason, failing, gone, resumed) => {
    expect(await reasonAfter(reason, (id) => pauseFailing(world.database, id, deliveryLimits))).toEqual(
      failing,
    );
    await run("delete from webhook_listener");
    expect(await reasonAfter(reason, (id) => pauseGone(world.database, id))).toEqual(gone);
    await run("delete from webhook_listener");
    expect(await reasonAfter(reason, (id) => resume(world.database, id))).toEqual(resumed);
  });

  test("probe a failing receiver an hour after its pause, and after each probe", async () => {
    const id = await add();
    await pauseFailing(world.database, id, deliveryLimits);
    const minutes = async (): Promise<unknown> => {
      const [row] = await world.database.query<{ minutes: number }>(
        "select round(extract(epoch from probe_at - now()) / 60)::int as minutes from webhook_health",
      );
      return row?.minutes;
    };
    expect(await minutes()).toBe(60);
    await run("update webhook_health set probe_at = now()");
    await scheduleProbe(world.database, id, deliveryLimits);
    expect(await minutes()).toBe(60);
  });
});

describe("the health of a receiver", () => {
  const scope = () => ({ projectId: world.projectId, chainId });
  const changes: readonly (readonly [
    string,
    string | null,
    (id: number) => Promise<unknown>,
    isReset: boolean,
  ])[] = [
    [
      "a new URL",
      null,
      (id) => updateListener(world.database, scope(), id, { url: "http://127.0.0.2/" }),
      true,
    ],
    ["a new name", null, (id) => updateListener(world.database, scope(), id, { name: "a" }), false],
    [
      "an update that resumes it",
      "failing",
      (id) => updateListener(world.database, scope(), id, { active: true }),
      true,
    ],
    [
      "an update that pauses it",
      null,
      (id) => updateListener(world.database, scope(), id, { active: false }),
      false,
    ],
    ["a toggle that resumes it", "gone", (id) => toggleListener(world.database, scope(), id), true],
    ["a toggle that pauses it", null, (id) => toggleListener(world.database, scope(), id), false],
    ["the resumption of all", "failing", () => resumeAllListeners(world.database, scope()), true],
    ["the resumption of all others", null, () => resumeAllListeners(world.database, scope()), false],
    ["the pause of all", null, () => pauseAllListeners(world.database, scope()), false],
    ["an operator who resumes it", "owner", (id) => setPaused(world.database, id, false), true],
    ["an operator who pauses it", null, (id) => setPaused(world.database, id, true), false],
  ];

  test.each(changes)("is reset by %s, or not", async (_, reason, change, isReset) => {
    const id = await add();
    await run("update webhook_listener set pause_reason = $1", [reason]);
    await run("insert into webhook_health (listener_id, attempts) values ($1, 7)", [id]);
    await change(id);
    expect(await run("select attempts::int from webhook_health")).toEqual(isReset ? [] : [{ attempts: 7 }]);
  });
});

test("changes of all listeners leave those of other networks and projects", async () => {
  const [mine, otherChain, otherProject] = [await add(), await add(), await add()];
  await run("insert into webhook_network (chain_id) values (137) on conflict do nothing");
  await run("update webhook_listener set chain_id = 137 where id = $1", [otherChain]);
  await run(
    "with other as (insert into project (name) values ('Other') returning id) update webhook_listener set project_id = other.id from other where webhook_listener.id = $1",
    [otherProject],
  );
  const scope = { projectId: world.projectId, chainId };
  const paused = async (): Promise<readonly number[]> =>
    (
      await world.database.query<{ id: string }>(
        "select id from webhook_listener where pause_reason = 'owner'",
      )
    ).map(({ id }) => Number(id));
  await pauseAllListeners(world.database, scope);
  expect(await paused()).toEqual([mine]);
  await run("update webhook_listener set pause_reason = 'owner'");
  await resumeAllListeners(world.database, scope);
  expect((await paused()).toSorted()).toEqual([otherChain, otherProject].toSorted());
  await removeAllListeners(world.database, scope);
  expect(await run("select from webhook_listener")).toHaveLength(2);
  expect(await listWebhooks(world.database, world.projectId)).toMatchObject([{ listener: otherChain }]);
  expect(await listWebhooks(world.database, null)).toHaveLength(2);
});

describe("a replay", () => {
  /** Stores a notification in each state, in blocks 1 to 4. */
  async function fill(id: number): Promise<void> {
    let last = 0;
    for (let block = 1; block <= 4; block++) {
      last = await world.tell([id], 1);
      await run("update webhook_batch set block_number = $1 where first_sequence = $2", [block, last]);
    }
    await run(
      "update webhook_notification set attempts = 3, state = (array['waiting', 'accepted', $2, 'dropped'])[sequence - $1 + 4]",
      [last, "failed"],
    );
  }

  test.each([
    [{ onlyFailed: true }, 1],
    [{ onlyFailed: false }, 2],
    [{ onlyFailed: false, fromBlock: 2 }, 2],
    [{ onlyFailed: false, fromBlock: 3 }, 1],
    [{ onlyFailed: false, fromBlock: 4 }, 0],
    [{ onlyFailed: false, toBlock: 3 }, 2],
    [{ onlyFailed: false, toBlock: 2 }, 1],
    [{ onlyFailed: false, toBlock: 1 }, 0],
    [{ onlyFailed: false, chainId }, 2],
    [{ onlyFailed: false, chainId: 137 }, 0],
    [{ onlyFailed: false, listenerId: 7 }, 0],
  ])("of %j sends %i again, as new ones", async (filter, count) => {
    await fill(await add());
    await run("update webhook_notification set due_at = 'infinity'");
    expect(await replay(world.database, filter)).toBe(count);
    const due = await run(
      "select from webhook_notification where state = 'waiting' and due_at <= now() and attempts = 3 and attempts_before = 3",
    );
    expect(due).toHaveLength(count);
  });

  test("of an event that does not exist is undefined", async () => {
    expect(await replay(world.database, { onlyFailed: false, uid: "other" })).toBeUndefined();
  });

  test("does not send notifications of removed listeners", async () => {
    await fill(await add());
    await run("delete from webhook_listener");
    expect(await replay(world.database, { onlyFailed: false })).toBe(0);
  });
});

test("an operator sees the newest notifications of a listener first", async () => {
  const id = await add();
  const last = await world.tell([id], 3);
  await run("update webhook_notification set state = $2 where sequence = $1", [last - 1, "failed"]);
  const show = (state: NotificationState | undefined, limit: number) =>
    showWebhook(world.database, id, { state, limit });
  expect((await show(undefined, 2)).map(({ sequence }) => sequence)).toEqual([last, last - 1]);
  expect((await show("waiting", 9)).map(({ sequence }) => sequence)).toEqual([last, last - 2]);
  expect(await show("failed", 9)).toMatchObject([
    { state: "failed", sequence: last - 1, due: null, status: null, type: "BLOCK_ADDED" },
  ]);
});

test("a result is stored once, for a notification that still waits", async () => {
  const id = await add();
  await world.tell([id], 1);
  const request = { destination: "127.0.0.1", keyIds, unstored: [], excluded: [], limitedToOne: [] };
  const [item] = await readPage(world.database, { ...request, itemsPerListener: 3, limit: 10 });
  if (item === undefined) throw new Error("nothing is due");
  const result = { item, waitMs: 90_000, at: new Date(), tookMs: 12.6, status: 500, fault: "it failed" };
  await storeResults(world.database, [{ ...result, state: "waiting" }]);
  expect(
    await run(
      "select state, attempts, round(extract(epoch from due_at - now()))::int as seconds, took_ms, attempt from webhook_notification join webhook_attempt using (sequence)",
    ),
  ).toEqual([{ state: "waiting", attempts: 1, seconds: 90, took_ms: 13, attempt: 1 }]);
  expect((await storeResults(world.database, [{ ...result, state: "failed" }])).failed).toBe(1);
  expect((await storeResults(world.database, [{ ...result, state: "failed" }])).failed).toBe(0);
  await storeResults(world.database, [{ ...result, state: "accepted" }]);
  expect(await world.states()).toEqual({ failed: 1 });
  expect(await run("select attempt from webhook_attempt order by attempt")).toEqual([
    { attempt: 1 },
    { attempt: 2 },
  ]);
});

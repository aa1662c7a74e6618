import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatabaseBusy, DatabaseFault, toDatabaseFault } from "../../../../server/base/storage/fault.ts";
import { DatabaseOutage } from "../../../../server/host/observability/database-outage.ts";
import { DatabaseProblems } from "../../../../server/host/observability/database-problems.ts";
import { createEvents, createFollowerEvents } from "../../../../server/host/observability/events.ts";
import type { Log } from "../../../../server/host/observability/log.ts";
import { Metrics } from "../../../../server/host/observability/metrics.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const away = "the database does not respond; background work waits for it";
const back = "the database responds again";

/** The events of a host and the messages of its log. */
function openHost() {
  const messages: string[] = [];
  const write = (_: object, message: string): void => void messages.push(message);
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log;
  const problems = new DatabaseProblems(log);
  const outage = new DatabaseOutage(log, problems);
  const metrics = new Metrics({ version: "test", schemaVersion: "test" });
  const database = { isAway: true, reason: refused() };
  outage.watch(async () => {
    if (database.isAway) throw database.reason;
  });
  const options = { outage, logAddresses: false, traceId: () => undefined };
  return {
    messages,
    database,
    problems,
    events: createEvents(log, metrics, options),
    followerEvents: createFollowerEvents(log, metrics, outage),
  };
}

const refused = (): unknown => new DatabaseFault("connect ECONNREFUSED");

test("a server that stops while some of its connections still respond is away", async () => {
  const { messages, database, events } = openHost();
  database.isAway = false;
  events.webhooks.failed(refused());
  await vi.advanceTimersByTimeAsync(999);
  database.isAway = true;
  await vi.advanceTimersByTimeAsync(1);
  expect(messages).toEqual([away]);
});

test("an outage has one line when it begins and one when it ends, however often workers fail", async () => {
  const { messages, database, events } = openHost();
  for (let outage = 1; outage <= 2; outage++) {
    database.isAway = true;
    for (let second = 0; second < 600; second++) {
      events.webhooks.failed(refused());
      events.tokens.failed(refused());
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(messages).toEqual([away]);
    database.isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messages.splice(0)).toEqual([away, back]);
  }
});

test("a server that was starting when a worker connected is no failure of the worker, even if it responds by now", async () => {
  const { messages, database, events, followerEvents } = openHost();
  database.isAway = false;
  const starting = toDatabaseFault(Object.assign(new Error("starting up"), { code: "57P03" }));
  events.webhooks.failed(starting);
  followerEvents.failed("polygon", starting);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messages).toEqual([]);
  const ended = toDatabaseFault(Object.assign(new Error("terminated"), { code: "57P01" }));
  followerEvents.failed("polygon", ended);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messages).toEqual(["following the chain failed; retrying"]);
});

const readOnly =
  "the database is read-only; end its read-only mode, or connect to the primary server instead of a read-only replica";
const ended = "the database no longer has the problem";

/** What the server reports with this SQLSTATE. */
const reportedAs = (code: string): unknown => toDatabaseFault(Object.assign(new Error("a secret"), { code }));

test("a problem of the database has one line when it begins, and one when no statement has met it for half a minute", async () => {
  const { messages, problems, database, events, followerEvents } = openHost();
  database.isAway = false;
  for (let second = 0; second < 600; second++) {
    problems.note(reportedAs("25006"));
    events.webhooks.failed(reportedAs("25006"));
    followerEvents.failed("polygon", reportedAs("25006"));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect([messages, problems.current]).toEqual([[readOnly], ["the database is read-only"]]);
  await vi.advanceTimersByTimeAsync(28_999);
  expect(messages).toEqual([readOnly]);
  await vi.advanceTimersByTimeAsync(1);
  expect([messages, problems.current]).toEqual([[readOnly, ended], []]);
});

test("a database that rejects logins responds", async () => {
  const { messages, database, events } = openHost();
  database.reason = reportedAs("28000");
  events.webhooks.failed(refused());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messages).toEqual([
    "the database rejects the login; check the role and the password of DATABASE_URL",
  ]);
});

test.each([
  ["a pool that is exhausted while the database responds", new DatabaseFault("timeout exceeded")],
  ["a busy database", new DatabaseBusy("too many queries wait for a connection")],
  ["a bug", new TypeError("no such property")],
])("%s has a line of the worker, at most one a minute", async (_, cause) => {
  const { messages, database, events } = openHost();
  database.isAway = false;
  for (const [waitMs, lines] of [
    [0, 1],
    [57_000, 1],
    [60_000, 2],
  ] as const) {
    await vi.advanceTimersByTimeAsync(waitMs);
    events.webhooks.failed(cause);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(messages).toEqual(Array(lines).fill("webhook delivery failed; retrying"));
  }
});

import { expect, test } from "vitest";
import type { CallerShare, Transaction } from "../../../../server/base/storage/database.ts";
import { CallerDatabase } from "../../../../server/host/http/caller-database.ts";
import type { HostCall } from "../../../../server/host/http/host-call.ts";
import type { CallDatabase } from "../../../../server/host/services/call-context.ts";

function call(path: string): HostCall {
  return { method: { path } } as unknown as HostCall;
}

/** A database of which only the fullness counts. */
function databaseThat(isFull: () => boolean): CallerDatabase {
  const query = async () => [];
  const shared: CallerShare = {
    isFull,
    query,
    transaction: (work) => work({ query } as unknown as Transaction),
  };
  return new CallerDatabase({ sharedBy: () => shared }, () => []);
}

const uses: readonly (readonly [string, (database: CallDatabase) => Promise<unknown>])[] = [
  ["reads", (database) => database.query("select 1")],
  ["changes records", (database) => database.transaction(async (tx) => tx.query("select 1"))],
];

test.each(uses)("a method that %s is rejected while its caller's shares are used up", async (_, use) => {
  let isFull = true;
  const database = databaseThat(() => isFull);
  const user = call("/rpc/Marketplace/GetFloorOrder");
  // Its first call is not refused: only then is it known to use the database.
  expect(await database.rejectionOf(user)).toBeUndefined();
  await use(database.of(user));
  expect(await database.rejectionOf(call("/rpc/API/Ping"))).toBeUndefined();
  expect(await database.rejectionOf(user)).toMatchObject({ name: "Overloaded", status: 503 });
  isFull = false;
  expect(await database.rejectionOf(user)).toBeUndefined();
});

test("a rejection is delayed, so that callers who retry immediately do not use up the thread", async () => {
  const database = databaseThat(() => true);
  const reader = call("/rpc/Marketplace/GetFloorOrder");
  await database.of(reader).query("select 1");
  const startedAt = performance.now();
  await database.rejectionOf(reader);
  // A timer may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThan(98);
});

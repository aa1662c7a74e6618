/** The migration to batches, and replicas of the previous version that still run after it. */
import { expect, test } from "vitest";
import type { Queries } from "../../../server/base/storage/database.ts";
import { migrate } from "../../../server/base/storage/migrate.ts";
import { migrations } from "../../../server/base/storage/migrations/index.ts";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import { readPage } from "../../../server/webhooks/delivery/queue.ts";
import { uidOf } from "../../../server/webhooks/notify/notification.ts";
import { storeRemovals } from "../../../server/webhooks/notify/removal.ts";
import { emptyDatabase } from "../../support/server.ts";

const chainId = 31_337;
const hash = "a1".repeat(32);

/** Stores events as version 0.1 did: each with two notifications. */
async function storeAsBefore(
  { query }: Queries,
  events: readonly StoredBefore[],
  { firstSequence, isRemoval = false }: { readonly firstSequence: number; readonly isRemoval?: boolean },
): Promise<void> {
  for (const { number, uid, body } of events)
    await query(
      `insert into webhook_event (chain_id, number, block_number, block_hash, log_index, is_removal, occurrence, uid, body)
       values ($1, $2::int, 7, decode($3, 'hex'), $2::int, $5, 1, $6, $4)`,
      [chainId, number, hash, body, isRemoval, uid],
    );
  await query(
    `insert into webhook_notification (chain_id, sequence, listener_id, event)
     select $1, $2::bigint - 1 + row_number() over (order by place, listener), listener, event
     from unnest($3::bigint[]) with ordinality as events (event, place) cross join unnest('{1,2}'::bigint[]) as listener`,
    [
      chainId,
      firstSequence,
      // Removals were numbered in the opposite order.
      (isRemoval ? events.toReversed() : events).map(({ number }) => number),
    ],
  );
}

const typeOf = (isRemoval: boolean) => (isRemoval ? "BLOCK_REMOVED" : "BLOCK_ADDED");

interface StoredBefore {
  readonly number: number;
  readonly uid: string;
  readonly body: string;
}

function eventOf(number: number, { size = 10, isRemoval = false } = {}): StoredBefore {
  const uid = uidOf(chainId, `0x${hash}`, number, typeOf(isRemoval));
  return { number, uid, body: `{"uid":"${uid}","é":"${"ü".repeat(size)}"}` };
}

test("notifications of the previous version stay deliverable, and so are those that its replicas store later", async () => {
  await using server = await emptyDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 10_000, namedStatements: false },
  );
  await migrate(database, migrations.slice(0, 33));
  await database.query("insert into project (name) values ('kept')");
  await database.query(
    `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
     select listener, project.id, $1, 'http://receiver/', 'receiver', 'kept', 'object', '{}', '' from unnest('{1,2}'::bigint[]) as listener, project`,
    [chainId],
  );
  // The sizes around 65,535 bytes, the most of one block in the format of deflate.
  const sizes = [10, 32_762, 32_763, 32_764, 100_000];
  const before = sizes.map((size, index) => eventOf(index + 1, { size }));
  await database.transaction((tx) => storeAsBefore(tx, before, { firstSequence: 1 }));
  await migrate(database);

  const later = [6, 7].map((number) => eventOf(number));
  await database.transaction((tx) => storeAsBefore(tx, later, { firstSequence: 11 }));
  const removals = [8, 9].map((number) => eventOf(number, { isRemoval: true }));
  await database.transaction((tx) => storeAsBefore(tx, removals, { firstSequence: 15, isRemoval: true }));

  const request = { unstored: [], excluded: [], limitedToOne: [], itemsPerListener: 99, limit: 99 };
  const items = await readPage(database, { host: "receiver", ...request });
  const bodies = items
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ storedBody, id }) => ({ storedBody, id }));
  expect(bodies).toEqual(
    [...before, ...later, ...removals.toReversed()].flatMap(({ uid, body: storedBody }) =>
      Array(2).fill({ storedBody, id: `${uid}-1` }),
    ),
  );
  expect(items[0]?.listener.url).toBe("http://receiver/");
});

test("a block that a replica of the previous version removed is not removed twice", async () => {
  await using server = await emptyDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 10_000, namedStatements: false },
  );
  await migrate(database);
  await database.transaction((tx) => storeAsBefore(tx, [eventOf(1)], { firstSequence: 1 }));
  await database.query("update webhook_event set is_gone = true");
  const hosts = await database.transaction((tx) =>
    storeRemovals(
      { ...tx, chainId, isRecent: true },
      { revision: 1, lastSequence: 2, lastEvent: 1, mutedThrough: -1 },
      [{ number: 7, hash: `0x${hash}` }],
    ),
  );
  expect(hosts.size).toBe(0);
  expect(await database.query("select is_gone from webhook_batch")).toEqual([{ is_gone: true }]);
});

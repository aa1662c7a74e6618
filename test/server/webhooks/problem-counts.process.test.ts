import { expect, test } from "vitest";
import type { Queries } from "../../../server/base/storage/database.ts";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import {
  countFailed,
  countPaused,
  maxCounted,
  oldestHeldSeconds,
} from "../../../server/webhooks/delivery/maintenance.ts";
import type { NotificationState } from "../../../server/webhooks/notifications.ts";
import { migratedDatabase } from "../../support/server.ts";

test("held and failed notifications and paused listeners are counted, and nothing else", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
  );
  const counts = async () => ({
    heldHours: Math.floor((await oldestHeldSeconds(database)) / 3_600),
    failed: await countFailed(database),
    paused: await countPaused(database),
  });
  expect(await counts()).toEqual({ heldHours: 0, failed: 0, paused: 0 });

  await database.query("insert into project (id, name) values (7, 'Acme')");
  for (const [id, reason] of [null, "owner", "failing", "gone"].entries())
    await database.query(
      `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret, pause_reason)
       values ($1, 7, 137, 'https://a.example', 'a.example', 'a', 'object', '{}', '', $2)`,
      [id, reason],
    );
  const add = (chainId: number, sequence: number, state: NotificationState, age: string, delivery?: string) =>
    database.query(
      `insert into webhook_notification (chain_id, sequence, listener_id, event, state, delivery, block_number, due_at)
       values ($1, $2, 0, 1, $3, $5, $2, now() - $4::interval)`,
      [chainId, sequence, state, age, delivery ?? null],
    );
  await database.query("insert into webhook_network (chain_id) values (1) on conflict do nothing");
  for (const [index, state] of (["waiting", "accepted", "dropped"] as const).entries())
    await add(137, index, state, "9 days", "finalized");
  expect(await counts()).toEqual({ heldHours: 0, failed: 0, paused: 2 });

  await add(137, 10, "held", "1 hour", "safe");
  await add(137, 11, "held", "1 minute", "safe");
  expect(await counts()).toMatchObject({ heldHours: 1 });
  await add(1, 12, "held", "2 hours", "finalized");
  expect(await counts()).toMatchObject({ heldHours: 2 });
  await add(137, 13, "failed", "1 day");
  await add(1, 14, "failed", "1 day", "finalized");
  expect(await counts()).toMatchObject({ failed: 2 });
  await database.query(
    `insert into webhook_notification (chain_id, sequence, listener_id, event, state)
     select 5, sequence, 0, 1, $2 from generate_series(1, $1::int) as sequence`,
    [maxCounted - 3, "failed"],
  );
  expect(await counts()).toMatchObject({ failed: maxCounted - 1 });
  await add(137, 15, "failed", "1 day");
  expect(await counts()).toMatchObject({ failed: maxCounted });
  await add(137, 16, "failed", "1 day");
  expect(await counts()).toMatchObject({ failed: maxCounted });

  await database.query(
    `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
     select id, 7, 137, 'https://a.example', 'a.example', 'a', 'object', '{}', '' from generate_series(10, 3000) as id`,
  );
  await database.query("analyze webhook_listener");
  expect(await planOf(database, countPaused)).toContain("webhook_listener_paused");
});

/** Returns how Postgres plans the statement of a count. */
async function planOf(database: Queries, count: (queries: Queries) => Promise<number>): Promise<string> {
  let sql = "";
  await count({
    query: async (statement) => {
      sql = typeof statement === "string" ? statement : statement.text;
      return [];
    },
  });
  const lines = await database.query<{ readonly "QUERY PLAN": string }>(`explain ${sql}`);
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

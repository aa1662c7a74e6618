import { expect, test } from "vitest";
import type { Queries } from "../../../server/base/storage/database.ts";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import {
  countFailing,
  countPaused,
  oldestHeldSeconds,
} from "../../../server/webhooks/delivery/maintenance.ts";
import type { NotificationState } from "../../../server/webhooks/notifications.ts";
import { migratedDatabase } from "../../support/server.ts";

test("held notifications, and failing and paused listeners are counted, and nothing else", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
  );
  const counts = async () => ({
    heldHours: Math.floor((await oldestHeldSeconds(database)) / 3_600),
    failing: await countFailing(database),
    paused: await countPaused(database),
  });
  expect(await counts()).toEqual({ heldHours: 0, failing: 0, paused: 0 });

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
  expect(await counts()).toEqual({ heldHours: 0, failing: 0, paused: 2 });

  await add(137, 10, "held", "1 hour", "safe");
  await add(137, 11, "held", "1 minute", "safe");
  expect(await counts()).toMatchObject({ heldHours: 1 });
  await add(1, 12, "held", "2 hours", "finalized");
  expect(await counts()).toMatchObject({ heldHours: 2 });
  // The one that is not paused counts, while notifications wait.
  await database.query(
    "insert into webhook_health (listener_id, failing_since, is_failing) select id, now(), true from webhook_listener",
  );
  expect(await counts()).toMatchObject({ failing: 1 });
  await database.query("update webhook_notification set state = 'failed' where state = 'waiting'");
  expect(await counts()).toMatchObject({ failing: 0 });

  await database.query(
    `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
     select id, 7, 137, 'https://a.example', 'a.example', 'a', 'object', '{}', '' from generate_series(10, 3000) as id`,
  );
  await database.query(
    "insert into webhook_health (listener_id) select id from webhook_listener where id > 3",
  );
  await database.query("analyze webhook_listener, webhook_health");
  expect(await planOf(database, countPaused)).toContain("webhook_listener_paused");
  expect(await planOf(database, countFailing)).toContain("webhook_health_failing");
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

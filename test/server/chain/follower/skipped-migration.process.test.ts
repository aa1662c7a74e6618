/** The migration that renames the table of skipped records, and replicas of version 0.1 that still run after it. */
import { expect, test } from "vitest";
import type { Queries } from "../../../../server/base/storage/database.ts";
import { migrate } from "../../../../server/base/storage/migrate.ts";
import { migrations } from "../../../../server/base/storage/migrations/index.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readSkippedLogs } from "../../../../server/chain/follower/derive/skipped-records.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { emptyDatabase } from "../../../support/server.ts";

const chainId = 31_337;
const hash: Hex = `0x${"a1".repeat(32)}`;

/** The statement of version 0.1. */
function skipAsBefore({ query }: Queries, block: number, logIndex: number): Promise<unknown> {
  return query(
    `insert into follower_parked (chain_id, deriver, step, block_number, block_hash, log_index, reason)
     values ($1, 'webhooks', 'added', $2, $3, $4, 'no room')`,
    [chainId, block, Buffer.from(hash.slice(2), "hex"), logIndex],
  );
}

test("skipped records of version 0.1 stay, and its replicas read, store and delete them as before", async () => {
  await using server = await emptyDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 10_000, namedStatements: false },
  );
  await migrate(database, migrations.slice(0, 38));
  await database.query(
    "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 0, 9)",
    [chainId],
  );
  await skipAsBefore(database, 7, 1);
  await database.query("update follower_parked set parked_at = '2026-11-25'");
  await migrate(database);
  await skipAsBefore(database, 7, 2);
  await skipAsBefore(database, 8, 3);

  const skipped = () =>
    database.transaction((tx) =>
      readSkippedLogs(
        { ...tx, chainId, isRecent: true },
        "webhooks",
        [7, 8].map((number) => ({ number, hash })),
      ),
    );
  expect(await skipped()).toEqual(new Map([[hash, new Set([1, 2, 3])]]));
  expect(
    await database.query(
      `select id, chain_id, deriver, step, block_number, log_index, reason, parked_at > '2026-11-26' as "isNew"
       from follower_parked where $1::bigint is null or chain_id = $1 order by id limit 1000`,
      [chainId],
    ),
  ).toMatchObject([
    { id: "1", log_index: 1, isNew: false },
    { id: "2", log_index: 2, isNew: true },
    { id: "3", log_index: 3, reason: "no room", isNew: true },
  ]);
  await database.query("delete from follower_parked where chain_id = $1 and block_number >= $2", [
    chainId,
    8,
  ]);
  expect(await skipped()).toEqual(new Map([[hash, new Set([1, 2])]]));
});

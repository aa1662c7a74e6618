import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readCheckpoint, requestRewindAtLeastTo } from "../../../../server/chain/follower/checkpoint.ts";
import { migratedDatabase } from "../../../support/server.ts";

test.each<[rewindTo: number | null, stopped: string | null, expected: number | undefined]>([
  [null, null, 10],
  [9, null, 9],
  [11, null, 10],
  [null, "too deep", undefined],
  [11, "too deep", 11],
])(
  "with a requested restart at %j and a stop %j, the follower restarts at %j",
  async (rewindTo, stopped, expected) => {
    await using server = await migratedDatabase();
    await using database = openDatabase(
      { connectionString: server.url },
      { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
    );
    await database.query(
      "insert into follower_cursor (chain_id, epoch, first_block, block_number, rewind_to, stopped) values (1, 1, 0, 20, $1, $2)",
      [rewindTo, stopped],
    );
    await requestRewindAtLeastTo(database, 1, 10);
    expect((await readCheckpoint(database, 1))?.rewindTo).toBe(expected);
  },
);

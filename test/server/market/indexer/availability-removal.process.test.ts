import { expect, test } from "vitest";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import type { BlockRef } from "../../../../server/chain/follower/derive/blocks.ts";
import { createAvailabilityDeriver } from "../../../../server/market/indexer/availability/availability-deriver.ts";
import { migratedDatabase } from "../../../support/server.ts";

const chainId = 137;

test("after a reorganization, facts read in the removed blocks are read again, and others are kept", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 1, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await database.query("insert into market_chain (chain_id, seen_block) values ($1, 12)", [chainId]);
  await database.query(
    `insert into market_fact (chain_id, kind, contract, token_id, spender, read_block, wanted_block)
     select $1, 'royalty', '0x${"1".repeat(40)}', block, '0x${"2".repeat(40)}', block, block from generate_series(8, 12) as block`,
    [chainId],
  );
  const { removed } = createAvailabilityDeriver({ database, markets: new Map(), wake: () => {} });
  const blocks = [12, 11, 10].map((number): BlockRef => ({ number, hash: "0x", parentHash: "0x" }));
  await database.transaction((tx) => removed({ ...tx, chainId, isRecent: true }, blocks));
  const facts = await database.query<object>(
    "select token_id::int as read, read_block::int as block, wanted_block::int as wanted, is_due as due from market_fact order by 1",
  );
  expect(facts).toEqual([
    { read: 8, block: 8, wanted: 8, due: false },
    { read: 9, block: 9, wanted: 9, due: false },
    { read: 10, block: null, wanted: 9, due: true },
    { read: 11, block: null, wanted: 9, due: true },
    { read: 12, block: null, wanted: 9, due: true },
  ]);
  expect(await database.query("select seen_block::int as block from market_chain")).toEqual([{ block: 9 }]);
});

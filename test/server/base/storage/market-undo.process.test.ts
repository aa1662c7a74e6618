/** Migration 22 with Sequence orders of earlier versions: their blocks can still be undone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { migrate } from "../../../../server/base/storage/migrate.ts";
import { migrations } from "../../../../server/base/storage/migrations/index.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { restorePreviousStates } from "../../../../server/market/indexer/sequence-market/undo.ts";
import { lastChangeBlock } from "../../../../server/market/records/orders/order-columns.ts";
import { emptyDatabase } from "../../../support/server.ts";

const chainId = 31_337;
const [maker, other, token, coin, market] = ["aa", "ab", "ac", "ad", "ae"].map(
  (byte) => `0x${byte.repeat(20)}`,
);

let server: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;

beforeAll(async () => {
  server = await emptyDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 10_000, namedStatements: true },
  );
  await migrate(database, migrations.slice(0, 21));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Blocks from 10 on are reversible. All requests are for ten units. */
const told: readonly Told[] = [
  { block: 5, kind: "created", request: 1, maker },
  { block: 5, kind: "created", request: 3, maker: other },
  { block: 5, kind: "created", request: 4, maker: other },
  { block: 9, kind: "accepted", request: 1, remaining: 9 },
  { block: 9, kind: "accepted", request: 4, remaining: 0 },
  { block: 10, kind: "created", request: 2, maker },
  { block: 10, kind: "accepted", request: 1, remaining: 8 },
  { block: 10, kind: "accepted", request: 1, remaining: 6 },
  { block: 11, kind: "accepted", request: 1, remaining: 2 },
  { block: 11, kind: "cancelled", request: 2 },
  { block: 11, kind: "invalidated", maker: other, below: 9 },
];

interface Told {
  readonly block: number;
  readonly kind: string;
  readonly request?: number;
  readonly maker?: string | undefined;
  readonly remaining?: number;
  readonly below?: number;
}

test("events of an earlier version become the states of each order before each reversible block", async () => {
  await keepEvents();
  await keepOrders();
  await keepSeaportOrders();
  expect(await migrate(database)).toMatchObject({ from: 21 });
  // The block of a settled change is unknown, so that of the creation stays.
  expect(await ordersBefore(12)).toEqual([
    "1 inactive 2 at 11",
    "2 cancelled 10 at 11",
    "3 cancelled 10 at 11",
    "4 filled 0 at 5",
  ]);
  expect(await ordersBefore(11)).toEqual([
    "1 inactive 6 at 10",
    "2 inactive 10 at 10",
    "3 inactive 10 at 5",
    "4 filled 0 at 5",
  ]);
  expect(await ordersBefore(10)).toEqual(["1 inactive 9 at 5", "3 inactive 10 at 5", "4 filled 0 at 5"]);
  expect(await database.query("select from market_undo")).toEqual([]);
});

test("Seaport orders get the block of their last stored change", async () => {
  const rows = await database.query<{ readonly line: string }>(
    `select concat_ws(' ', order_id, ${lastChangeBlock("o")}) as line from market_order o where marketplace = 'opensea' order by order_id`,
  );
  expect(rows.map(({ line }) => line)).toEqual(["0xa1 5", "0xa2 8", "0xa3 9", "0xa4 11"]);
});

/** All were created in block 5. The maker's counter changed in block 11, which voids only the last order. */
async function keepSeaportOrders(): Promise<void> {
  for (const [hash, status, changed, kind] of [
    ["a1", "inactive", 5, undefined],
    ["a2", "inactive", 8, "filled"],
    ["a3", "cancelled", 9, "cancelled"],
    ["a4", "cancelled", 11, undefined],
  ] as const) {
    await keepOrder({ id: `0x${hash}`, marketplace: "opensea", status, by: maker, remaining: 2, changed });
    await database.query(
      `insert into seaport_order (order_id, chain_id, order_hash, offerer)
       select id, $1, decode($2, 'hex'), $3 from market_order where order_id = '0x' || $2`,
      [chainId, hash, maker],
    );
    if (kind !== undefined) await keepSeaportChange(changed, kind, hash);
  }
  await keepSeaportChange(11, "counter", undefined);
}

async function keepSeaportChange(block: number, kind: string, hash: string | undefined): Promise<void> {
  await database.query(
    `insert into seaport_change (chain_id, block_hash, log_index, block_number, at, kind, order_hash, offerer)
     values ($1, decode(lpad(to_hex($2::int), 64, '0'), 'hex'), 0, $2, to_timestamp($2), $3, decode($4, 'hex'), $5)`,
    [chainId, block, kind, hash, maker],
  );
}

async function keepEvents(): Promise<void> {
  await database.query(
    "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 0, 11)",
    [chainId],
  );
  await database.query(
    `insert into follower_block (chain_id, number, hash, parent_hash)
     select $1, number, decode(lpad(to_hex(number), 64, '0'), 'hex'), decode(lpad(to_hex(number - 1), 64, '0'), 'hex')
     from generate_series(10, 11) number`,
    [chainId],
  );
  for (const [index, { block, kind, request, maker: who, remaining, below }] of told.entries())
    await database.query(
      `insert into market_change (chain_id, block_hash, log_index, block_number, at, marketplace, kind, request_id, maker, collection,
         remaining, below)
       values ($1, decode(lpad(to_hex($2::int), 64, '0'), 'hex'), $3, $2, to_timestamp($2), 'sequence_marketplace_v2', $4, $5, $6, $7, $8, $9)`,
      [chainId, block, index, kind, request, who, kind === "created" ? token : null, remaining, below],
    );
}

/** In the state of that version after block 11. */
async function keepOrders(): Promise<void> {
  await database.query("insert into collection (chain_id, address) values ($1, $2)", [chainId, token]);
  await database.query("insert into collectible (collection_id, token_id) select id, 7 from collection");
  await database.query(
    "insert into currency (chain_id, address, symbol, name, decimals) values ($1, $2, 'PLAY', 'Play', 6)",
    [chainId, coin],
  );
  for (const [request, status, remaining, changed] of [
    [1, "inactive", 2, 11],
    [2, "cancelled", 10, 11],
    [3, "cancelled", 10, 11],
    [4, "filled", 0, 9],
  ] as const)
    await keepOrder({
      id: String(request),
      marketplace: "sequence_marketplace_v2",
      status,
      by: request < 3 ? maker : other,
      remaining,
      changed,
    });
}

interface Kept {
  readonly id: string;
  readonly marketplace: string;
  readonly status: string;
  readonly by: string | undefined;
  readonly remaining: number;
  readonly changed: number;
}

async function keepOrder({ id, marketplace, status, by, remaining, changed }: Kept): Promise<void> {
  await database.query(
    `insert into market_order (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by, currency_id,
       price_amount, quantity_initial, quantity_remaining, quantity_available, valid_until, block_number, order_created_at,
       order_updated_at, spender)
     select collection.id, collectible.id, $1, $7::market_kind, $7::text::order_source, 'chain', 'listing', $2, $3,
       currency.id, 100, 10, $4, 0, to_timestamp(4102444800), 5, to_timestamp(5), to_timestamp($5), $6
     from collection, collectible, currency`,
    [id, status, by, remaining, changed, market, marketplace],
  );
}

/** After undoing all blocks from this one on. */
async function ordersBefore(block: number): Promise<readonly string[]> {
  await database.transaction((tx) => restorePreviousStates({ ...tx, chainId, isRecent: true }, block));
  const rows = await database.query<{ readonly line: string }>(
    `select concat_ws(' ', order_id, status, quantity_remaining, 'at', ${lastChangeBlock("o")}) as line
     from market_order o where marketplace <> 'opensea' order by order_id`,
  );
  return rows.map(({ line }) => line);
}

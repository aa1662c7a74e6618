import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import {
  collectionKeys,
  currencyKey,
  maxOrders,
  openMarketVersions,
  type StateVersions,
  type Sweep,
  sweepSql,
} from "../../../../server/market/etags/market-versions.ts";
import { collectionAddress, makeMarket } from "../../../support/market-data.ts";
import { migratedDatabase } from "../../../support/server.ts";

const chainId = 137;
const otherChainId = 1;
const tables = ["market_order", "collectible", "asset", "collectible_owner"] as const;

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let state: StateVersions & AsyncDisposable;

beforeAll(async () => {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 3, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await makeMarket(database, { chainId, orders: 600, collections: 150, collectibles: 600 });
  await database.query("insert into collection (chain_id, address) values ($1, $2)", [
    otherChainId,
    collectionAddress(3),
  ]);
  await database.query(`insert into market_order ${anOrder} values ${orderValues("kept")}`);
  state = openMarketVersions(database);
});
afterAll(async () => {
  await state[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const keysOf = (collection: number, chain = chainId): readonly string[] =>
  collectionKeys(chain, [collectionAddress(collection)], tables);

/** The version, once it is certain. */
async function certain(keys: readonly string[]): Promise<string> {
  await expect.poll(() => state.versionOf(keys)).toBeDefined();
  return state.versionOf(keys) ?? certain(keys);
}

/** Each part of the state that a change may concern. */
const parts: Readonly<Record<string, readonly string[]>> = {
  orders: collectionKeys(chainId, [collectionAddress(3)], ["market_order"]),
  tokens: collectionKeys(chainId, [collectionAddress(3)], ["collectible"]),
  assets: collectionKeys(chainId, [collectionAddress(3)], ["asset"]),
  owners: collectionKeys(chainId, [collectionAddress(3)], ["collectible_owner"]),
  "another collection": keysOf(4),
  currencies: [currencyKey(chainId)],
  "another chain": [...keysOf(3, otherChainId), currencyKey(otherChainId)],
};

/** Makes changes, and returns the parts that have another version afterwards. */
async function changedBy(work: (queries: Queries) => Promise<unknown>): Promise<readonly string[]> {
  const before = await Promise.all(Object.values(parts).map(certain));
  await work(database);
  // Messages arrive in the order of commits.
  await fence();
  const after = await Promise.all(Object.values(parts).map(certain));
  return Object.keys(parts).filter((_, index) => before[index] !== after[index]);
}

let fences = 0;

async function fence(): Promise<void> {
  const key = `fence ${++fences}`;
  const before = await certain([key]);
  await database.query("select pg_notify('market_change', $1)", [key]);
  await expect.poll(() => state.versionOf([key])).not.toBe(before);
}

const here = `(select id from collection where chain_id = ${chainId} and address = '${collectionAddress(3)}')`;
const token = `(select min(id) from collectible where collection_id = ${here})`;
const anOrder = `(collection_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
    quantity_remaining, quantity_available, valid_from, valid_until)`;
const orderValues = (
  id: string,
  from = "'2020-01-01Z'",
  until = "'2100-01-01Z'",
  status = "active",
): string =>
  `(${here}, '${id}', 'opensea', 'offer', '${status}', '0x${"1".repeat(40)}', (select min(id) from currency where chain_id = ${chainId}),
    1, 1, 1, 1, ${from}, ${until})`;
/** Only the second of the two changes is noticed. */
const laterEndOf = (endsIn: string): string => `
  alter table currency_rate disable trigger notify_update;
  update currency_rate set good_until = now() + interval '${endsIn}';
  alter table currency_rate enable trigger notify_update;
  update currency_rate set good_until = good_until + interval '1 hour'`;
const rated = `(select min(id) from currency where chain_id = ${chainId})`;

test.each<readonly [string, string, readonly string[]]>([
  ["a new order", `insert into market_order ${anOrder} values ${orderValues("new")}`, ["orders"]],
  [
    "an upsert of an order",
    `insert into market_order ${anOrder} values ${orderValues("new")}
      on conflict (collection_id, order_id, marketplace) do update set price_amount = 2`,
    ["orders"],
  ],
  ["another status", "update market_order set status = 'filled' where order_id = 'new'", ["orders"]],
  ["a deleted order", "delete from market_order where order_id = 'new'", ["orders"]],
  [
    "a new token",
    `insert into collectible (collection_id, token_id) values (${here}, 999999), (${here}, 999998)`,
    ["tokens"],
  ],
  [
    "other metadata",
    `update collectible set name = 'x' where collection_id = ${here} and token_id = 999999`,
    ["tokens"],
  ],
  [
    "a new file",
    `insert into asset (collection_id, collectible_id, metadata_field) values (${here}, ${token}, 'image')`,
    ["assets"],
  ],
  ["another file", `update asset set url = 'https://a.example/' where collection_id = ${here}`, ["assets"]],
  ["a deleted file", `delete from asset where collection_id = ${here}`, ["assets"]],
  [
    "a new owner",
    `insert into collectible_owner (collectible_id, owner, quantity) values (${token}, '0x${"2".repeat(40)}', 1)`,
    ["owners"],
  ],
  ["another amount", `update collectible_owner set quantity = 2 where collectible_id = ${token}`, ["owners"]],
  ["a deleted owner", `delete from collectible_owner where collectible_id = ${token}`, ["owners"]],
  [
    "a new currency",
    `insert into currency (chain_id, address, symbol, name, decimals) values (${chainId}, '0x${"9".repeat(40)}', '', '', 0)`,
    ["currencies"],
  ],
  ["an imported rate", `update currency set usd_rate = 3 where id = ${rated}`, ["currencies"]],
  ["other decimals", `update currency set decimals = 7 where id = ${rated}`, ["currencies"]],
  [
    "another symbol of a currency",
    `update currency set symbol = 'X', asked_at = now() where id = ${rated}`,
    ["currencies"],
  ],
  ["a request for a currency's decimals", `update currency set asked_at = now() where id = ${rated}`, []],
  [
    "a first rate",
    `insert into currency_rate (currency_id, source, usd_rate, good_until, read_at) values (${rated}, 'feed', 1, now() + interval '1 hour', now())`,
    ["currencies"],
  ],
  ["another rate", `update currency_rate set usd_rate = 2 where currency_id = ${rated}`, ["currencies"]],
  [
    "the same rate, read later",
    "update currency_rate set read_at = now() + interval '1 minute', told_at = now()",
    [],
  ],
  ["a later end of a rate", "update currency_rate set good_until = good_until + interval '1 minute'", []],
  [
    "an earlier end of a rate",
    "update currency_rate set good_until = good_until - interval '2 minutes'",
    ["currencies"],
  ],
  // One transaction, and so one time for both statements. The trigger compares with the time that passes meanwhile.
  ["a later end of a rate that ends in 9 s", laterEndOf("9 seconds"), ["currencies"]],
  ["a later end of a rate that ends in 10 s", laterEndOf("10 seconds"), ["currencies"]],
  ["a later end of a rate that ends in 15 s", laterEndOf("15 seconds"), []],
  ["no rate", "update currency_rate set usd_rate = null, good_until = null", ["currencies"]],
  ["still no rate", "update currency_rate set read_at = now()", []],
  [
    "a rate again",
    "update currency_rate set usd_rate = 2, good_until = now() - interval '1 hour'",
    ["currencies"],
  ],
  [
    "a later end of a rate that had ended",
    "update currency_rate set good_until = now() + interval '1 hour'",
    ["currencies"],
  ],
  ["a deleted rate", "delete from currency_rate", ["currencies"]],
  ["an update without rows", "update market_order set status = 'filled' where false", []],
])("%s changes the version of its part only", async (_, sql, expected) => {
  expect(await changedBy((queries) => queries.query(sql))).toEqual(expected);
});

test("a rolled-back change changes no version", async () => {
  const undone = (): Promise<unknown> =>
    database.transaction(async (tx) => {
      await tx.query(`insert into market_order ${anOrder} values ${orderValues("undone")}`);
      await tx.query("update currency set usd_rate = 4");
      throw new Error("undone");
    });
  expect(await changedBy(() => expect(undone()).rejects.toThrow("undone"))).toEqual([]);
});

test.each([
  [99, ["orders"]],
  [100, ["orders"]],
  [101, ["orders", "tokens", "assets", "owners", "another collection"]],
])("a statement that changes %i collections changes %j", async (collections, expected) => {
  const changed = await changedBy((queries) =>
    queries.query(
      `update market_order set price_amount = price_amount + 1 where collection_id in (
        select collection_id from market_order join collection on collection.id = collection_id
        where chain_id = $1 and address <> $2
        group by collection_id order by collection_id <> ${here}, collection_id limit $3
      )`,
      [chainId, collectionAddress(4), collections],
    ),
  );
  expect(changed).toEqual(expected);
});

const orders = parts["orders"] ?? [];

test.each([
  ["starts", "now() + interval '5 seconds'", "'2100-01-01Z'", "active"],
  ["ends", "'2020-01-01Z'", "now() + interval '5 seconds'", "active"],
  ["ends, without being available,", "'2020-01-01Z'", "now() + interval '5 seconds'", "inactive"],
  // Within the time that sweeps had looked at before.
  ["starts at once", "now() + interval '300 milliseconds'", "'2100-01-01Z'", "active"],
  ["ends at once", "'2020-01-01Z'", "now() + interval '300 milliseconds'", "active"],
])("the version changes when an order %s", async (_, from, until, status) => {
  await database.query(
    `insert into market_order ${anOrder} values ${orderValues("timed", from, until, status)}`,
  );
  await expectNoVersionOfBothSides(
    orders,
    "select valid_from, valid_until from market_order where order_id = 'timed'",
  );
  await database.query("delete from market_order where order_id = 'timed'");
});

test("a sweep tells in milliseconds when an order starts and ends", async () => {
  for (const [name, from, until] of [
    ["starting", "now() + interval '3.9 seconds'", undefined],
    ["ending", undefined, "now() + interval '3.9 seconds'"],
  ] as const) {
    await database.query(`insert into market_order ${anOrder} values ${orderValues(name, from, until)}`);
    const [sweep] = await database.query<Sweep>(sweepSql);
    const times =
      sweep?.transitions.filter(({ key }) => keysOf(3).includes(key)).map(({ inMs }) => inMs) ?? [];
    expect(times, name).toHaveLength(1);
    expect(times[0], name).toBeLessThanOrEqual(3_900);
    expect(times[0], name).toBeGreaterThan(100);
    await database.query("delete from market_order where order_id = $1", [name]);
  }
});

test("the version changes when a withdrawn order ends", async () => {
  await database.query(
    `insert into market_order ${anOrder} values ${orderValues("timed", "'2020-01-01Z'", "now() + interval '5 seconds'")}`,
  );
  await database.query("update market_order set deleted_at = now() where order_id = 'timed'");
  await expectNoVersionOfBothSides(orders, "select valid_until from market_order where order_id = 'timed'");
  await database.query("delete from market_order where order_id = 'timed'");
});

test("the version changes when a rate becomes too old", async () => {
  await database.query(
    `insert into currency_rate (currency_id, source, usd_rate, good_until, read_at) values (${rated}, 'feed', 1, now() + interval '5 seconds', now())`,
  );
  await expectNoVersionOfBothSides([currencyKey(chainId)], "select good_until from currency_rate");
});

/** Collects versions until the times of the row have passed, and compares those before and after. */
async function expectNoVersionOfBothSides(keys: readonly string[], sql: string): Promise<void> {
  await fence();
  const before = new Set<string>();
  const after = new Set<string>();
  await expect
    .poll(
      async () => {
        const first = state.versionOf(keys);
        const [row] = await database.query<{ readonly passed: boolean }>(
          `select bool_and(at < now()) as passed from (${sql}) as row, lateral (
            select value::timestamptz as at from json_each_text(to_json(row))
          ) as times where at between now() - interval '1 minute' and now() + interval '1 minute'`,
        );
        const second = state.versionOf(keys);
        // A version on both sides of the query holds for the moment of the query.
        if (first !== undefined && first === second) (row?.passed ? after : before).add(first);
        return after.size;
      },
      { interval: 20 },
    )
    .toBeGreaterThan(0);
  expect([...before].filter((version) => after.has(version))).toEqual([]);
}

test.each([
  [maxOrders, true],
  [maxOrders + 1, false],
])("if %i orders end together, a sweep reads all: %s", async (count, isKnown) => {
  const before = await certain(keysOf(4));
  await database.query(
    `insert into market_order ${anOrder} select ${orderValues("x", undefined, "now() + interval '6 seconds'").slice(1, -1).replace("'x'", "'end ' || each")}
      from generate_series(1, $1::int) as each`,
    [count],
  );
  const versions = new Set<string | undefined>();
  await expect
    .poll(async () => {
      versions.add(state.versionOf(keysOf(4)));
      const [row] = await database.query<{ ended: boolean }>(
        "select max(valid_until) < now() - interval '1 second' as ended from market_order where order_id like 'end %'",
      );
      return row?.ended;
    })
    .toBe(true);
  await database.query("delete from market_order where order_id like 'end %'");
  versions.add(await certain(keysOf(4)));
  expect(versions.size === 1 && versions.has(before)).toBe(isKnown);
});

test("while the connection is broken there is no version, and afterwards a new one", async () => {
  const before = await certain(keysOf(3));
  const broken = expect.poll(() => state.versionOf(keysOf(3)), { interval: 1 }).toBeUndefined();
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'platform: listener' and datname = current_database()",
  );
  await broken;
  const after = await certain(keysOf(3));
  expect(after).not.toBe(before);
});

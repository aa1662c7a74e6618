import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import {
  collectionFilters,
  type Filter,
} from "../../../../server/market/records/properties/collection-filters.ts";
import { collectionAddress, makeProperties } from "../../../support/market-data.ts";
import { migratedDatabase } from "../../../support/server.ts";

const chainId = 137;
const address = collectionAddress(1);

test("cached filters follow each change immediately, on every replica", async () => {
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 2, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await makeProperties(database, { chainId, address, tokens: 40 });
  const counted = countingQueries(database);
  const replicas = [counted.queries, database].map((queries) => {
    const filtersOf = collectionFilters();
    return (contract: string) => filtersOf(queries, chainId, contract);
  });
  const colors = async (): Promise<readonly (number | undefined)[]> =>
    Promise.all(
      replicas.map(async (filtersOf) => {
        const filters = await filtersOf(address);
        return filters.find(({ name }) => name === "Background")?.values.length;
      }),
    );
  expect(await colors()).toEqual([20, 20]);
  expect(await colors()).toEqual([20, 20]);
  expect(counted.count(), "the state twice, and the properties once").toBe(3);
  await setColor(database, "New");
  expect(await colors()).toEqual([21, 21]);
  // A rolled-back change has no effect.
  const undone = database.transaction(async (tx) => {
    await setColor(tx, "Undone");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await colors()).toEqual([21, 21]);
  await setColor(database, "Color 3");
  expect(await colors()).toEqual([20, 20]);
  expect(await replicas[0]?.(collectionAddress(2))).toEqual([]);
});

function countingQueries(database: Database): { readonly queries: Queries; readonly count: () => number } {
  let count = 0;
  return {
    count: () => count,
    queries: {
      query(statement, values) {
        count++;
        return database.query(statement, values);
      },
    },
  };
}

async function setColor(queries: Queries, value: string): Promise<void> {
  await queries.query("update collectible set attributes = $1 where token_id = 7", [
    JSON.stringify([{ trait_type: "Background", value }]),
  ]);
}

describe("what a hostile collection may add is bounded", () => {
  let server: Awaited<ReturnType<typeof migratedDatabase>>;
  let database: Database;
  let collections = 0;

  beforeAll(async () => {
    server = await migratedDatabase();
    database = openDatabase(
      { connectionString: server.url },
      { connections: 2, statementTimeoutMs: 60_000, namedStatements: true },
    );
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  type Attributes = readonly { readonly trait_type: string; readonly value: unknown }[];

  /** The filters of a new collection, whose tokens have these attributes. */
  async function filtersOf(tokens: readonly Attributes[]): Promise<readonly Filter[]> {
    const contract = collectionAddress(100 + ++collections);
    await database.query(
      `with made as (insert into collection (chain_id, address) values ($1, $2) returning id)
      insert into collectible (collection_id, token_id, attributes)
      select id, place, attributes from made, json_array_elements($3::json) with ordinality as one (attributes, place)`,
      [chainId, contract, JSON.stringify(tokens)],
    );
    return collectionFilters()(database, chainId, contract);
  }

  const values = (count: number, length: number): Attributes =>
    Array.from({ length: count }, (_, index) => ({
      trait_type: "Kind",
      value: String(index).padStart(length, "x"),
    }));
  const tokenEach = (attributes: Attributes): readonly Attributes[] => attributes.map((each) => [each]);
  const tooMany = { name: "Kind", type: "GENERIC", min: null, max: null, values: [] };

  test.each([999, 1_000])("%i values of a property are listed", async (count) => {
    const [filter] = await filtersOf(tokenEach(values(count, 10)));
    expect([filter?.type, filter?.values.length]).toEqual(["STRING", count]);
  });

  test("1,001 values are not", async () => {
    expect(await filtersOf(tokenEach(values(1_001, 10)))).toEqual([tooMany]);
  });

  /** A value of 1,021 characters takes 1,024 bytes: with its quotes and a comma. */
  test.each([
    ["63 KiB", values(63, 1_021), 63],
    ["64 KiB", values(64, 1_021), 64],
  ])("%s of values are listed", async (_size, attributes, count) => {
    const [filter] = await filtersOf([attributes]);
    expect([filter?.type, filter?.values.length]).toEqual(["STRING", count]);
  });

  test.each([
    ["one byte more", [...values(63, 1_021), { trait_type: "Kind", value: "y".repeat(1_022) }]],
    [
      "characters that JSON escapes",
      [...values(60, 1_021), { trait_type: "Kind", value: "\u0001".repeat(1_024) }],
    ],
  ])("%s are not", async (_size, attributes) => {
    expect(await filtersOf([attributes])).toEqual([tooMany]);
  });

  test("512 KiB of all values are listed, in the order of first appearance", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `Kind ${9 - index}`);
    const token = (name: string): Attributes =>
      values(64, 1_021).map((each) => ({ ...each, trait_type: name }));
    const filters = await filtersOf(names.map(token));
    expect(filters.map(({ name, type }) => [name, type])).toEqual(
      names.map((name, index) => [name, index < 8 ? "STRING" : "GENERIC"]),
    );
    expect(Buffer.byteLength(JSON.stringify(filters))).toBeLessThan(600_000);
  });

  test.each([
    [499, 499],
    [500, 500],
    [501, 500],
    [900, 500],
  ])("of %i names of one token, %i are kept", async (given, kept) => {
    const attributes = Array.from({ length: given }, (_, index) => ({
      trait_type: `Kind ${index}`,
      value: "a",
    }));
    expect((await filtersOf([attributes])).map(({ name }) => name)).toEqual(
      attributes.slice(0, kept).map(({ trait_type }) => trait_type),
    );
  });

  test("names that tokens add later are ignored above 500, and known names are kept", async () => {
    const tokens = Array.from({ length: 600 }, (_, index) => [
      { trait_type: "Common", value: String(index % 7) },
      { trait_type: `Own ${index}`, value: "a" },
    ]);
    const contract = collectionAddress(99);
    await database.query("insert into collection (chain_id, address) values ($1, $2)", [chainId, contract]);
    for (const [index, token] of tokens.entries())
      await database.query(
        `insert into collectible (collection_id, token_id, attributes)
        select id, $3, $4::json from collection where chain_id = $1 and address = $2`,
        [chainId, contract, index, JSON.stringify(token)],
      );
    const filters = await collectionFilters()(database, chainId, contract);
    expect(filters).toHaveLength(500);
    expect(filters[0]).toMatchObject({ name: "Common", values: ["0", "1", "2", "3", "4", "5", "6"] });
    expect(filters.at(-1)).toMatchObject({ name: "Own 498" });
  });

  test.each([999, 1_000, 1_001, 50_000])("a list of %i items adds at most 1,000 values", async (count) => {
    const items = Array.from({ length: count }, (_, index) => index);
    await filtersOf([[{ trait_type: "List", value: items }]]);
    const [stored] = await database.query<{ count: number }>(
      `select count(*)::int as count from property_value
      where collection_id = (select id from collection where address = $1)`,
      [collectionAddress(100 + collections)],
    );
    expect(stored?.count).toBe(Math.min(count + 1, 1_000));
  });
});

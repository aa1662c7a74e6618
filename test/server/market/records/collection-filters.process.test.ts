import { expect, test } from "vitest";
import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { collectionFilters } from "../../../../server/market/records/properties/collection-filters.ts";
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
  const colours = async (): Promise<readonly (number | undefined)[]> =>
    Promise.all(
      replicas.map(async (filtersOf) => {
        const filters = await filtersOf(address);
        return filters.find(({ name }) => name === "Background")?.values.length;
      }),
    );
  expect(await colours()).toEqual([20, 20]);
  expect(await colours()).toEqual([20, 20]);
  expect(counted.count(), "the state twice, and the properties once").toBe(3);
  await setColour(database, "New");
  expect(await colours()).toEqual([21, 21]);
  // A rolled-back change has no effect.
  const undone = database.transaction(async (tx) => {
    await setColour(tx, "Undone");
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await colours()).toEqual([21, 21]);
  await setColour(database, "Colour 3");
  expect(await colours()).toEqual([20, 20]);
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

async function setColour(queries: Queries, value: string): Promise<void> {
  await queries.query("update collectible set attributes = $1 where token_id = 7", [
    JSON.stringify([{ trait_type: "Background", value }]),
  ]);
}

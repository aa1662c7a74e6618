import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import type { MetadataFields } from "../../../../server/market/token-metadata/parse-document.ts";
import type { Claim } from "../../../../server/market/token-metadata/queue.ts";
import {
  storableFields,
  writeTokenReadings,
} from "../../../../server/market/token-metadata/write-readings.ts";
import { migratedDatabase } from "../../../support/server.ts";

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let claim: Omit<Claim, "failures">;

beforeAll(async () => {
  server = await migratedDatabase();
  const connection = { connectionString: server.url };
  database = openDatabase(connection, { connections: 1, statementTimeoutMs: 60_000, namedStatements: true });
  const address = `0x${"1".repeat(40)}` as const;
  const [token] = await database.query<{ id: string }>(
    `with made as (insert into collection (chain_id, address) values (137, $1) returning id)
     insert into collectible (collection_id, token_id, name) select id, 1, '' from made returning id`,
    [address],
  );
  const collectibleId = token?.id ?? "";
  await database.query("insert into token_read (collectible_id, due_at) values ($1, now())", [collectibleId]);
  claim = { collectibleId, chainId: 137, address, tokenId: "1", requestCount: "1" };
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** The stored number of failures of the token, and the seconds until its next reading. */
async function tokenAfter(failures: number, isTransient: boolean): Promise<object | undefined> {
  const result = { reason: "no answer", isTransient };
  await writeTokenReadings(database, [{ claim: { ...claim, failures }, uri: undefined, result }]);
  const [row] = await database.query<object>(
    "select failures, extract(epoch from due_at - read_at)::int as wait from token_read",
  );
  return row;
}

test.each([
  [0, 60],
  [1, 240],
  [5, 61_440],
  [6, 86_400],
  [8, 86_400],
  [9, null],
  [10, null],
])("a reading that fails after %i failures is retried in %s seconds", async (failures, wait) => {
  expect(await tokenAfter(failures, false)).toEqual({ failures: failures + 1, wait });
});

test.each([
  [0, 60],
  [9, 86_400],
])("a transient failure after %i failures does not count", async (failures, wait) => {
  expect(await tokenAfter(failures, true)).toEqual({ failures, wait });
});

/** An attribute of 1,024 bytes of JSON, with its comma. */
const attribute = { trait_type: "A", value: "x".repeat(994) };
const largest = Array.from({ length: 63 }, () => attribute);

test.each<readonly [string, MetadataFields, MetadataFields]>([
  ["attributes of 63 KiB", { attributes: largest }, { attributes: largest }],
  ["attributes of 65 KiB", { attributes: [...largest, attribute, attribute] }, { attributes: largest }],
  [
    "an attribute of 1 MiB among others",
    { attributes: [attribute, { trait_type: "B", value: "x".repeat(1_048_576) }, attribute] },
    { attributes: [attribute, attribute] },
  ],
  [
    "properties of 1 MiB",
    { attributes: largest, properties: { a: 1, b: "x".repeat(1_048_576), c: [2] } },
    { attributes: largest, properties: { a: 1, c: [2] } },
  ],
  [
    "a million small items",
    { properties: { list: Array.from({ length: 500_000 }, () => 1), a: 1 } },
    { attributes: [], properties: { a: 1 } },
  ],
])("of %s, what fits into 64 KiB is stored", (_, fields, stored) => {
  expect(storableFields({ ...claim, failures: 0 }, fields)).toMatchObject(stored);
  const { attributes, properties = "" } = storableFields({ ...claim, failures: 0 }, fields);
  expect(Buffer.byteLength(JSON.stringify([attributes, properties]))).toBeLessThanOrEqual(65_536 + 8);
});

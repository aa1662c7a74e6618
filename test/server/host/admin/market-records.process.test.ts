/** Admin commands for orders, currencies and metadata. */
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { runAdmin } from "../../../../server/host/admin/admin.ts";
import {
  claimTokens,
  enqueueOnDemand,
  enqueueTokens,
} from "../../../../server/market/token-metadata/queue.ts";
import { writeTokenReadings } from "../../../../server/market/token-metadata/write-readings.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, operate, operateInProcess, operateOn } from "../../../support/operator.ts";

let data: Data;
let host: RunningHost;
let database: Database;
beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data });
  database = databaseOf(data);
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

const collection = `0x${"a".repeat(40)}`;
const coin = `0x${"c".repeat(40)}`;
const maker = `0x${"1".repeat(40)}`;

async function load(kind: string, ...lines: readonly object[]): Promise<void> {
  const { code, err } = await importLines(kind, ...lines);
  if (code !== 0) throw new Error(err);
}

function importLines(kind: string, ...lines: readonly object[]): ReturnType<typeof operate> {
  return operateOn(data, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), "import", kind);
}

async function exported(kind: string): Promise<readonly Record<string, unknown>[]> {
  const { out } = await operate(data, "export", kind);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("imported currencies are listed, and deleted once no order is in them", async () => {
  await load("currencies", {
    chainId: "polygon",
    contractAddress: coin,
    symbol: "WRONG",
    decimals: 2,
    usdRate: 5,
  });
  const order = (orderId: string, more: object = {}): object => ({
    chainId: "polygon",
    collectionContractAddress: collection,
    tokenId: "7",
    orderId,
    marketplace: "opensea",
    side: "listing",
    createdBy: maker,
    priceAmount: "100",
    priceCurrencyAddress: coin,
    ...more,
  });
  await load("orders", order("1"), order("2"), order("2", { marketplace: "blur" }), order("3"));
  await database.query("update market_order set origin = 'chain' where order_id = '3'");
  const ids = async (...filter: readonly string[]): Promise<readonly string[]> =>
    (await ask<{ orderId: string }[]>(data, "orders", "list", "polygon", collection, ...filter)).map(
      ({ orderId }) => orderId,
    );
  expect(await ids()).toEqual(["1", "2", "2", "3"]);
  expect(await ids("2")).toEqual(["2", "2"]);
  expect(await ids("--marketplace", "blur")).toEqual(["2"]);
  expect(await ids("--maker", maker.toUpperCase().replace("X", "x"))).toHaveLength(4);
  expect(await ids("--maker", coin)).toEqual([]);
  expect(await ids("--limit", "1")).toEqual(["1"]);
  expect(await ask(data, "orders", "list", "polygon", collection, "1")).toMatchObject([
    {
      orderId: "1",
      origin: "import",
      side: "listing",
      status: "active",
      tokenId: "7",
      maker,
      currency: coin,
    },
  ]);

  const currency = ["currencies", "delete", "polygon", coin];
  expect(await operateInProcess(data, [...currency, "--yes"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("4 stored orders are in this currency; delete them first"),
  });

  const remove = (...args: readonly string[]) =>
    operate(data, "orders", "delete", "polygon", collection, ...args);
  expect(await remove("--marketplace", "opensea")).toEqual({
    code: 2,
    out: "",
    err: `platform: 2 imported orders of ${collection} will be deleted, which cannot be undone; to confirm, repeat the command with --yes\n`,
  });
  expect(await ids()).toHaveLength(4);
  expect(await remove("2", "--marketplace", "blur", "--yes", "--format", "json")).toMatchObject({
    code: 0,
    out: '{\n  "deleted": 1,\n  "kept": 0\n}\n',
  });
  expect(await ids()).toEqual(["1", "2", "3"]);
  expect(await ask(data, "orders", "delete", "polygon", collection, "--yes")).toEqual({
    deleted: 2,
    kept: 1,
  });
  expect(await ids()).toEqual(["3"]);
  expect((await remove("--yes")).err).toContain("none of the 1 orders that match was imported");
  expect((await remove("nope", "--yes")).err).toContain("no stored order matches; see: platform orders list");
  await database.query("delete from market_order");

  const known = async (): Promise<readonly unknown[]> =>
    (await ask<{ symbol: string }[]>(data, "currencies", "list", "polygon")).map(({ symbol }) => symbol);
  expect(await known()).toContain("WRONG");
  expect(await operateInProcess(data, currency)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`the currency WRONG (${coin}) will be deleted, which cannot be undone`),
  });
  expect(await ask(data, ...currency, "--yes")).toEqual({ network: "polygon", address: coin });
  expect(await known()).not.toContain("WRONG");
  expect(JSON.stringify(await exported("currencies"))).not.toContain(coin);
  expect((await operateInProcess(data, [...currency, "--yes"])).err).toContain("is not known");
  await load("currencies", { chainId: "polygon", contractAddress: coin, symbol: "RIGHT", decimals: 18 });
  expect(await known()).toContain("RIGHT");
});

test("a currency of the configuration is not deleted", async () => {
  const currencies = [{ address: coin, symbol: "GEM", decimals: 18 }];
  const env = { ...data.env, NETWORK_DETAILS: JSON.stringify({ polygon: { currencies } }) };
  expect(
    await operateInProcess({ ...data, env }, ["currencies", "delete", "polygon", coin, "--yes"]),
  ).toMatchObject({
    code: 1,
    err: expect.stringContaining("is configured in networkDetails; remove it there first"),
  });
});

const token = (tokenId: string): object => ({
  chainId: "polygon",
  contractAddress: collection,
  tokenId,
  name: `Token ${tokenId}`,
  attributes: [{ trait_type: "Color", value: "Red" }],
  image: "https://example.org/1.png",
  assets: [{ metadataField: "image", url: "https://example.org/1.png" }],
});

test("deleted metadata does not come back by reads or imports until it is restored", async () => {
  await load("metadata", token("1"), token("2"), token("3"));
  const args = (...more: readonly string[]) => ["metadata", "delete", "polygon", collection, ...more];
  const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
    "select count(*)::int as count from collectible",
  );
  expect(await operate(data, ...args("--reason", "stolen"))).toEqual({
    code: 2,
    out: "",
    err: `platform: the metadata of ${count} tokens will be deleted, which cannot be undone; to confirm, repeat the command with --yes\n`,
  });
  const show = (tokenId: string): Promise<Record<string, unknown>> =>
    ask(data, "metadata", "show", "polygon", collection, tokenId);
  expect(await show("2")).toMatchObject({
    name: "Token 2",
    origin: "import",
    deletedBecause: null,
    assets: 1,
  });
  expect(await ask(data, ...args("2", "--reason", "stolen", "--yes"))).toEqual({
    tokens: 1,
    reason: "stolen",
  });
  const deleted = {
    name: "",
    image: null,
    status: "NOT_AVAILABLE",
    origin: null,
    assets: 0,
    deletedBecause: "stolen",
  };
  expect(await show("2")).toMatchObject(deleted);
  expect(await ask(data, "metadata", "list", "polygon")).toEqual([
    { network: "polygon", contractAddress: collection, tokenId: "2", reason: "stolen" },
  ]);
  expect(await ask(data, "metadata", "list", "base")).toEqual([]);
  expect((await exported("metadata")).map((line) => line["tokenId"])).toEqual(["1", "3"]);
  const filters = await fetch(`${host.url}/rpc/Metadata/TokenCollectionFilters`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-access-key": host.accessKey },
    body: JSON.stringify({ chainId: "polygon", contractAddress: collection }),
  });
  expect(filters.status).toBe(200);

  // An import, an event of the contract, an operator, and a reading that began before the deletion.
  expect(await importLines("metadata", { ...token("2"), name: "Back" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("metadata of this token was deleted: stolen"),
  });
  const [row] = await database.query<{ id: string; collectionId: string }>(
    `select id, collection_id as "collectionId" from collectible where token_id = 2 and deleted_because is not null`,
  );
  const { id = "", collectionId = "" } = row ?? {};
  await enqueueTokens(database, [id], 5);
  expect(await enqueueOnDemand(database, collectionId, "2")).toBe(0);
  expect(await claimTokens(database, 10, 60)).toEqual([]);
  await database.query(
    "insert into token_read (collectible_id, due_at, is_forced) values ($1, now(), true) on conflict (collectible_id) do update set is_forced = true",
    [id],
  );
  const claim = { collectibleId: id, chainId: 137, tokenId: "2", requestCount: "1", failures: 0 } as const;
  await writeTokenReadings(database, [
    {
      claim: { ...claim, address: `0x${"a".repeat(40)}` },
      uri: undefined,
      result: { fields: { name: "Back" } },
    },
  ]);
  expect(await show("2")).toMatchObject(deleted);

  expect((await operate(data, ...args("2", "--reason", "again", "--yes"))).err).toContain(
    "was deleted already",
  );
  expect(await ask(data, "metadata", "restore", "polygon", collection)).toEqual({ tokens: 1 });
  expect((await operate(data, "metadata", "restore", "polygon", collection)).err).toContain(
    "no metadata of these tokens was deleted",
  );
  expect(await show("2")).toMatchObject({ name: "", origin: null, deletedBecause: null });
  await load("metadata", { ...token("2"), name: "Back" });
  expect(await show("2")).toMatchObject({ name: "Back", status: "AVAILABLE", origin: "import" });
});

test("restored metadata of a followed collection is read again", async () => {
  await ask(data, "collections", "add", "polygon", collection);
  await ask(data, "metadata", "delete", "polygon", collection, "1", "--reason", "mistake", "--yes");
  expect(await ask(data, "metadata", "show", "polygon", collection, "1")).toMatchObject({ nextRead: null });
  await ask(data, "metadata", "restore", "polygon", collection, "1");
  expect(await ask(data, "metadata", "show", "polygon", collection, "1")).toMatchObject({
    nextRead: expect.stringMatching(/Z$/),
  });
});

test("metadata that is imported after the operator was asked is deleted and counted, too", async () => {
  const other = `0x${"b".repeat(40)}`;
  const tokenOfOther = (tokenId: string) => ({ ...token(tokenId), contractAddress: other });
  await load("metadata", tokenOfOther("1"));
  async function* typed() {
    await load("metadata", tokenOfOther("2"), tokenOfOther("3"));
    yield Buffer.from("1\n");
  }
  const isTTY = { isTTY: true };
  const streams = {
    stdin: Object.assign(Readable.from(typed()), isTTY),
    stdout: new PassThrough(),
    stderr: Object.assign(new PassThrough(), isTTY),
  };
  const args = ["metadata", "delete", "polygon", other, "--reason", "stolen", "--data-dir", data.folder];
  expect(await runAdmin(args, data.env, streams)).toEqual({
    code: 0,
    err: "",
    out: "tokens  3\nreason  stolen\n\n2 tokens appeared after the count.\n",
  });
});

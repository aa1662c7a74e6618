/** Import and export of records by the admin commands, next to a running host. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { kinds } from "../../../../server/market/import-export/kinds/index.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { currencyLines, metadataLines, orderLines } from "../../../support/market-records.ts";
import { ask, operate, operateInProcess, startOperator } from "../../../support/operator.ts";
import { account, type Counts, collection, importInto, order, type Records } from "./run-import.ts";

/** Two hosts with separate databases. */
let data: Data;
let other: Data;
let hosts: readonly RunningHost[];
let database: Database;

beforeAll(async () => {
  data = await makeData();
  other = await makeData();
  hosts = [await startHost({ data }), await startHost({ data: other })];
  database = databaseOf(data);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  for (const host of hosts) await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const bring = (kind: string, records: Records, to: Data = data) => importInto(to, kind, records);

async function exported(kind: string, from: Data, ...args: readonly string[]): Promise<string> {
  const file = join(from.folder, `${kind}-export.ndjson`);
  const { code, err } = await operateInProcess(from, ["export", kind, file, ...args]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return readFileSync(file, "utf8");
}

test("of two lines with one key the later one wins, however chain and address are written", async () => {
  const { counts } = await bring("orders", [
    { ...order, orderId: "twice", priceAmount: "1" },
    {
      ...order,
      orderId: "twice",
      chainId: "polygon",
      collectionContractAddress: collection.toUpperCase().replace("X", "x"),
      priceAmount: 2,
    },
  ]);
  expect(counts).toEqual([1, 0, 1, 0]);
  const rows = await database.query(
    "select price_amount::text as price from market_order where order_id = 'twice'",
  );
  expect(rows).toEqual([{ price: "2" }]);
});

test("an equal record stays, a different one is changed, and metadata from the chain is kept", async () => {
  const mine = { ...order, orderId: "again", updatedAt: "2025-01-01T00:00:00Z" };
  expect((await bring("orders", [mine])).counts).toEqual([1, 0, 0, 0]);
  expect((await bring("orders", [{ ...mine, updatedAt: "2025-02-01T00:00:00Z" }])).counts).toEqual([
    0, 0, 1, 0,
  ]);
  expect((await bring("orders", [{ ...mine, status: "filled" }])).counts).toEqual([0, 1, 0, 0]);
  await database.query("update market_order set origin = 'chain' where order_id = 'again'");
  expect((await bring("orders", [mine])).counts).toEqual([0, 0, 1, 0]);
  const [row] = await database.query<{ status: string }>(
    "select status from market_order where order_id = 'again'",
  );
  expect(row?.status).toBe("filled");
});

describe.each<[kind: string, line: object, changes: object]>([
  [
    "audiences",
    { id: 901, projectId: 1001, name: "Early" },
    { name: "Late", deletedAt: "2025-01-01T00:00:00Z" },
  ],
  [
    "contract-sources",
    { uid: "changing", contractType: "ERC20", name: "Coin", abi: "[]" },
    {
      contractType: "ERC721",
      name: "Token",
      description: "A token.",
      author: "Ann",
      license: "MIT",
      audited: true,
      moreInfoUrl: "https://example.org",
      disabled: true,
      factorySourceUid: "factory",
      abi: "[{}]",
      bytecode: "0x60",
      bytecodeHash: `0x${"3".repeat(64)}`,
    },
  ],
  [
    "currencies",
    {
      chainId: 137,
      contractAddress: `0x${"4".repeat(40)}`,
      symbol: "A",
      name: "Coin",
      decimals: 6,
      usdRate: 1,
    },
    { symbol: "B", name: "Other", decimals: 7, usdRate: 2 },
  ],
])("of %s", (kind, line, changes) => {
  test.each(Object.entries(changes))("another %s is a change", async (name, value) => {
    await bring(kind, [line]);
    expect((await bring(kind, [line])).counts).toEqual([0, 0, 1, 0]);
    expect((await bring(kind, [{ ...line, [name]: value }])).counts).toEqual([0, 1, 0, 0]);
    expect(await exported(kind, data)).toContain(
      `"${name}":${JSON.stringify(value).replace("Z", "").slice(0, -1)}`,
    );
  });
});

test("the exported block of an order is that of its last change", async () => {
  const mine = { ...order, orderId: "changed", blockNumber: 5 };
  await bring("orders", [mine]);
  const blockOf = async (from: Data): Promise<unknown> => {
    const lines = (await exported("orders", from)).trim().split("\n");
    return lines.map((line) => JSON.parse(line)).find(({ orderId }) => orderId === "changed")?.blockNumber;
  };
  expect(await blockOf(data)).toBe(5);
  await database.query("update market_order set changed_block = 9 where order_id = 'changed'");
  expect(await blockOf(data)).toBe(9);
  await bring("currencies", [...currencyLines()].join(""), other);
  await bring("orders", await exported("orders", data), other);
  expect(await blockOf(other)).toBe(9);
  // What is imported is what was said last.
  expect((await bring("orders", [{ ...mine, blockNumber: 7 }])).counts).toEqual([0, 1, 0, 0]);
  expect(await blockOf(data)).toBe(7);
});

test("new and existing orders are imported together, whatever their ids and slugs contain", async () => {
  const ids = ["NULL", "null", "a,b", '"q"', "back\\slash", "{x}", "tab\tnew\nline", " blank ", "0x0f", "7"];
  const bid = { ...order, tokenId: undefined, side: "offer" };
  const [first, ...others] = ids.map((id) => ({ ...order, orderId: `odd ${id}`, slug: id }));
  const plain = ids.map((id) => ({ ...bid, orderId: id, slug: id, validUntil: "2020-01-01T00:00:00Z" }));
  expect((await bring("orders", [first, ...plain.slice(0, 5)])).counts).toEqual([6, 0, 0, 0]);
  const changed = { ...first, priceAmount: "77" };
  expect((await bring("orders", [changed, ...others, ...plain])).counts).toEqual([14, 1, 5, 0]);
  const rows = await database.query<{ readonly kept: string }>(
    `select concat_ws(' ', order_id, slug, status, price_amount, collectible_id is not null) as kept from market_order
     where slug = any($1::text[])`,
    [ids],
  );
  const expected = [
    ...ids.map((id, place) => `odd ${id} ${id} active ${place === 0 ? 77 : 5} t`),
    ...ids.map((id) => `${id} ${id} expired 5 f`),
  ];
  expect(rows.map(({ kept }) => kept).sort()).toEqual(expected.sort());
});

test("a new record never gets an imported id", async () => {
  const { projectId } = hosts[0] as RunningHost;
  await bring("audiences", [{ id: 60_000, projectId, name: "High" }]);
  await bring("contacts", [{ id: 70_000, audienceId: 60_000, address: account }]);
  const { counts } = await bring("contacts", [{ audienceId: 60_000, address: collection }]);
  expect(counts).toEqual([1, 0, 0, 0]);
  const ids = await database.query(
    "select id::int as id from audience_contact where audience_id = 60000 order by id",
  );
  expect(ids).toEqual([{ id: 70_000 }, { id: 70_001 }]);
});

test("arrays and gzip files are read", async () => {
  const records = JSON.stringify([{ ...order, orderId: "array" }, 5], undefined, 2);
  const { counts, err } = await bring("orders", gzipSync(records));
  expect(counts).toEqual([1, 0, 0, 1]);
  expect(err).toMatch(/^platform: standard input:\d+: entry 2: expected an object, found 5\n$/);
});

test.each([
  [
    ["import", "orders", "/nowhere/orders.ndjson"],
    1,
    "cannot read /nowhere/orders.ndjson: it does not exist",
  ],
  [["import", "orders", "/tmp"], 1, "/tmp is a folder"],
  [["import", "ordres"], 2, 'did you mean "orders"?'],
  [["import", "orders", "-", "--faults", "x"], 1, "--faults: expected a number"],
  [
    ["export", "orders", "/nowhere/orders.ndjson"],
    1,
    "cannot write /nowhere/orders.ndjson: its folder does not exist",
  ],
  [["export", "orders", "--include-pii"], 2, "--include-pii"],
])("%j fails with one line", async (args, code, message) => {
  const outcome = await operateInProcess(data, args);
  expect(outcome).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
  expect(outcome.err.trim().split("\n")).toHaveLength(1);
});

test("the help of every kind shows an example line that can be imported", async () => {
  for (const { name, example } of kinds) {
    const { out } = await operateInProcess(other, ["import", name, "--help"]);
    expect(out).toContain(JSON.stringify(example));
    const { code, err } = await bring(name, [example], other);
    expect({ name, code, err }).toEqual({ name, code: 0, err: "" });
  }
});

describe("personal data", () => {
  test("is omitted from an export, with a note, unless requested", async () => {
    const { projectId } = hosts[0] as RunningHost;
    await bring("audiences", [{ id: 801, projectId, name: "People" }]);
    await bring("contacts", [
      { audienceId: 801, address: account, name: "Ann", email: "ann@example.org" },
      { audienceId: 801, email: "bob@example.org" },
    ]);
    const { out, err } = await operate(data, "export", "contacts");
    expect(out).not.toMatch(/Ann|example[.]org/);
    expect(err).toMatch(
      /^platform: names and mail addresses are omitted, and so are \d+ records .*add --include-pii to include them\n$/,
    );
    const whole = await operate(data, "export", "contacts", "--include-pii");
    expect(whole.out).toContain('"name":"Ann","email":"ann@example.org"');
    expect(whole.err).toBe("");
    // A line without names does not remove them.
    expect((await bring("contacts", out)).counts.slice(0, 2)).toEqual([0, 0]);
  });
});

describe("a market of 12,000 orders (seed 1)", () => {
  const size = { seed: 1, orders: 12_000, collections: 20, collectibles: 600, largest: 200 };
  const file = () => join(data.folder, "orders.ndjson");

  test("a killed and repeated import yields the same records; export, import and export yield the same bytes", async () => {
    writeFileSync(file(), [...orderLines(size)].join(""));
    const metadata = [...metadataLines(size)].join("");
    for (const to of [data, other]) {
      await database.query("select 1");
      expect((await bring("currencies", [...currencyLines()].join(""), to)).code).toBe(0);
      expect((await bring("metadata", metadata, to)).code).toBe(0);
    }
    await database.query("truncate market_order cascade");
    const child = startOperator(data, "import", "orders", file());
    const ended = once(child, "exit");
    await expect.poll(() => countOrders(), { timeout: 120_000, interval: 5 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await ended;
    // A commit may have been in flight.
    await expect.poll(countImports, { timeout: 120_000 }).toBe(0);
    const kept = await countOrders();
    expect(kept).toBeLessThan(size.orders);
    const again = await ask<{ added: number; unchanged: number }>(data, "import", "orders", file());
    expect(again).toMatchObject({ added: size.orders - kept, unchanged: kept });

    const theirs = databaseOf(other);
    await theirs.query("truncate market_order cascade");
    await theirs[Symbol.asyncDispose]();
    await operate(other, "import", "orders", file());
    const orders = await exported("orders", data);
    expect(await exported("orders", other)).toBe(orders);
    expect(orders.split("\n")).toHaveLength(size.orders + 1);
  });

  test("two concurrent imports of one file share the work", async () => {
    await database.query("truncate market_order cascade");
    const run = async (): Promise<Counts> =>
      JSON.parse((await operate(data, "import", "orders", file(), "--format", "json")).out) as Counts;
    const runs = await Promise.all([run(), run()]);
    expect(runs.reduce((sum, { added }) => sum + added, 0)).toBe(size.orders);
    expect(runs.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(size.orders);
  });

  test("an import that is stopped by Ctrl-C reports that, and keeps finished batches", async () => {
    await database.query("truncate market_order cascade");
    const child = startOperator(data, "import", "orders", "-");
    // The input stays open, so that the import cannot finish before it is stopped.
    child.stdin?.write(readFileSync(file()));
    let told = "";
    child.stdout?.on("data", (chunk) => {
      told += chunk;
    });
    const ended = once(child, "close");
    await expect.poll(() => countOrders(), { timeout: 120_000, interval: 5 }).toBeGreaterThan(0);
    child.kill("SIGINT");
    child.stdin?.on("error", () => {}).end();
    expect(await ended).toEqual([1, null]);
    const kept = await countOrders();
    expect(told).toContain("The import was stopped. Run the command again");
    expect(told).toMatch(new RegExp(`^added +${kept}$`, "m"));
  });

  async function countImports(): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where application_name = 'platform: import'",
    );
    return row?.count ?? 0;
  }

  async function countOrders(): Promise<number> {
    const [row] = await database.query<{ count: number }>("select count(*)::int as count from market_order");
    return row?.count ?? 0;
  }
});

test("all kinds: export, import elsewhere and export again yield the same bytes", async () => {
  await using third = await makeData();
  await using _host = await startHost({ data: third });
  const exportAll = (from: Data) =>
    Promise.all(
      kinds.map(async ({ name }) => [
        name,
        await exported(name, from, ...(name === "contacts" ? ["--include-pii"] : [])),
      ]),
    );
  const before = await exportAll(other);
  for (const [name = "", bytes = ""] of before) {
    expect(bytes, name).not.toBe("");
    const { code, err } = await bring(name, bytes, third);
    expect({ name, code, err }).toEqual({ name, code: 0, err: "" });
  }
  expect(await exportAll(third)).toEqual(before);
});

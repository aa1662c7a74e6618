/** Records in and out, by the operator's commands beside a running host. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../server/storage/database.ts";
import { kinds } from "../../../server/transfer/kinds/index.ts";
import { databaseOf } from "../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../support/host.ts";
import { currencyLines, metadataLines, orderLines } from "../../support/market-records.ts";
import { ask, operate, operateOn, startOperator } from "../../support/operator.ts";

/** Two hosts with databases of their own. */
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

const account = `0x${"1".repeat(40)}`;
const collection = `0x${"2".repeat(40)}`;
const native = `0x${"0".repeat(40)}`;
const order = {
  chainId: 137,
  collectionContractAddress: collection,
  tokenId: "1",
  orderId: "o",
  side: "listing",
  createdBy: account,
  priceAmount: "5",
  priceCurrencyAddress: native,
};

interface Counts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
}

async function bring(kind: string, records: readonly unknown[] | string | Buffer, to: Data = data) {
  const input =
    typeof records === "string" || Buffer.isBuffer(records)
      ? records
      : records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const { code, out, err } = await operateOn(to, input, "import", kind, "-", "--format", "json");
  const { added, changed, unchanged, refused } =
    out === "" ? ({} as Partial<Counts>) : (JSON.parse(out) as Counts);
  return { code, counts: [added, changed, unchanged, refused], err };
}

async function exported(kind: string, from: Data, ...args: readonly string[]): Promise<string> {
  const file = join(from.folder, `${kind}-export.ndjson`);
  const { code, err } = await operate(from, "export", kind, file, ...args);
  expect({ code, err: args.length > 0 ? err : "" }).toEqual({ code: 0, err: "" });
  return readFileSync(file, "utf8");
}

describe("lines that are refused are told with their number and reason, and the others are kept", () => {
  test.each<[string, string, readonly unknown[], readonly string[]]>([
    [
      "orders",
      "what is missing or wrong",
      [
        order,
        { ...order, priceAmount: undefined },
        { ...order, collectionContractAddress: "0x12" },
        { ...order, side: "sell" },
        { ...order, orderId: "x".repeat(257) },
        { ...order, tokenId: undefined },
        { ...order, priceAmount: 1e30 },
        { ...order, priceAmount: `2${"0".repeat(77)}` },
        { ...order, priceAmount: 2 ** 53 },
        { ...order, validUntil: "0000-01-01T00:00:00Z" },
        { ...order, validUntil: "2025-02-30T00:00:00Z" },
        { ...order, originName: "a\0b" },
        { ...order, originName: "\ud800" },
        [order],
        null,
      ],
      [
        "2: /priceAmount: expected text that matches",
        "3: /collectionContractAddress: expected text that matches",
        "4: /side: expected one of unknown, listing, offer, found",
        "5: /orderId: expected text of 1 to 256 characters",
        "6: /tokenId: a listing is for a token",
        "7: /priceAmount: expected",
        "8: /priceAmount: more than 2^256 - 1",
        "9: /priceAmount: expected",
        "10: /validUntil: no moment between the years 1 and 9999",
        "11: /validUntil: expected an RFC 3339 timestamp",
        "12: /originName: U+0000 cannot be stored",
        "13: /originName: half of a surrogate pair",
        "14: expected an object, found",
        "15: expected an object, found null",
      ],
    ],
    [
      "orders",
      "a chain and a currency that nobody knows",
      [
        { ...order, chainId: "nowhere" },
        { ...order, priceCurrencyAddress: account },
        { ...order, priceDecimals: 6 },
      ],
      [
        '1: /chainId: this host does not serve "nowhere"; add it to its networks',
        `2: /priceCurrencyAddress: ${account} is no currency that is known on chain 137; import it first`,
        "3: /priceDecimals: the currency has 18, found 6",
      ],
    ],
    [
      "contacts",
      "an audience that is not there",
      [{ audienceId: 4_711, address: account }, { audienceId: 4_711 }, { audienceId: 1, email: "nobody" }],
      [
        "1: /audienceId: there is no audience 4711; import audiences first",
        "2: /address: expected an address, or an email; found neither",
        "3: /email: expected a mail address",
      ],
    ],
    [
      "audiences",
      "a project that is not there",
      [{ id: 1, projectId: 99, name: "x" }],
      ["1: /projectId: there is no project 99"],
    ],
    [
      "metadata",
      "what is nested too deeply",
      [
        {
          chainId: 137,
          contractAddress: collection,
          tokenId: 1,
          properties: JSON.parse(`${'{"a":'.repeat(70)}1${"}".repeat(70)}`),
        },
      ],
      ["1: /properties/a/a/a/a/a/a"],
    ],
    [
      "currencies",
      "a rate that is none",
      [{ chainId: 137, contractAddress: account, symbol: "X", decimals: 78, usdRate: "much" }],
      ["1: /decimals: expected an integer from 0 to 77"],
    ],
  ])("%s: %s", async (kind, _, records, faults) => {
    const { code, err, counts } = await bring(kind, records);
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual(
      faults.map((fault) => expect.stringContaining(`platform: standard input:${fault}`)),
    );
    expect(counts[3]).toBe(faults.length);
    expect((counts[0] ?? 0) + (counts[1] ?? 0) + (counts[2] ?? 0)).toBe(records.length - faults.length);
  });

  test("text that is no JSON, within good lines", async () => {
    const good = (orderId: string) => JSON.stringify({ ...order, orderId });
    const { code, counts, err } = await bring(
      "orders",
      `${good("a")}\r\n\n{"chainId":\nhello\u0007 "quoted"\n${good("b")}`,
    );
    expect({ code, counts }).toEqual({ code: 1, counts: [2, 0, 0, 2] });
    expect(err).toMatch(
      /^platform: standard input:3: not JSON: .*\nplatform: standard input:4: not JSON: .*\n$/,
    );
    expect(err).not.toContain("\u0007");
  });

  test("of very many the first ones are shown and the rest is counted", async () => {
    const { counts, err } = await bring("orders", "x\n".repeat(12_345));
    expect(counts).toEqual([0, 0, 0, 12_345]);
    expect(err.trim().split("\n")).toHaveLength(21);
    expect(err).toContain("and 12,325 more that were refused; --faults N shows more");
  });

  test("an id that another record has, and an audience of another project", {
    timeout: 240_000,
  }, async () => {
    const foreign = (await ask<{ id: number }>(data, "projects", "create", "Foreign")).id;
    const { projectId } = hosts[0] as RunningHost;
    await bring("audiences", [
      { id: 501, projectId, name: "Ours" },
      { id: 502, projectId: foreign, name: "Theirs" },
    ]);
    const stolen = await bring("audiences", [{ id: 501, projectId: foreign, name: "Stolen" }]);
    expect(stolen.err).toContain("1: /id: audience 501 belongs to another project");
    await bring("contacts", [{ id: 9_001, audienceId: 502, address: account, name: "Theirs" }]);
    const taken = await bring("contacts", [
      { id: 9_001, audienceId: 501, address: account, name: "Ours" },
      { id: 9_002, audienceId: 501, address: `0x${"3".repeat(40)}` },
      { id: 9_002, audienceId: 501, address: collection },
    ]);
    expect(taken.err).toContain("1: /id: 9001 is another audience contact's");
    expect(taken.err).toContain("3: /id: 9002 is another record's, which stands above");
    const linked = await bring("contracts", [
      {
        projectId,
        chainId: 137,
        contractName: "C",
        contractAddress: account,
        contractType: "ERC20",
        audienceId: 502,
      },
    ]);
    expect(linked.err).toContain(`1: /audienceId: project ${projectId} has no audience 502`);
    const [contact] = await database.query<{ name: string }>(
      "select name from audience_contact where id = 9001",
    );
    expect(contact?.name).toBe("Theirs");
  });
});

test("of two lines with one key the later one counts, however the chain and the address are spelt", async () => {
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

test("a line that was there is left alone, one that differs is changed, and what was read off the chain stays", async () => {
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

test("a new record never gets an id that a line brought along", async () => {
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

test("an array and gzip are read too", async () => {
  const records = JSON.stringify([{ ...order, orderId: "array" }, 5], undefined, 2);
  const { counts, err } = await bring("orders", gzipSync(records));
  expect(counts).toEqual([1, 0, 0, 1]);
  expect(err).toMatch(/^platform: standard input:\d+: entry 2: expected an object, found 5\n$/);
});

test.each([
  [["import", "orders", "/nowhere/orders.ndjson"], 1, "ENOENT: no such file"],
  [["import", "orders", "/tmp"], 1, "/tmp is a folder"],
  [["import", "ordres"], 2, 'did you mean "orders"?'],
  [["import", "orders", "-", "--faults", "x"], 1, "--faults: expected a number"],
  [["export", "orders", "/nowhere/orders.ndjson"], 1, "ENOENT: no such file"],
  [["export", "orders", "--include-pii"], 2, "--include-pii"],
])("%j is told in one line", async (args, code, message) => {
  const outcome = await operate(data, ...args);
  expect(outcome).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
  expect(outcome.err.trim().split("\n")).toHaveLength(1);
});

test("every kind says in its help what a line looks like, and that line is taken", {
  timeout: 240_000,
}, async () => {
  for (const { name, example } of kinds) {
    const { out } = await operate(other, "import", name, "--help");
    expect(out).toContain(JSON.stringify(example));
    const { code, err } = await bring(name, [example], other);
    expect({ name, code, err }).toEqual({ name, code: 0, err: "" });
  }
});

test("a file of two megabytes of random bytes is refused line by line (seed 5)", async () => {
  const bytes = Buffer.alloc(2_000_000);
  for (let at = 0, state = 5; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  const { code, counts } = await bring("orders", bytes);
  expect(code).toBe(1);
  expect(counts.slice(0, 3)).toEqual([0, 0, 0]);
});

describe("personal data", () => {
  test("is left out of an export, which says so, unless it is asked for", async () => {
    const { projectId } = hosts[0] as RunningHost;
    await bring("audiences", [{ id: 801, projectId, name: "People" }]);
    await bring("contacts", [
      { audienceId: 801, address: account, name: "Ann", email: "ann@example.org" },
      { audienceId: 801, email: "bob@example.org" },
    ]);
    const { out, err } = await operate(data, "export", "contacts");
    expect(out).not.toMatch(/Ann|example[.]org/);
    expect(err).toMatch(
      /^platform: names and mail addresses are left out, and so are \d+ records .*--include-pii writes them\n$/,
    );
    const whole = await operate(data, "export", "contacts", "--include-pii");
    expect(whole.out).toContain('"name":"Ann","email":"ann@example.org"');
    expect(whole.err).toBe("");
    // What was written without names does not take them away.
    expect((await bring("contacts", out)).counts.slice(0, 2)).toEqual([0, 0]);
  });
});

describe("a market of 12,000 orders (seed 1)", () => {
  const size = { seed: 1, orders: 12_000, collections: 20, collectibles: 600, largest: 200 };
  const file = () => join(data.folder, "orders.ndjson");

  test("killed in the middle and run again it has the same records as in one go; export, import and export are the same bytes", {
    timeout: 240_000,
  }, async () => {
    writeFileSync(file(), [...orderLines(size)].join(""));
    const metadata = [...metadataLines(size)].join("");
    for (const to of [data, other]) {
      await database.query("select 1");
      expect((await bring("currencies", [...currencyLines()].join(""), to)).code).toBe(0);
      expect((await bring("metadata", metadata, to)).code).toBe(0);
    }
    await database.query("truncate market_order");
    const child = startOperator(data, "import", "orders", file());
    const ended = once(child, "exit");
    await expect.poll(() => countOrders(), { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await ended;
    const kept = await countOrders();
    expect(kept).toBeLessThan(size.orders);
    const again = await ask<{ added: number; unchanged: number }>(data, "import", "orders", file());
    expect(again).toMatchObject({ added: size.orders - kept, unchanged: kept });

    const theirs = databaseOf(other);
    await theirs.query("truncate market_order");
    await theirs[Symbol.asyncDispose]();
    await operate(other, "import", "orders", file());
    const orders = await exported("orders", data);
    expect(await exported("orders", other)).toBe(orders);
    expect(orders.split("\n")).toHaveLength(size.orders + 1);
  });

  test("two imports of one file at once share the work", { timeout: 240_000 }, async () => {
    await database.query("truncate market_order");
    const runs = await Promise.all([1, 2].map(() => ask<Counts>(data, "import", "orders", file())));
    expect(runs.reduce((sum, { added }) => sum + added, 0)).toBe(size.orders);
    expect(runs.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(size.orders);
  });

  test("stopped by Ctrl-C it says so, and what was done is kept", { timeout: 240_000 }, async () => {
    await database.query("truncate market_order");
    const child = startOperator(data, "import", "orders", file());
    let told = "";
    child.stdout?.on("data", (chunk) => {
      told += chunk;
    });
    const ended = once(child, "close");
    await expect.poll(() => countOrders(), { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
    child.kill("SIGINT");
    expect(await ended).toEqual([1, null]);
    const kept = await countOrders();
    expect(told).toContain("It was stopped. Run it again");
    expect(told).toMatch(new RegExp(`^added +${kept}$`, "m"));
  });

  async function countOrders(): Promise<number> {
    const [row] = await database.query<{ count: number }>("select count(*)::int as count from market_order");
    return row?.count ?? 0;
  }
});

test("all kinds: what is exported, imported elsewhere and exported again is the same bytes", {
  timeout: 240_000,
}, async () => {
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

/** Rejected lines of a file, and how they are reported to the operator. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask } from "../../../support/operator.ts";
import { account, collection, importInto, order, type Records } from "./run-import.ts";

let data: Data;
let host: RunningHost;
let database: Database;

beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data });
  database = databaseOf(data);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

const bring = (kind: string, records: Records) => importInto(data, kind, records);

describe("rejected lines are reported with number and reason, and the others are imported", () => {
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
        { ...order, createdAt: "2999-01-01T00:00:00Z" },
      ],
      [
        "2: /priceAmount: expected text that matches",
        "3: /collectionContractAddress: expected text that matches",
        "4: /side: expected one of unknown, listing, offer, found",
        "5: /orderId: expected text of 1 to 256 characters",
        "6: /tokenId: a listing needs a token id",
        "7: /priceAmount: expected",
        "8: /priceAmount: more than 2^256 - 1",
        "9: /priceAmount: expected",
        "10: /validUntil: expected a timestamp between the years 1 and 9999",
        "11: /validUntil: expected an RFC 3339 timestamp",
        "12: /originName: U+0000 cannot be stored",
        "13: /originName: a lone surrogate cannot be stored",
        "14: expected an object, found",
        "15: expected an object, found null",
        "16: /createdAt: expected a time in the past, found 2999-01-01T00:00:00Z",
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
        `2: /priceCurrencyAddress: unknown currency ${account} on chain 137; import it first`,
        "3: /priceDecimals: the currency has 18 decimals, found 6",
      ],
    ],
    [
      "contacts",
      "an audience that is not there",
      [{ audienceId: 4_711, address: account }, { audienceId: 4_711 }, { audienceId: 1, email: "nobody" }],
      [
        "1: /audienceId: unknown audience 4711; import audiences first",
        "2: /address: expected an address or an email, found neither",
        "3: /email: expected a mail address",
      ],
    ],
    [
      "audiences",
      "a project that is not there",
      [{ id: 1, projectId: 99, name: "x" }],
      ["1: /projectId: unknown project 99"],
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
      "metadata",
      "attributes and properties of more than 64 KiB",
      // `[]` and `{"p":""}` take ten bytes.
      [65_535, 65_536, 65_537].map((bytes, index) => ({
        chainId: 137,
        contractAddress: collection,
        tokenId: 100 + index,
        properties: { p: "x".repeat(bytes - 10) },
      })),
      ["3: /attributes: attributes and properties have 65537 bytes of JSON, at most 65536 are allowed"],
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

  test("text that is not JSON, between valid lines", async () => {
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

  test("of very many rejected lines the first are shown and the rest is counted", async () => {
    const { counts, err } = await bring("orders", "x\n".repeat(12_345));
    expect(counts).toEqual([0, 0, 0, 12_345]);
    expect(err.trim().split("\n")).toHaveLength(21);
    expect(err).toContain("12,325 more are not shown; show more with --faults N");
  });

  test("an id of another record, and an audience of another project", async () => {
    const foreign = (await ask<{ id: number }>(data, "projects", "create", "Foreign")).id;
    const { projectId } = host;
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
    expect(taken.err).toContain("1: /id: 9001 already belongs to another audience contact");
    expect(taken.err).toContain("3: /id: 9002 already belongs to a record above");
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

test("a file of two megabytes of random bytes is rejected line by line (seed 5)", async () => {
  const bytes = Buffer.alloc(2_000_000);
  for (let at = 0, state = 5; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  const { code, counts } = await bring("orders", bytes);
  expect(code).toBe(1);
  expect(counts.slice(0, 3)).toEqual([0, 0, 0]);
});

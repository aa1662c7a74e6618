/** The statements that are put together, as a reviewer reads them: `golden/<name>.sql`. */
import { describe, expect, test } from "vitest";
import type { Queries, Statement } from "../../../../server/base/storage/database.ts";
import type { CollectiblesQuery } from "../../../../server/market/records/orders/collectibles-query.ts";
import { listCollectibles } from "../../../../server/market/records/orders/list-collectibles.ts";
import { type LiveOrdersPage, listLiveOrders } from "../../../../server/market/records/orders/live-orders.ts";
import { orderOfToken } from "../../../../server/market/records/orders/order-of-token.ts";
import { ordersById } from "../../../../server/market/records/orders/orders-by-id.ts";
import type { PriceBand } from "../../../../server/market/records/orders/price-bands.ts";

const band: PriceBand = {
  currency: { id: 1, address: `0x${"1".repeat(40)}`, decimals: 6 },
  tier: 0,
  unit: "0.000001",
  low: "0",
  high: "1000",
};
const page: CollectiblesQuery = {
  chainId: 137,
  contractAddress: `0x${"c".repeat(40)}`,
  side: "listing",
  includeEmpty: false,
  orders: {},
  tokens: {},
  bands: [band],
  sort: [],
  pageSize: 10,
  offset: 0,
};
/** The cursor of a page that ended in a segment. */
const cursorIn = (segment: number): readonly string[] => [
  String(segment),
  "0",
  "1",
  "2026-01-01",
  "a",
  "7",
  "9",
];

describe("tokens with their best orders", () => {
  test.each<[string, Partial<CollectiblesQuery>]>([
    ["collectibles-listing-ordered-first-1", {}],
    ["collectibles-offer-ordered-first-1", { side: "offer" }],
    ["collectibles-both-ordered-first-1", { side: undefined }],
    ["collectibles-listing-all-first-1", { includeEmpty: true }],
    ["collectibles-listing-ordered-first-1-unpriced", { unpricedExclusions: [1] }],
    ["collectibles-listing-ordered-1-1", { after: cursorIn(1) }],
    [
      "collectibles-desc-both-ordered-first-1-unpriced",
      { side: undefined, sort: [{ column: "tokenId", order: "DESC" }], unpricedExclusions: [1] },
    ],
  ])("%s", async (name, ask) => {
    const statement = await statementOf((queries) => listCollectibles(queries, { ...page, ...ask }));
    expect(statement.name).toBe(name);
    await expect(readable(statement)).toMatchFileSnapshot(`golden/${name}.sql`);
  });

  test.each<[string, Partial<CollectiblesQuery>]>([
    ["collectibles sorted", { sort: [{ column: "createdAt", order: "DESC" }], side: undefined }],
    ["collectibles of an owner", { tokens: { owners: [`0x${"a".repeat(40)}`] } }],
    ["collectibles by maker", { orders: { createdBy: [`0x${"a".repeat(40)}`] } }],
  ])("%s is unnamed, because it is rare", async (name, ask) => {
    const statement = await statementOf((queries) => listCollectibles(queries, { ...page, ...ask }));
    expect(statement.name).toBeUndefined();
    await expect(readable(statement)).toMatchFileSnapshot(`golden/${name.replaceAll(" ", "-")}.sql`);
  });
});

test.each([
  ["highest", "offer"],
  ["lowest", "listing"],
  ["highest", "listing"],
] as const)("the %s %s of a token", async (price, side) => {
  const { chainId, contractAddress } = page;
  const query = { chainId, contractAddress, tokenId: "1", side, price, orders: {}, bands: [band] };
  const statement = await statementOf((queries) => orderOfToken(queries, query));
  expect(statement.name).toBe(`${price}-${side}-1`);
  await expect(readable(statement)).toMatchFileSnapshot(`golden/${price}-${side}-1.sql`);
});

describe("live orders", () => {
  const { includeEmpty: _, side: __, ...shared } = page;
  const orders: LiveOrdersPage = {
    ...shared,
    sides: ["listing"],
    countsOffersForAny: true,
    unpricedExclusions: [1],
    after: undefined,
    withTokens: false,
  };
  test.each<[string, Partial<LiveOrdersPage>]>([
    ["live-listing-collection-any-first-orders-1-unpriced", {}],
    ["live-offer-token-any-first-orders-1-unpriced", { sides: ["offer"], tokenId: "1" }],
    [
      "live-listing-offer-collection-own-2-tokens-1-unpriced",
      { sides: ["listing", "offer"], countsOffersForAny: false, withTokens: true, after: cursorIn(2) },
    ],
    [
      "live-offer-collection-any-asc-first-orders-1-unpriced",
      { sides: ["offer"], sort: [{ column: "tokenId", order: "ASC" }] },
    ],
  ])("%s", async (name, ask) => {
    const statement = await statementOf((queries) => listLiveOrders(queries, { ...orders, ...ask }));
    expect(statement.name).toBe(name);
    await expect(readable(statement)).toMatchFileSnapshot(`golden/${name}.sql`);
  });
});

test("orders by id", async () => {
  const statement = await statementOf((queries) => ordersById(queries, page.chainId, []));
  await expect(readable(statement)).toMatchFileSnapshot("golden/orders-by-id.sql");
});

async function statementOf(ask: (queries: Queries) => Promise<unknown>): Promise<Statement> {
  const asked: Statement[] = [];
  const query: Queries["query"] = async (statement) => {
    asked.push(typeof statement === "string" ? { text: statement } : statement);
    return [];
  };
  await ask({ query });
  const [statement] = asked;
  if (statement === undefined || asked.length > 1) throw new Error(`${asked.length} statements`);
  return statement;
}

/** Indents by open parentheses. */
function readable({ text }: Statement): string {
  let depth = 0;
  const lines = text
    .split("\n")
    .map((line) => line.trim().replaceAll(/ {2,}/g, " "))
    .filter((line) => line !== "")
    .map((line) => {
      const closing = /^\)*/.exec(line)?.[0].length ?? 0;
      const indented = "  ".repeat(Math.max(0, depth - closing)) + line;
      depth += line.split("(").length - line.split(")").length;
      return indented;
    });
  return `${lines.join("\n")}\n`;
}

/** Checks that reads use indexes, however many orders there are. */

import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { searchTokens, tokensById } from "../../../../server/market/records/collectibles/tokens.ts";
import { storedRates } from "../../../../server/market/records/currencies/currency.ts";
import { countCollectibles } from "../../../../server/market/records/orders/count-collectibles.ts";
import { currenciesOfOrders } from "../../../../server/market/records/orders/currencies-of-orders.ts";
import { listCollectibles } from "../../../../server/market/records/orders/list-collectibles.ts";
import { countLiveOrders, listLiveOrders } from "../../../../server/market/records/orders/live-orders.ts";
import { orderOfToken } from "../../../../server/market/records/orders/order-of-token.ts";
import { ordersById } from "../../../../server/market/records/orders/orders-by-id.ts";
import { priceBandsOf } from "../../../../server/market/records/orders/price-bands.ts";
import { collectionProperties } from "../../../../server/market/records/properties/collection-filters.ts";
import { collectionAddress, type MarketSize } from "../../../support/market-data.ts";
import { explained } from "./query-plans.ts";

/** Tables of unbounded size, which must never be scanned completely. */
const large = ["market_order", "collectible", "property_value", "collectible_property", "collectible_owner"];

/** Returns a sentence for each violation. Checks a large and a small collection, with custom and with generic plans. */
export async function checkPlans(
  database: Database,
  { chainId, collections }: MarketSize,
): Promise<readonly string[]> {
  const priced = await storedRates(database, []).pricedOn(chainId);
  const bands = priceBandsOf({}, priced, []);
  const unpricedExclusions = priced.map(({ id }) => id);
  const broken: string[] = [];
  for (const isGeneric of [false, true]) {
    for (const number of [1, collections]) {
      const contractAddress = collectionAddress(number);
      const query = {
        chainId,
        contractAddress,
        side: "listing" as const,
        includeEmpty: false,
        orders: {},
        tokens: {},
        bands,
        sort: [],
        pageSize: 30,
        offset: 0,
      };
      const token = { chainId, contractAddress, tokenId: "2", orders: {}, bands };
      const orderList = {
        ...query,
        sides: ["listing", "offer"] as const,
        countsOffersForAny: true,
        unpricedExclusions,
        after: undefined,
        withTokens: true,
      };
      const search = { chainId, contractAddress, conditions: {}, pageSize: 30, offset: 0 };
      const order = { contractAddress, orderId: `0x${"1".repeat(64)}` };
      /** Each read, and how many rows it may fetch: a few per entry of the page. */
      const reads: readonly (readonly [string, (queries: Queries) => Promise<unknown>, number])[] = [
        ["orders by id", (queries) => ordersById(queries, chainId, [order, order]), 20],
        ...(["listing", "offer"] as const).flatMap((side) =>
          (["lowest", "highest"] as const).map(
            (price) =>
              [
                `the ${price} ${side}`,
                (queries: Queries) => orderOfToken(queries, { ...token, side, price }),
                100,
              ] as const,
          ),
        ),
        ["a page of orders", (queries) => listLiveOrders(queries, orderList), 2_000],
        ...(["ASC", "DESC"] as const).flatMap((order) => {
          const sort = [{ column: "tokenId", order }] as const;
          return [
            [
              "orders by token id",
              (queries: Queries) => listLiveOrders(queries, { ...orderList, sort }),
              2_000,
            ],
            [
              "tokens by token id",
              (queries: Queries) =>
                listCollectibles(queries, { ...query, side: undefined, unpricedExclusions, sort }),
              3_000,
            ],
          ] as const;
        }),
        ["orders of a token", (queries) => listLiveOrders(queries, { ...orderList, tokenId: "2" }), 1_000],
        ["tokens by id", (queries) => tokensById(queries, chainId, [{ contractAddress, tokenId: "2" }]), 100],
        ["a page of tokens", (queries) => searchTokens(queries, search), 1_000],
        [
          "the currencies of listings",
          (queries) => currenciesOfOrders(queries, chainId, contractAddress, "listing"),
          100,
        ],
        ["the floor order", (queries) => listCollectibles(queries, { ...query, pageSize: 1 }), 300],
        ["a page of listings", (queries) => listCollectibles(queries, query), 4_000],
        ["a page of offers", (queries) => listCollectibles(queries, { ...query, side: "offer" }), 4_000],
        [
          "a page with unpriced orders",
          (queries) => listCollectibles(queries, { ...query, unpricedExclusions }),
          4_000,
        ],
        ["the filters", (queries) => collectionProperties(queries, chainId, contractAddress), 1_000],
      ];
      const tokens = { properties: [{ name: "Rarity", values: ["Rare"] }] };
      const counted = { ...query, unpricedExclusions };
      const sort = [{ column: "createdAt", order: "DESC" }] as const;
      /** Reads of all open orders of a collection, whose rows they must not fetch. */
      const wholeReads: readonly (readonly [string, (queries: Queries) => Promise<unknown>])[] = [
        ["a count of orders", (queries) => countLiveOrders(queries, orderList)],
        ["a count of some orders", (queries) => countLiveOrders(queries, { ...orderList, tokens })],
        ["a count of tokens", (queries) => countCollectibles(queries, counted)],
        ["a count of some tokens", (queries) => countCollectibles(queries, { ...counted, tokens })],
        ["sorted orders", (queries) => listLiveOrders(queries, { ...orderList, sort })],
        ["some sorted orders", (queries) => listLiveOrders(queries, { ...orderList, sort, tokens })],
      ];
      const all = [
        ...reads.map((read) => [...read, false] as const),
        ...wholeReads.map((read) => [...read, 400, true] as const),
      ];
      for (const [name, read, maxRows, isWhole] of all) {
        const { queries, plans } = explained(database, isGeneric);
        await read(queries);
        for (const { scanned, rowsRead: found, rowsFetched } of plans) {
          const rowsRead = isWhole ? rowsFetched : found;
          const about = `${name} of collection ${number}${isGeneric ? ", with a generic plan" : ""}`;
          const tables = scanned.filter((table) => large.includes(table));
          if (tables.length > 0) broken.push(`${about}: reads all of ${tables.join(", ")}`);
          if (rowsRead > maxRows)
            broken.push(`${about}: reads ${Math.round(rowsRead)} rows, more than ${maxRows}`);
        }
      }
    }
  }
  return broken;
}

/** Checks that reads use indexes, however many orders there are. */

import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { storedRates } from "../../../../server/market/records/currencies/currency.ts";
import { highestOffer } from "../../../../server/market/records/orders/highest-offer.ts";
import { listCollectibles } from "../../../../server/market/records/orders/list-collectibles.ts";
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
      const offer = { chainId, contractAddress, tokenId: "2", conditions: {}, bands };
      const order = { contractAddress, orderId: `0x${"1".repeat(64)}` };
      /** Each read, and how many rows it may fetch: a few per entry of the page. */
      const reads: readonly (readonly [string, (queries: Queries) => Promise<unknown>, number])[] = [
        ["orders by id", (queries) => ordersById(queries, chainId, [order, order]), 20],
        ["the highest offer", (queries) => highestOffer(queries, offer), 100],
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
      for (const [name, read, maxRows] of reads) {
        const { queries, plans } = explained(database, isGeneric);
        await read(queries);
        for (const { scanned, rowsRead } of plans) {
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

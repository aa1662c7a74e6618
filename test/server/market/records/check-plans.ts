/** Whether reads find what they answer by index, however many orders there are. */

import type { Database, Queries } from "../../../../server/base/storage/database.ts";
import { storedRates } from "../../../../server/market/records/currencies/stored-rates.ts";
import { highestOffer } from "../../../../server/market/records/orders/highest-offer.ts";
import { lanesOf } from "../../../../server/market/records/orders/lanes.ts";
import { listCollectibles } from "../../../../server/market/records/orders/list-collectibles.ts";
import { ordersById } from "../../../../server/market/records/orders/orders-by-id.ts";
import { collectionProperties } from "../../../../server/market/records/properties/collection-properties.ts";
import { collectionAddress, type MarketSize } from "../../../support/market-data.ts";
import { explained } from "./query-plans.ts";

/** Tables that grow without end: none may be read from end to end. */
const large = ["market_order", "collectible", "property_value", "collectible_property", "collectible_owner"];

/** Answers what is wrong, each as one sentence: of a large collection and a small one, planned for the values at hand and for any. */
export async function checkPlans(
  database: Database,
  { chainId, collections }: MarketSize,
): Promise<readonly string[]> {
  const priced = await storedRates(database, []).pricedOn(chainId);
  const lanes = lanesOf({}, priced, []);
  const neverUnpriced = priced.map(({ id }) => id);
  const broken: string[] = [];
  for (const isGeneric of [false, true]) {
    for (const number of [1, collections]) {
      const contractAddress = collectionAddress(number);
      const ask = {
        chainId,
        contractAddress,
        side: "listing" as const,
        includeEmpty: false,
        orders: {},
        tokens: {},
        lanes,
        sort: [],
        pageSize: 30,
        offset: 0,
      };
      const offer = { chainId, contractAddress, tokenId: "2", conditions: {}, lanes };
      const order = { contractAddress, orderId: `0x${"1".repeat(64)}` };
      /** What is asked, and how many rows it may read: a few for each entry of the page. */
      const reads: readonly (readonly [string, (queries: Queries) => Promise<unknown>, number])[] = [
        ["orders by id", (queries) => ordersById(queries, chainId, [order, order]), 20],
        ["the highest offer", (queries) => highestOffer(queries, offer), 100],
        ["the floor", (queries) => listCollectibles(queries, { ...ask, pageSize: 1 }), 300],
        ["a page of listings", (queries) => listCollectibles(queries, ask), 4_000],
        ["a page of offers", (queries) => listCollectibles(queries, { ...ask, side: "offer" }), 4_000],
        [
          "a page with unpriced orders",
          (queries) => listCollectibles(queries, { ...ask, neverUnpriced }),
          4_000,
        ],
        ["the filters", (queries) => collectionProperties(queries, chainId, contractAddress), 1_000],
      ];
      for (const [name, read, rowsMax] of reads) {
        const { queries, plans } = explained(database, isGeneric);
        await read(queries);
        for (const { scanned, rowsRead } of plans) {
          const about = `${name} of collection ${number}${isGeneric ? ", planned once for all" : ""}`;
          const tables = scanned.filter((table) => large.includes(table));
          if (tables.length > 0) broken.push(`${about}: reads all of ${tables.join(", ")}`);
          if (rowsRead > rowsMax)
            broken.push(`${about}: reads ${Math.round(rowsRead)} rows, more than ${rowsMax}`);
        }
      }
    }
  }
  return broken;
}

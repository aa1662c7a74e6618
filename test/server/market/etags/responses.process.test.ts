/** Random writes to a real database: while a version stays the same, so does every response. */
import { expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import {
  collectibleResponses,
  orderResponse,
  ratesOf,
} from "../../../../server/host/services/market-responses.ts";
import {
  collectionKeys,
  currencyKey,
  openMarketVersions,
} from "../../../../server/market/etags/market-versions.ts";
import { storedRates } from "../../../../server/market/records/currencies/currency.ts";
import { listCollectibles } from "../../../../server/market/records/orders/list-collectibles.ts";
import { ordersById } from "../../../../server/market/records/orders/orders-by-id.ts";
import { findPriceBands } from "../../../../server/market/records/orders/price-bands.ts";
import { collectionFilters } from "../../../../server/market/records/properties/collection-filters.ts";
import { collectionAddress, makeMarket } from "../../../support/market-data.ts";
import { freshSeed, type Random, seededRandom } from "../../../support/random.ts";
import { migratedDatabase } from "../../../support/server.ts";

/** `MODEL_MS=600000` for a longer run. */
const runMs = Number(process.env["MODEL_MS"] ?? 20_000);
const chainId = 137;
const collections = 16;

interface Read {
  readonly name: string;
  readonly keys: readonly string[];
  /** The response, as text. */
  readonly run: () => Promise<string>;
}

test("no response changes while its version stays the same", async () => {
  const seed = Number(process.env["SEED"] ?? freshSeed());
  const random = seededRandom(seed);
  await using server = await migratedDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 4, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await makeMarket(database, { chainId, orders: 400, collections, collectibles: 200 });
  await database.query("update market_order set order_id = id::text");
  await using state = openMarketVersions(database);
  const reads = readsOf(database);
  const seen = new Map<string, string>();
  const wrong: string[] = [];
  let allowed = 0;
  const endsAt = performance.now() + runMs;
  const isRunning = (): boolean => performance.now() < endsAt;

  async function writeOften(): Promise<void> {
    while (isRunning()) {
      await write(database, random);
      await new Promise((resolve) => setTimeout(resolve, random.below(800)));
    }
  }
  async function readOften(own: Random): Promise<void> {
    while (isRunning()) {
      const read = own.pick(reads);
      const version = state.versionOf(read.keys);
      const shown = await read.run();
      if (version === undefined) continue;
      // A change that was committed before the read is reported before this message.
      const fence = `fence ${own.below(1_000_000_000)}`;
      const unfenced = state.versionOf([fence]);
      await database.query("select pg_notify('market_change', $1)", [fence]);
      while (state.versionOf([fence]) === unfenced && isRunning())
        await new Promise((resolve) => setTimeout(resolve, 2));
      const name = `${read.name} ${version}`;
      const before = seen.get(name);
      seen.set(name, before ?? shown);
      if (before === undefined || state.versionOf(read.keys) !== version) continue;
      allowed++;
      if (before !== shown) wrong.push(`${name}: "${before}" has become "${shown}"`);
    }
  }
  await Promise.all([writeOften(), ...[1, 2, 3].map((reader) => readOften(seededRandom(seed + reader)))]);
  console.log(`seed ${seed}: ${allowed} responses not modified, ${wrong.length} of them wrong`);
  expect(wrong).toEqual([]);
  expect(allowed).toBeGreaterThan(0);
});

function readsOf(database: Database): readonly Read[] {
  const rates = storedRates(database, []);
  const filtersOf = collectionFilters();
  return Array.from({ length: collections }, (_, index) => collectionAddress(index + 1)).flatMap(
    (contractAddress, index): readonly Read[] => [
      {
        name: `orders of ${index}`,
        keys: [currencyKey(chainId), ...collectionKeys(chainId, [contractAddress], ["market_order"])],
        run: async () => {
          const names = [1, 2, 3, 4, 5, 6].map((id) => ({ contractAddress, orderId: `timed ${id}` }));
          const orders = await ordersById(database, chainId, names);
          const priced = ratesOf(await rates.pricedOn(chainId));
          return JSON.stringify(orders.map((order) => orderResponse(order, priced)));
        },
      },
      {
        name: `list of ${index}`,
        keys: [
          currencyKey(chainId),
          ...collectionKeys(chainId, [contractAddress], ["market_order", "collectible", "asset"]),
        ],
        run: async () => {
          const priced = await rates.pricedOn(chainId);
          const { rows } = await listCollectibles(database, {
            chainId,
            contractAddress,
            side: undefined,
            includeEmpty: true,
            orders: {},
            tokens: {},
            bands: await findPriceBands(database, chainId, {}, priced),
            unpricedExclusions: priced.map(({ id }) => id),
            sort: [],
            pageSize: 100,
            offset: 0,
          });
          return JSON.stringify(collectibleResponses(rows, undefined, ratesOf(priced)));
        },
      },
      {
        name: `filters of ${index}`,
        keys: collectionKeys(chainId, [contractAddress], ["collectible"]),
        run: async () => JSON.stringify(await filtersOf(database, chainId, contractAddress)),
      },
    ],
  );
}

async function write(database: Database, random: Random): Promise<void> {
  const here = `(select id from collection where address = '${collectionAddress(1 + random.below(collections))}')`;
  const id = `timed ${1 + random.below(6)}`;
  const soon = (): string => `now() + interval '${random.below(12_000) - 1_000} milliseconds'`;
  const order = (from: string, until: string): string => `
    insert into market_order (collection_id, order_id, marketplace, side, status, created_by, currency_id, price_amount,
      quantity_initial, quantity_remaining, quantity_available, valid_from, valid_until)
    values (${here}, '${id}', 'opensea', 'offer', 'active', '0x${"1".repeat(40)}', (select min(id) from currency), 1e9, 1, 1, 1, ${from}, ${until})
    on conflict (collection_id, order_id, marketplace) do update
      set valid_from = excluded.valid_from, valid_until = excluded.valid_until, status = 'active', deleted_at = null`;
  await database.query(
    random.pick([
      order(soon(), "'2100-01-01Z'"),
      order("'2020-01-01Z'", soon()),
      order(soon(), soon()),
      `update market_order set status = 'filled' where order_id = '${id}' and collection_id = ${here}`,
      `update market_order set deleted_at = now() where order_id = '${id}' and collection_id = ${here}`,
      `delete from market_order where order_id = '${id}' and collection_id = ${here}`,
      `update collectible set name = 'Name ${random.below(1_000)}', attributes = '[{"trait_type": "Level", "value": ${random.below(100)}}]'
        where collection_id = ${here}`,
      `insert into asset (collection_id, collectible_id, metadata_field, url) select collection_id, id, 'image', 'https://a.example/'
        from collectible where collection_id = ${here} on conflict do nothing`,
      `delete from asset where collection_id = ${here}`,
      ...(random.chance(20)
        ? [
            `insert into currency_rate (currency_id, source, usd_rate, good_until, read_at)
              select min(id), 'feed', ${1 + random.below(9)}, now() + interval '8 seconds', now() from currency
              on conflict (currency_id) do update set usd_rate = excluded.usd_rate, good_until = excluded.good_until`,
            `update currency set usd_rate = ${1 + random.below(9)} where symbol = 'USD'`,
          ]
        : []),
    ]),
  );
}

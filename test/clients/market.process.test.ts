/** Official clients of Marketplace and Metadata: every value, for every version. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../server/base/storage/database.ts";
import { databaseOf } from "../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../support/host.ts";
import { type ClientClass, isInstalled, loadClient } from "./official.ts";

const chainId = 137;
const collection = `0x${"aB".repeat(20)}`;
const usd = `0x${"c1".repeat(20)}`;
const maker = `0x${"d1".repeat(20)}`;
const largeId = String(2n ** 255n);

let data: Data;
let host: RunningHost;
let database: Database;

beforeAll(async () => {
  if (!isInstalled) return;
  data = await makeData();
  const currency = { address: usd, symbol: "USD", decimals: 6, usdRate: "1" };
  host = await startHost({
    data,
    args: ["--networks", "polygon", "--check-responses"],
    env: { NETWORK_DETAILS: JSON.stringify({ polygon: { currencies: [currency] } }) },
  });
  database = databaseOf(data);
  await database.query(records);
});
afterAll(async () => {
  if (!isInstalled) return;
  await database[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

/** Token 7 with every field, and one with a large id and no fields; a listing and an offer for 7, and an offer for any token. */
const records = `
with known as (
  insert into collection (id, chain_id, address) overriding system value values (70, ${chainId}, lower('${collection}')) returning id
), token as (
  insert into collectible (id, collection_id, token_id, name, description, image, video, audio, image_data, external_url,
    background_color, animation_url, decimals, attributes, properties, status, origin, metadata_updated_at) overriding system value
  select 700, id, 7, 'Seven', 'A token', 'ipfs://i', 'ipfs://v', 'ipfs://a', '<svg/>', 'https://a.example', 'ffffff', 'ipfs://n', 0,
    '[{"trait_type": "Rarity", "value": "Rare"}, {"trait_type": "Level", "value": 5}]'::json,
    '{"series": "b", "edition": 1, "tags": ["x", "y"]}'::json, 'AVAILABLE'::metadata_status, 'import'::record_origin,
    '2025-01-31T12:00:00.5Z'::timestamptz from known
  union all
  select 701, id, ${largeId}, '', null, null, null, null, null, null, null, null, null, '[]', null, 'NOT_AVAILABLE', null, null from known
  returning id, collection_id, token_id
), file as (
  insert into asset (id, collection_id, collectible_id, metadata_field, url, filename, filesize, mime_type, width, height, updated_at)
    overriding system value
  select 7000, collection_id, id, 'image', 'ipfs://i', '7.png', 1234, 'image/png', 64, 32, '2025-01-31T12:00:00Z'
  from token where token_id = 7
)
insert into market_order (id, collection_id, collectible_id, order_id, marketplace, source, side, status, origin_name, slug, created_by,
  currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, quantity_decimals, fee_bps, fee_breakdown,
  valid_from, valid_until, block_number, order_created_at, order_updated_at, created_at, updated_at) overriding system value
select one.id, 70, one.token, one.order_id, one.marketplace::market_kind, 'external', one.side::order_side, 'active', 'Shop', 'sevens',
  '${maker}', (select id from currency where address = '${usd}'), one.price, 1500, 1500, 1500, 3, 250,
  '[{"kind": "royalty", "recipientAddress": "${maker}", "bps": 250}]', '2025-01-01Z', '2125-01-01Z', 42,
  '2025-01-02Z', '2025-01-03Z', '2025-01-04Z', '2025-01-05T00:00:00.123Z'
from (values
  (1, 700, '17', 'sequence_marketplace_v2', 'listing', 1500000), (2, 700, '0xff', 'opensea', 'offer', 1000000),
  (3, null, '18', 'blur', 'offer', 900000)
) as one (id, token, order_id, marketplace, side, price)`;

const listing = {
  id: 1,
  collectionId: 70,
  collectibleId: 700,
  orderId: "17",
  marketplace: "sequence_marketplace_v2",
  source: "external",
  side: "listing",
  status: "active",
  chainId,
  originName: "Shop",
  slug: "sevens",
  collectionContractAddress: collection.toLowerCase(),
  tokenId: "7",
  createdBy: maker,
  priceAmount: "1500000",
  priceAmountFormatted: "1.5",
  priceAmountNet: "1462500",
  priceAmountNetFormatted: "1.4625",
  priceCurrencyAddress: usd,
  priceDecimals: 6,
  priceUSD: 1.5,
  priceUSDFormatted: "1.5",
  quantityInitial: "1500",
  quantityInitialFormatted: "1.5",
  quantityRemaining: "1500",
  quantityRemainingFormatted: "1.5",
  quantityAvailable: "1500",
  quantityAvailableFormatted: "1.5",
  quantityDecimals: 3,
  feeBps: 250,
  feeBreakdown: [{ kind: "royalty", recipientAddress: maker, bps: 250 }],
  validFrom: "2025-01-01T00:00:00Z",
  validUntil: "2125-01-01T00:00:00Z",
  blockNumber: 42,
  orderCreatedAt: "2025-01-02T00:00:00Z",
  orderUpdatedAt: "2025-01-03T00:00:00Z",
  createdAt: "2025-01-04T00:00:00Z",
  updatedAt: "2025-01-05T00:00:00.123Z",
};

/** With the duplicate names that clients read: underscored metadata keys, `name` of an asset. */
const metadata = {
  tokenId: "7",
  name: "Seven",
  description: "A token",
  image: "ipfs://i",
  video: "ipfs://v",
  audio: "ipfs://a",
  imageData: "<svg/>",
  image_data: "<svg/>",
  externalUrl: "https://a.example",
  external_url: "https://a.example",
  backgroundColor: "ffffff",
  background_color: "ffffff",
  animationUrl: "ipfs://n",
  animation_url: "ipfs://n",
  decimals: 0,
  attributes: [
    { trait_type: "Rarity", value: "Rare" },
    { trait_type: "Level", value: 5 },
  ],
  properties: { series: "b", edition: 1, tags: ["x", "y"] },
  status: "AVAILABLE",
  source: "import",
  updatedAt: "2025-01-31T12:00:00.5Z",
  assets: [
    {
      id: 7000,
      collectionId: 70,
      tokenId: "7",
      metadataField: "image",
      url: "ipfs://i",
      filename: "7.png",
      name: "7.png",
      filesize: 1234,
      mimeType: "image/png",
      width: 64,
      height: 32,
      updatedAt: "2025-01-31T12:00:00Z",
    },
  ],
};
const unknownToken = { tokenId: largeId, name: "", attributes: [], status: "NOT_AVAILABLE" };

interface Collectible {
  readonly metadata: { readonly tokenId: string };
  readonly order?: { readonly orderId: string };
  readonly listing?: { readonly orderId: string };
  readonly offer?: { readonly orderId: string };
}

async function call<Answer>(name: string, service: string, method: string, request: object): Promise<Answer> {
  const Client = (await loadClient(name))[service] as ClientClass;
  // The older release uses a path per network, the newer ones name the network in the body.
  const client = new Client(`${host.url}${name.includes("2.2.11") ? "/polygon" : ""}`, (url, init) =>
    fetch(url, { ...init, headers: { ...(init.headers as object), "x-access-key": host.accessKey } }),
  );
  return (await client[method]?.(request)) as Answer;
}

describe.runIf(isInstalled).each(["2.2.11", "2.3.38", "2.3.39"])("marketplace %s", (version) => {
  const ask = <Answer>(method: string, request: object): Promise<Answer> =>
    call(`marketplace-${version}`, "Marketplace", method, {
      ...(version === "2.2.11" ? {} : { chainId: String(chainId) }),
      contractAddress: collection,
      // A future client may send unknown keys.
      someNewKey: { of: ["tomorrow"] },
      ...request,
    });

  test("getOrders", async () => {
    const input = [
      { contractAddress: collection, orderId: "17", marketplace: "sequence_marketplace_v2" },
      { contractAddress: collection, orderId: 17, marketplace: "sequence_marketplace_v2" },
      { contractAddress: collection, orderId: "nobody's", marketplace: "opensea" },
    ];
    const { orders, page } = await ask<{ orders: object[]; page: object }>("getOrders", { input });
    expect(orders).toEqual([listing, listing]);
    expect(page).toEqual({ page: 1, pageSize: 100, more: false, sort: [] });
  });

  test("listCollectibles", async () => {
    const request = {
      side: "listing",
      filter: { includeEmpty: true },
      page: { page: 1, pageSize: 30, more: false },
    };
    const { collectibles } = await ask<{ collectibles: (Collectible & object)[] }>(
      "listCollectibles",
      request,
    );
    expect(collectibles[0]).toMatchObject({ metadata, order: listing, listing, offer: { orderId: "0xff" } });
    expect(collectibles[0]?.metadata).toEqual(metadata);
    expect(collectibles[1]).toEqual({
      metadata: unknownToken,
      offer: expect.objectContaining({ orderId: "18" }),
    });
    // The offer for any token counts for each token, also for one without other data.
    const offers = await ask<{ collectibles: Collectible[] }>("listCollectibles", { side: "offer" });
    expect(offers.collectibles.map(({ metadata: { tokenId }, order }) => [tokenId, order?.orderId])).toEqual([
      ["7", "0xff"],
      [largeId, "18"],
    ]);
  });

  test("listCollectibles with the page of the previous response", async () => {
    const first = await ask<{ page: { page: number } }>("listCollectibles", {
      side: "offer",
      page: { page: 1, pageSize: 1, sort: [{ column: "tokenId", order: "DESC" }] },
    });
    expect(first.page).toEqual({
      page: 1,
      pageSize: 1,
      more: true,
      sort: [{ column: "tokenId", order: "DESC" }],
    });
    const second = await ask<{ page: object; collectibles: Collectible[] }>("listCollectibles", {
      side: "offer",
      page: { ...first.page, page: first.page.page + 1 },
    });
    expect(second.page).toMatchObject({ page: 2, more: false });
    expect(second.collectibles.map(({ metadata: { tokenId } }) => tokenId)).toEqual(["7"]);
  });

  test("getFloorOrder", async () => {
    const { collectible } = await ask<{ collectible: object }>("getFloorOrder", {
      filter: { includeEmpty: false },
    });
    expect(collectible).toMatchObject({ metadata, order: listing });
    const none = { filter: { includeEmpty: false, marketplaces: ["magic_eden"] } };
    expect(await ask("getFloorOrder", none)).toEqual({ collectible: null });
  });

  test("getHighestPriceOfferForCollectible, by text and number", async () => {
    for (const tokenId of ["7", 7])
      expect(await ask("getHighestPriceOfferForCollectible", { tokenId })).toMatchObject({
        order: { orderId: "0xff", priceUSD: 1, tokenId: "7" },
      });
    const { order } = await ask<{ order: object }>("getHighestPriceOfferForCollectible", {
      tokenId: largeId,
    });
    expect(order).toMatchObject({ orderId: "18", priceUSD: 0.9 });
    expect(order).not.toHaveProperty("tokenId");
    const filter = { marketplace: ["magic_eden"], createdBy: [], currencies: null };
    expect(await ask("getHighestPriceOfferForCollectible", { tokenId: "7", filter })).toEqual({
      order: null,
    });
  });

  test("an unknown sort column is the client's own class of error", async () => {
    const module = await loadClient(`marketplace-${version}`);
    const err = await ask("listCollectibles", {
      side: "listing",
      page: { sort: [{ column: "x", order: "ASC" }] },
    }).catch((one: unknown) => one);
    expect((err as Error).message).not.toContain("internal");
    expect((err as { code?: number }).code).toBe(2000);
    expect(err).toBeInstanceOf(module["WebrpcError"] as new () => Error);
  });
});

describe.runIf(isInstalled).each(["1.10.15", "2.0.26", "2.2.14"])("metadata %s", (version) => {
  const ask = (request: object): Promise<unknown> =>
    call(`metadata-${version}`, "Metadata", "tokenCollectionFilters", request);

  test("tokenCollectionFilters, with the chain by id, number, name and both spellings", async () => {
    const filters = [
      { name: "Rarity", type: "STRING", min: null, max: null, values: ["Rare"] },
      { name: "Level", type: "INT", min: 5, max: 5, values: [] },
      { name: "series", type: "STRING", min: null, max: null, values: ["b"] },
      { name: "edition", type: "INT", min: 1, max: 1, values: [] },
      { name: "tags", type: "ARRAY", min: null, max: null, values: ["x", "y"] },
    ];
    for (const chain of [{ chainID: "137" }, { chainID: 137 }, { chainID: "polygon" }, { chainId: "0x89" }])
      expect(await ask({ ...chain, contractAddress: collection, extra: 1 })).toEqual({ filters });
    expect(await ask({ chainID: "137", contractAddress: maker })).toEqual({ filters: [] });
    expect(await ask({ chainID: "137", chainId: 137, contractAddress: maker })).toEqual({ filters: [] });
    await expect(ask({ chainID: "137", chainId: 1, contractAddress: maker })).rejects.toMatchObject({
      code: -4,
    });
  });
});

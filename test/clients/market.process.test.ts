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
  await database.query(owners);
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

/** Token 7 exists five times, and the one with the large id once, as of block 42. */
const owners = `
with followed as (
  insert into followed_collection (collection_id, known_through, followed_by, has_history) values (70, 0, 'setting', true)
), typed as (
  insert into contract_type values (${chainId}, decode(repeat('ab', 20), 'hex'), 'ERC1155')
), block as (
  insert into follower_cursor (chain_id, first_block, block_number, block_hash) values (${chainId}, 1, 42, decode(repeat('be', 32), 'hex'))
)
insert into collectible_owner values (700, '${maker}', 2), (700, '${usd}', 3), (701, '${maker}', 1)`;

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
const dollar = {
  chainId,
  contractAddress: usd,
  status: "active",
  symbol: "USD",
  decimals: 6,
  exchangeRate: 1,
  nativeCurrency: false,
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
  // An older release and the indexers use a path per network, the others name the network in the body.
  const client = new Client(`${host.url}${/2[.]2[.]11|indexer/.test(name) ? "/polygon" : ""}`, (url, init) =>
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

  test.each([
    ["getHighestPriceOfferForCollectible", "0xff"],
    ["getLowestPriceOfferForCollectible", "18"],
    ["getHighestPriceListingForCollectible", "17"],
    ["getLowestPriceListingForCollectible", "17"],
  ])("%s", async (method, orderId) => {
    expect(await ask(method, { tokenId: "7" })).toMatchObject({ order: { orderId } });
    expect(await ask(method, { tokenId: "7", filter: { marketplace: ["magic_eden"] } })).toEqual({
      order: null,
    });
  });

  test("listListingsForCollectible, listOffersForCollectible", async () => {
    const page = { page: 1, pageSize: 1, more: false };
    expect(await ask("listListingsForCollectible", { tokenId: "7", page })).toEqual({
      listings: [listing],
      page: { ...page, sort: [] },
    });
    const { offers, page: served } = await ask<{ offers: { orderId: string }[]; page: object }>(
      "listOffersForCollectible",
      { tokenId: "7", page },
    );
    expect(offers.map(({ orderId }) => orderId)).toEqual(["0xff"]);
    expect(served).toEqual({ page: 1, pageSize: 1, more: true, sort: [] });
    expect(await ask("listOffersForCollectible", { tokenId: "7", page: { ...page, page: 2 } })).toMatchObject(
      {
        offers: [{ orderId: "18" }],
        page: { page: 2, more: false },
      },
    );
  });

  test("getCollectible", async () => {
    expect(await ask("getCollectible", { tokenId: "7" })).toEqual({ metadata });
    expect(await ask("getCollectible", { tokenId: largeId })).toEqual({ metadata: unknownToken });
    await expect(ask("getCollectible", { tokenId: "8" })).rejects.toMatchObject({ code: 3000 });
  });

  test("getCountOfAllCollectibles, getCountOfFilteredCollectibles", async () => {
    expect(await ask("getCountOfAllCollectibles", {})).toEqual({ count: 2 });
    expect(await ask("getCountOfFilteredCollectibles", { side: "listing" })).toEqual({ count: 1 });
    expect(await ask("getCountOfFilteredCollectibles", { side: "offer" })).toEqual({ count: 2 });
    const filter = { includeEmpty: true, searchText: "seven" };
    expect(await ask("getCountOfFilteredCollectibles", { side: "listing", filter })).toEqual({ count: 1 });
  });

  test("listCurrencies", async () => {
    const { currencies } = await ask<{ currencies: object[] }>("listCurrencies", {});
    expect(currencies).toMatchObject([
      { contractAddress: `0x${"0".repeat(40)}`, nativeCurrency: true, exchangeRate: 0 },
      dollar,
    ]);
  });

  if (version !== "2.2.11") {
    test("listListings, listOffers", async () => {
      const { listings } = await ask<{ listings: object[] }>("listListings", {});
      expect(listings).toEqual([listing]);
      expect(await ask("listOffers", {})).toMatchObject({ offers: [{ orderId: "0xff" }, { orderId: "18" }] });
    });

    test("listOrdersWithCollectibles", async () => {
      const request = { side: "listing", filter: { searchText: "seven" } };
      expect(await ask("listOrdersWithCollectibles", request)).toEqual({
        collectibles: [{ metadata, order: listing }],
        page: { page: 1, pageSize: 30, more: false, sort: [] },
      });
    });

    test("counts of orders", async () => {
      expect(await ask("getCountOfAllOrders", { side: "offer" })).toEqual({ count: 1 });
      const filter = { prices: [{ contractAddress: usd, min: "1500001" }] };
      expect(await ask("getCountOfFilteredOrders", { side: "listing", filter })).toEqual({ count: 0 });
      expect(await ask("getCountOfListingsForCollectible", { tokenId: "7" })).toEqual({ count: 1 });
      expect(await ask("getCountOfOffersForCollectible", { tokenId: "7" })).toEqual({ count: 2 });
    });

    test("getCollectionDetail and the currencies of its orders", async () => {
      expect(await ask("getCollectionDetail", {})).toMatchObject({
        collection: { status: "active", chainId, contractAddress: collection.toLowerCase() },
      });
      await expect(ask("getCollectionDetail", { contractAddress: maker })).rejects.toMatchObject({
        code: 3000,
      });
      for (const method of ["getCollectionActiveListingsCurrencies", "getCollectionActiveOffersCurrencies"]) {
        expect(await ask(method, {})).toMatchObject({ currencies: [dollar] });
        expect(await ask(method, { contractAddress: maker })).toEqual({ currencies: [] });
      }
    });
  }

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

describe.runIf(isInstalled).each(["2.2.14", "2.3.50", "3.0.13"])("indexer %s", (version) => {
  const ask = <Answer>(method: string, request: object): Promise<Answer> =>
    call(`indexer-${version}`, "Indexer", method, { someNewKey: 1, ...request });
  const held = {
    contractType: "ERC1155",
    contractAddress: collection.toLowerCase(),
    accountAddress: maker,
    balanceUSD: "0",
    priceUSD: "0",
    blockHash: `0x${"be".repeat(32)}`,
    blockNumber: 42,
    chainId,
  };
  const seven = { ...held, tokenID: "7", balance: "2", uniqueCollectibles: "1", isSummary: false };
  const other = { ...held, tokenID: largeId, balance: "1", uniqueCollectibles: "1", isSummary: false };

  test("getTokenBalances", async () => {
    const summary = { ...held, balance: "3", uniqueCollectibles: "2", isSummary: true };
    const request = {
      accountAddress: maker,
      includeMetadata: false,
      metadataOptions: { verifiedOnly: true },
    };
    expect(await ask("getTokenBalances", request)).toEqual({
      page: { page: 1, pageSize: 30, more: false },
      balances: [summary],
    });
    expect(await ask("getTokenBalances", { ...request, contractAddress: collection })).toMatchObject({
      balances: [seven, other],
    });
    expect(
      await ask("getTokenBalances", { ...request, includeCollectionTokens: true, includeMetadata: true }),
    ).toMatchObject({
      balances: [
        { ...seven, tokenMetadata: metadata, contractInfo: { type: "ERC1155" } },
        { ...other, tokenMetadata: unknownToken },
      ],
    });
    await expect(ask("getTokenBalances", { ...request, contractAddress: maker })).rejects.toMatchObject({
      code: 3000,
    });
  });

  test("getTokenSupplies, with the page of the previous response", async () => {
    const request = { contractAddress: collection, page: { page: 1, pageSize: 1 } };
    const first = await ask<{ page: object }>("getTokenSupplies", request);
    expect(first).toEqual({
      page: { page: 1, pageSize: 1, after: "7", more: true },
      contractType: "ERC1155",
      tokenIDs: [{ tokenID: "7", supply: "5", chainId }],
    });
    expect(await ask("getTokenSupplies", { ...request, page: first.page })).toMatchObject({
      page: { more: false },
      tokenIDs: [{ tokenID: largeId, supply: "1" }],
    });
  });

  test("getTokenIDRanges", async () => {
    expect(await ask("getTokenIDRanges", { contractAddress: collection })).toEqual({
      contractType: "ERC1155",
      tokenIDRanges: [
        { start: "7", end: "7" },
        { start: largeId, end: largeId },
      ],
      moreRanges: false,
    });
    await expect(ask("getTokenIDRanges", { contractAddress: maker })).rejects.toMatchObject({ code: 3000 });
  });
});

describe.runIf(isInstalled).each(["1.10.15", "2.0.26", "2.2.14", "2.3.43"])("metadata %s", (version) => {
  const ask = <Answer>(method: string, request: object): Promise<Answer> =>
    call(`metadata-${version}`, "Metadata", method, { contractAddress: collection, ...request });
  const chainID = String(chainId);
  const isNewest = version === "2.3.43";
  const filtersMethod = isNewest ? "getTokenMetadataPropertyFilters" : "tokenCollectionFilters";

  test("property filters, with the chain by id, number, name and both spellings", async () => {
    for (const chain of [{ chainID: "137" }, { chainID: 137 }, { chainID: "polygon" }, { chainId: "0x89" }])
      expect(await ask(filtersMethod, { ...chain, excludeProperties: [], extra: 1 })).toEqual({ filters });
    const contractAddress = maker;
    expect(await ask(filtersMethod, { chainID: "137", contractAddress })).toEqual({ filters: [] });
    expect(await ask(filtersMethod, { chainID: "137", chainId: 137, contractAddress })).toEqual({
      filters: [],
    });
    await expect(ask(filtersMethod, { chainID: "137", chainId: 1, contractAddress })).rejects.toMatchObject({
      code: -4,
    });
  });

  test.runIf(isNewest)("property filters without some properties, or without values", async () => {
    const excludeProperties = ["Rarity", "tags", "none"];
    const left = filters.filter(({ name }) => !excludeProperties.includes(name));
    expect(await ask(filtersMethod, { chainID, excludeProperties })).toEqual({ filters: left });
    expect(await ask(filtersMethod, { chainID, excludeProperties, excludePropertyValues: true })).toEqual({
      filters: left.map((filter) => ({ ...filter, values: [] })),
    });
  });

  test("getTokenMetadata", async () => {
    const nobody = { ...unknownToken, tokenId: "8" };
    expect(await ask("getTokenMetadata", { chainID, tokenIDs: ["8", "7", largeId, "7"] })).toEqual({
      tokenMetadata: [nobody, metadata, unknownToken, metadata],
    });
    expect(await ask("getTokenMetadata", { chainID, tokenIDs: [] })).toEqual({ tokenMetadata: [] });
  });

  test("getTokenMetadataBatch", async () => {
    const contractTokenMap = { [collection]: ["7", "8"], [maker]: ["1"], [usd]: [] };
    expect(await ask("getTokenMetadataBatch", { chainID, contractTokenMap })).toEqual({
      contractTokenMetadata: {
        [collection.toLowerCase()]: [metadata, { ...unknownToken, tokenId: "8" }],
        [maker]: [{ ...unknownToken, tokenId: "1" }],
        [usd]: [],
      },
    });
  });

  test("searchTokenMetadata", async () => {
    const page = { page: 1, pageSize: 1 };
    expect(await ask("searchTokenMetadata", { chainID, filter: {}, page })).toEqual({
      tokenMetadata: [metadata],
      page: { ...page, more: true, sort: [] },
    });
    expect(await ask("searchTokenMetadata", { chainID, filter: {}, page: { ...page, page: 2 } })).toEqual({
      tokenMetadata: [unknownToken],
      page: { page: 2, pageSize: 1, more: false, sort: [] },
    });
    for (const [filter, count] of [
      [{ text: "sev" }, 1],
      [{ text: "eight" }, 0],
      [{ properties: [{ name: "Rarity", type: "STRING", values: ["Rare"] }] }, 1],
      [{ text: "sev", properties: [{ name: "Level", type: "INT", min: 6 }] }, 0],
    ] as const) {
      const found = await ask<{ tokenMetadata: object[] }>("searchTokenMetadata", { chainID, filter });
      expect(found.tokenMetadata).toHaveLength(count);
    }
  });

  test("getContractInfo, getContractInfoBatch, of a host without a node", async () => {
    const known = {
      chainId,
      address: usd,
      source: "host",
      name: "USD",
      type: "UNKNOWN",
      symbol: "USD",
      decimals: 6,
      deployed: true,
      extensions: {},
      status: "AVAILABLE",
    };
    const nothing = { chainId, source: "", name: "", symbol: "", deployed: false, extensions: {} };
    const unknown = { ...nothing, address: maker, type: "UNKNOWN", status: "NOT_AVAILABLE" };
    expect(await ask("getContractInfo", { chainID, contractAddress: usd })).toEqual({ contractInfo: known });
    const contractAddresses = [usd, maker, usd];
    expect(await ask("getContractInfoBatch", { chainID, contractAddresses })).toEqual({
      contractInfoMap: { [usd]: known, [maker]: unknown },
    });
  });
});

const filters = [
  { name: "Rarity", type: "STRING", min: null, max: null, values: ["Rare"] },
  { name: "Level", type: "INT", min: 5, max: 5, values: [] },
  { name: "series", type: "STRING", min: null, max: null, values: ["b"] },
  { name: "edition", type: "INT", min: 1, max: 1, values: [] },
  { name: "tags", type: "ARRAY", min: null, max: null, values: ["x", "y"] },
];

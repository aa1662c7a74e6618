/** Reads by GET: a caller that is up to date costs no statement, and no caller keeps data that has changed. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCredentials } from "../../../../server/base/credentials/credentials.ts";
import { openSandbox } from "../../../../server/base/credentials/sandbox.ts";
import { readSigningKeys } from "../../../../server/base/credentials/signing-key.ts";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { Networks } from "../../../../server/chain/networks/networks.ts";
import { readNetworks } from "../../../../server/chain/networks/settings.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { type AppOptions, createApp } from "../../../../server/host/app.ts";
import { openMarketVersions } from "../../../../server/market/etags/market-versions.ts";
import { type Data, makeDataFolder, startHost } from "../../../support/host.ts";
import { collectionAddress, makeMarket } from "../../../support/market-data.ts";
import { migratedDatabase } from "../../../support/server.ts";

const chainId = 137;
const contractAddress = collectionAddress(1);
const here = `(select id from collection where address = '${contractAddress}')`;

/** A collection whose owners are not known. */
const unowned = collectionAddress(2);
const usd = `0xf1${"0".repeat(38)}`;
const holder = `0x${"6".repeat(40)}`;

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;

beforeAll(async () => {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 4, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await makeMarket(database, { chainId, orders: 400, collections: 2, collectibles: 100 });
  await database.query("update market_order set order_id = id::text");
  await database.query(
    `insert into followed_collection (collection_id, known_through, followed_by, has_history) values (${here}, 0, 'setting', true)`,
  );
  await database.query(
    `insert into contract_type select ${chainId}, decode(substr(address, 3), 'hex'), type
     from (values ('${unowned}', 'ERC721'), ('${usd}', 'ERC20')) as known (address, type)`,
  );
  await database.query(
    `insert into followed_collection (collection_id, known_through, followed_by) select id, 0, 'setting' from collection where address = '${unowned}'`,
  );
  await database.query(
    `insert into collectible_owner select id, $1, 7 from collectible where collection_id = ${here} and token_id < 90`,
    [holder],
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

type Response = { readonly status: number; readonly tag: string | null; readonly text: string };

interface App extends AsyncDisposable {
  /** Statements so far, of calls and of credentials. */
  readonly statements: () => number;
  readonly get: (path: string, body: object, tag?: string | null, method?: string) => Promise<Response>;
  readonly post: (path: string, body: object) => Promise<Response>;
}

/** A host's HTTP server on the database, which counts statements. */
async function openApp({ hasState } = { hasState: true }): Promise<App> {
  let statements = 0;
  const count = <Queries extends Pick<Database, "query" | "transaction">>(queries: Queries): Queries => ({
    ...queries,
    query: (...given: Parameters<Database["query"]>) => {
      statements++;
      return queries.query(...given);
    },
    transaction: (work: Parameters<Database["transaction"]>[0]) => {
      statements++;
      return queries.transaction(work);
    },
  });
  const counted: Database = {
    ...count(database),
    sharedBy: (holders) => count(database.sharedBy(holders)),
  };
  const data = makeDataFolder();
  const { folder } = data;
  const signingKeys = readSigningKeys({
    signingAlgorithm: "HS256",
    signingKey: undefined,
    signingKeyFallbacks: [],
    dataDir: folder,
  });
  const { accessKey } = await openSandbox(database, folder, signingKeys[0]);
  const credentials = openCredentials(counted, { signingKeys, canListen: true });
  const state = hasState ? openMarketVersions(database) : undefined;
  const networks = new Networks(
    readNetworks({ networks: ["polygon"], rpcUrls: [], networkDetails: undefined }).networks,
  );
  const parts = {
    networks,
    chains: new Chains(),
    services: ["Metadata", "Marketplace", "Indexer"],
    appVersion: "test",
    events: { called: () => {} },
    database: counted,
    credentials,
    rateLimits: {
      countAddress: async () => undefined,
      countProject: async () => undefined,
      countBody: async () => {},
    },
    trustedProxies: () => false,
    secretKeyOrigins: [],
    state,
  };
  const http = createServer(createApp(parts as unknown as AppOptions).koa.callback());
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    statements: () => statements,
    async get(path, body, tag, method = "GET") {
      const headers = { "X-Access-Key": accessKey, ...(tag == null ? {} : { "If-None-Match": tag }) };
      const query = encodeURIComponent(JSON.stringify(body));
      return responseOf(await fetch(`${url}${path}?q=${query}`, { method, headers }));
    },
    async post(path, body) {
      const headers = { "X-Access-Key": accessKey, "Content-Type": "application/json" };
      return responseOf(await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) }));
    },
    async [Symbol.asyncDispose]() {
      http.close();
      await credentials[Symbol.asyncDispose]();
      await state?.[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    },
  };
}

async function responseOf(response: globalThis.Response): Promise<Response> {
  return { status: response.status, tag: response.headers.get("etag"), text: await response.text() };
}

/** The response with the tag of a state, once the state is certain. A hash is longer. */
async function stateResponse(read: () => Promise<Response>): Promise<Response> {
  let last = await read();
  await expect
    .poll(async () => {
      last = await read();
      return last.tag ?? last.text;
    })
    .toMatch(stateTag);
  return last;
}

const stateTag = /^"[\w-]{12}[.]\d+([.][\w-]+)?"$/;

/** Each read, and a write that changes its response. */
const reads: readonly (readonly [path: string, body: object, write: string])[] = [
  [
    "/polygon/rpc/Marketplace/GetOrders",
    {
      input: Array.from({ length: 12 }, (_, index) => ({ contractAddress, orderId: String(index + 1) })),
    },
    `update market_order set slug = 'other' where collection_id = ${here}`,
  ],
  [
    "/polygon/rpc/Marketplace/GetFloorOrder",
    { contractAddress },
    `insert into market_order (collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id,
      price_amount, quantity_initial, quantity_remaining, quantity_available)
    select ${here}, (select min(id) from collectible where collection_id = ${here}), 'cheapest', 'opensea', 'listing', 'active',
      '0x' || repeat('1', 40), id, 1, 1, 1, 1 from currency where symbol = 'USD'`,
  ],
  [
    "/polygon/rpc/Marketplace/GetHighestPriceOfferForCollectible",
    { contractAddress, tokenId: "2" },
    `insert into market_order (collection_id, order_id, marketplace, side, status, created_by, currency_id, price_amount,
      quantity_initial, quantity_remaining, quantity_available)
    select ${here}, 'highest', 'opensea', 'offer', 'active', '0x' || repeat('1', 40), id, 1e30, 1, 1, 1
    from currency where symbol = 'USD'`,
  ],
  [
    "/polygon/rpc/Marketplace/ListCollectibles",
    { contractAddress, side: "listing" },
    `update collectible set name = 'Other' where collection_id = ${here}`,
  ],
  [
    "/rpc/Metadata/TokenCollectionFilters",
    { chainId: String(chainId), contractAddress },
    `update collectible set attributes = '[{"trait_type": "Other", "value": "x"}]' where collection_id = ${here}`,
  ],
  [
    "/polygon/rpc/Marketplace/ListListings",
    { contractAddress },
    `update market_order set slug = 'other listing' where collection_id = ${here}`,
  ],
  [
    "/polygon/rpc/Marketplace/ListOrdersWithCollectibles",
    { contractAddress },
    `update collectible set name = 'Other, of an order' where collection_id = ${here}`,
  ],
  [
    "/polygon/rpc/Marketplace/GetCountOfOffersForCollectible",
    { contractAddress, tokenId: "2" },
    `insert into market_order (collection_id, order_id, marketplace, side, status, created_by, currency_id, price_amount,
      quantity_initial, quantity_remaining, quantity_available)
    select ${here}, 'counted', 'opensea', 'offer', 'active', '0x' || repeat('1', 40), id, 1, 1, 1, 1
    from currency where symbol = 'USD'`,
  ],
  ["/polygon/rpc/Marketplace/ListCurrencies", {}, "update currency set name = 'Other' where symbol = 'USD'"],
  [
    "/rpc/Metadata/GetContractInfo",
    { chainId: String(chainId), contractAddress: usd },
    "update currency set name = 'Other, as a contract' where symbol = 'USD'",
  ],
  [
    "/rpc/Metadata/GetTokenMetadata",
    { chainId: String(chainId), contractAddress, tokenIDs: ["1", "2"] },
    `update collectible set name = 'Other, by id' where collection_id = ${here}`,
  ],
  [
    "/rpc/Metadata/SearchTokenMetadata",
    { chainId: String(chainId), contractAddress },
    `update collectible set name = 'Other, by filter' where collection_id = ${here}`,
  ],
  ...[
    ["GetTokenBalances", { accountAddress: holder }] as const,
    ["GetTokenBalances", { accountAddress: holder, contractAddress }] as const,
    ["GetTokenSupplies", { contractAddress }] as const,
  ].map(
    ([method, body]) =>
      [
        `/polygon/rpc/Indexer/${method}`,
        body,
        `update collectible_owner set quantity = quantity + 1 where owner = '${holder}'`,
      ] as const,
  ),
  [
    "/polygon/rpc/Indexer/GetTokenIDRanges",
    { contractAddress },
    `delete from collectible_owner where owner = '${holder}'
      and collectible_id = (select min(collectible_id) from collectible_owner where owner = '${holder}')`,
  ],
  [
    "/polygon/rpc/Marketplace/GetCollectionDetail",
    { contractAddress: unowned },
    `update followed_collection set is_followed = false where collection_id = (select id from collection where address = '${unowned}')`,
  ],
];

test.each(reads)(
  "a 304 of %s takes no statement, and ends with the next write",
  async (path, body, write) => {
    await using app = await openApp();
    const first = await stateResponse(() => app.get(path, body));
    expect(first.status).toBe(200);
    const before = app.statements();
    for (const method of ["GET", "HEAD"])
      expect(await app.get(path, body, first.tag, method)).toEqual({ status: 304, tag: first.tag, text: "" });
    expect(app.statements()).toBe(before);

    await database.query(write);
    let last = await app.get(path, body, first.tag);
    await expect
      .poll(async () => {
        last = await app.get(path, body, first.tag);
        return last.status;
      })
      .toBe(200);
    expect(last.text).not.toBe(first.text);
    expect(last.text).toBe((await app.post(path, body)).text);
    const next = await stateResponse(() => app.get(path, body));
    expect(next.tag).not.toBe(first.tag);
    expect((await app.get(path, body, next.tag)).status).toBe(304);
  },
);

test.each(reads)("POST to %s runs its statements and has no tag", async (path, body) => {
  await using app = await openApp();
  const before = await stateResponse(() => app.get(path, body));
  // Rates are cached for a second; the rest is queried for each call.
  await app.post(path, body);
  const statements = app.statements();
  const response = await app.post(path, body);
  expect(response).toEqual({ status: 200, tag: null, text: before.text });
  expect(app.statements()).toBeGreaterThan(statements);
});

const account = `0x${"5".repeat(40)}`;
const token = `(select min(id) from collectible where collection_id = ${here})`;

test.each<readonly [string, object, boolean, string]>([
  [
    "a file",
    {},
    true,
    `insert into asset (collection_id, collectible_id, metadata_field) values (${here}, ${token}, 'image')`,
  ],
  ["a rate", {}, true, "update currency set usd_rate = usd_rate + 1 where symbol = 'USD'"],
  ["an owner", { inAccounts: [] }, false, `insert into collectible_owner values (${token}, '${account}', 1)`],
  ["an owner", { inAccounts: [account] }, true, "update collectible_owner set quantity = 2"],
  ["an owner", { notInAccounts: [account] }, true, "update collectible_owner set quantity = 3"],
])("a change of %s changes the tag of a list with the filter %j: %s", async (_, filter, isChange, write) => {
  await using app = await openApp();
  const read = (): Promise<Response> =>
    app.get("/polygon/rpc/Marketplace/ListCollectibles", { contractAddress, filter });
  const before = await stateResponse(read);
  await database.query(write);
  // Messages arrive in the order of commits, so a later one of another collection shows that this one has arrived.
  const other = { chainId: String(chainId), contractAddress: collectionAddress(2) };
  const readOther = (): Promise<Response> => app.get("/rpc/Metadata/TokenCollectionFilters", other);
  const { tag } = await stateResponse(readOther);
  await database.query(
    "update collectible set name = name where collection_id <> (select id from collection where address = $1)",
    [contractAddress],
  );
  await expect.poll(async () => (await readOther()).tag).not.toBe(tag);
  const after = await stateResponse(read);
  expect(after.tag !== before.tag).toBe(isChange);
});

test("invalid requests are errors before tags are compared", async () => {
  await using app = await openApp();
  const [path, body] = reads[3] ?? ["", {}];
  const { tag } = await stateResponse(() => app.get(path, body));
  const page = { sort: [{ column: "nope", order: "ASC" }] };
  expect(await app.get(path, { ...body, page }, tag)).toMatchObject({ status: 400, tag: null });
});

test("the tag of a later page depends on where the page before ended", async () => {
  await using app = await openApp();
  const [path] = reads[3] ?? [""];
  const page = (number: number) => ({
    contractAddress,
    side: "listing",
    page: { page: number, pageSize: 5 },
  });
  const unseen = await stateResponse(() => app.get(path, page(2)));
  await app.get(path, page(1));
  const seen = await stateResponse(() => app.get(path, page(2)));
  expect(seen.text).toBe(unseen.text);
  expect(seen.tag).not.toBe(unseen.tag);
  expect((await app.get(path, page(2), seen.tag)).status).toBe(304);
});

test("a host without versions compares hashes", async () => {
  await using app = await openApp({ hasState: false });
  const [path, body] = reads[1] ?? ["", {}];
  const first = await app.get(path, body);
  expect(first.tag).not.toMatch(stateTag);
  const before = app.statements();
  expect(await app.get(path, body, first.tag)).toEqual({ status: 304, tag: first.tag, text: "" });
  expect(app.statements()).toBeGreaterThan(before);
});

test("a running host has tags of its own, and follows the writes of others", async () => {
  const env = { DATABASE_URL: server.url, SANDBOX: "true" };
  await using folder = makeDataFolder();
  const data: Data = { ...folder, env };
  await using host = await startHost({ data, args: ["--networks", "polygon"] });
  await using other = await openApp();
  for (const [path, body, write] of reads) {
    const get = async (tag?: string | null): Promise<Response> =>
      responseOf(
        await fetch(`${host.url}${path}?q=${encodeURIComponent(JSON.stringify(body))}`, {
          headers: { "X-Access-Key": host.accessKey, ...(tag == null ? {} : { "If-None-Match": tag }) },
        }),
      );
    const first = await stateResponse(() => get());
    expect((await get(first.tag)).status).toBe(304);
    const elsewhere = await stateResponse(() => other.get(path, body, first.tag));
    expect(elsewhere).toMatchObject({ status: 200, text: first.text });
    await database.query(
      write.replace(/'(cheapest|highest|counted)'/, "'$1 again'").replace(/other|Other/g, "$& again"),
    );
    await expect.poll(async () => (await get(first.tag)).status).toBe(200);
  }
});

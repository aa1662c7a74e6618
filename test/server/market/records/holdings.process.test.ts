/** Who owns which tokens: every value, pages to their ends, limits, and what is not known. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Indexer } from "../../../../generated/client.ts";
import { chainId, type Market, openMarket } from "./market.ts";
import { makers } from "./order-book.ts";

let market: Market;
let indexer: Indexer;

const [alice, bob] = makers as unknown as [string, string];
const large = 2n ** 256n - 1n;
let collections = 0;

beforeAll(async () => {
  market = await openMarket();
  const headers = () => ({ "x-access-key": market.host.accessKey });
  indexer = new Indexer({ url: `${market.host.url}/polygon`, headers });
  await market.database.query(
    `insert into follower_cursor (chain_id, first_block, block_number, block_hash)
     values ($1, 1, 77, decode(repeat('ab', 32), 'hex'))`,
    [chainId],
  );
});
afterAll(() => market[Symbol.asyncDispose]());

type Owned = readonly [tokenId: bigint, owner: string, quantity: bigint];

/** Stores tokens and their owners in a collection of their own. The tokens without an owner: 900 and 901. */
async function store(
  owned: readonly Owned[],
  { state = "true, true, false, null", type = "ERC1155" } = {},
): Promise<string> {
  const address = `0xdd${(++collections).toString(16).padStart(38, "0")}`;
  const { database } = market;
  await database.query("insert into collection (chain_id, address) values ($1, $2)", [chainId, address]);
  const here = "(select id from collection where address = $1)";
  await database.query(
    `insert into followed_collection (collection_id, is_followed, has_history, is_waiting, history_block, known_through, followed_by)
     values (${here}, ${state}, 0, 'operator')`,
    [address],
  );
  await database.query("insert into contract_type values ($1, decode(substr($2, 3), 'hex'), $3)", [
    chainId,
    address,
    type,
  ]);
  await database.query(
    `insert into collectible (collection_id, token_id, name)
     select ${here}, id, 'Token ' || id from (select distinct unnest($2::numeric[]) as id) as one`,
    [address, [900n, 901n, ...owned.map(([id]) => id)].map(String)],
  );
  await database.query(
    `insert into collectible_owner select token.id, owner, quantity
     from unnest($2::numeric[], $3::text[], $4::numeric[]) as one (token_id, owner, quantity)
     join collectible as token on token.collection_id = ${here} and token.token_id = one.token_id`,
    [
      address,
      owned.map(([id]) => String(id)),
      owned.map(([, owner]) => owner),
      owned.map((one) => String(one[2])),
    ],
  );
  return address;
}

const rangesOf = async (contractAddress: string, lastTokenID?: string) => {
  const { tokenIDRanges, moreRanges } = await indexer.getTokenIDRanges({
    contractAddress,
    ...(lastTokenID === undefined ? {} : { lastTokenID }),
  });
  return [tokenIDRanges.map(({ start, end }) => `${start}-${end}`), moreRanges];
};

test("supplies add up the owners of each token, up to 2^256 - 1, and skip tokens without any", async () => {
  const contractAddress = await store([
    [3n, alice, 5n],
    [3n, bob, 6n],
    [20n, alice, large],
    [20n, bob, large],
    [large, bob, 1n],
  ]);
  const all = [
    { tokenID: "3", supply: "11", chainId },
    { tokenID: "20", supply: String(large), chainId },
    { tokenID: String(large), supply: "1", chainId },
  ];
  expect(await indexer.getTokenSupplies({ contractAddress })).toEqual({
    page: { page: 1, pageSize: 30, more: false },
    contractType: "ERC1155",
    tokenIDs: all,
  });
  for (const [pageSize, more] of [
    [2, true],
    [3, false],
    [4, false],
  ] as const) {
    const { page, tokenIDs } = await indexer.getTokenSupplies({ contractAddress, page: { pageSize } });
    expect(tokenIDs).toEqual(all.slice(0, pageSize));
    expect(page).toEqual({ page: 1, pageSize, more, ...(more ? { after: "20" } : {}) });
    if (!more) continue;
    // By number, and by sending the page back.
    for (const next of [{ page: 2, pageSize }, page, { ...page, page: 2 }]) {
      const second = await indexer.getTokenSupplies({ contractAddress, page: next });
      expect(second.tokenIDs).toEqual(all.slice(pageSize));
      expect(second.page.more).toBe(false);
    }
  }
});

test("ranges join ids that follow one another", async () => {
  const ids = [0n, 1n, 2n, 7n, 9n, 10n, large - 1n, large];
  const contractAddress = await store(ids.map((id) => [id, alice, 1n] as const));
  const ranges = ["0-2", "7-7", "9-10", `${large - 1n}-${large}`];
  expect(await rangesOf(contractAddress)).toEqual([ranges, false]);
  expect(await rangesOf(contractAddress, "2")).toEqual([ranges.slice(1), false]);
  expect(await rangesOf(contractAddress, "9")).toEqual([["10-10", ...ranges.slice(3)], false]);
  expect(await rangesOf(contractAddress, String(large))).toEqual([[], false]);
});

test.each([
  [14_999, 14_999, false],
  [15_000, 15_000, false],
  [15_001, 15_000, true],
])("of %i ranges, a response has %i", async (number, shown, more) => {
  const owned = Array.from({ length: number }, (_, index) => [BigInt(index) * 2n, alice, 1n] as const);
  const contractAddress = await store(owned);
  const { tokenIDRanges, moreRanges } = await indexer.getTokenIDRanges({ contractAddress });
  expect([tokenIDRanges.length, moreRanges]).toEqual([shown, more]);
  const lastTokenID = tokenIDRanges.at(-1)?.end ?? "";
  const last = String((number - 1) * 2);
  expect(await rangesOf(contractAddress, lastTokenID)).toEqual([more ? [`${last}-${last}`] : [], false]);
});

describe("balances", () => {
  const account = `0x${"77".repeat(20)}`;
  let first = "";
  let second = "";
  beforeAll(async () => {
    first = await store([
      [1n, account, 2n],
      [4n, account, 3n],
      [4n, bob, 9n],
    ]);
    second = await store([[4n, account, large]], { type: "ERC721" });
    for (const state of [
      "false, true, false, null",
      "true, false, false, null",
      "true, true, true, null",
      "true, true, false, 5",
    ])
      await store([[1n, account, 1n]], { state });
  });
  const block = {
    blockNumber: 77,
    blockHash: `0x${"ab".repeat(32)}`,
    balanceUSD: "0",
    priceUSD: "0",
    chainId,
  };
  const entry = (contractAddress: string, balance: bigint, tokenID?: string, tokens = "1") => ({
    contractType: contractAddress === first ? "ERC1155" : "ERC721",
    contractAddress,
    accountAddress: account,
    ...(tokenID === undefined ? {} : { tokenID }),
    balance: String(balance),
    uniqueCollectibles: tokens,
    isSummary: tokenID === undefined,
    ...block,
  });
  const ask = async (more: object) =>
    (await indexer.getTokenBalances({ accountAddress: account, ...more })).balances;

  test("are one summary for each collection whose owners are known", async () => {
    const summaries = [entry(first, 5n, undefined, "2"), entry(second, large)];
    expect(await ask({})).toEqual(summaries);
    expect(await ask({ accountAddress: account.toUpperCase().replace("0X", "0x") })).toEqual(summaries);
    expect(await ask({ metadataOptions: { verifiedOnly: true } })).toEqual(summaries);
    expect(await ask({ metadataOptions: { unverifiedOnly: true } })).toEqual([]);
    const metadataOptions = { unverifiedOnly: true, includeContracts: [second] };
    expect(await ask({ metadataOptions })).toEqual(summaries.slice(1));
    expect(await ask({ metadataOptions, contractAddress: first })).toEqual([]);
    expect(await ask({ accountAddress: `0x${"78".repeat(20)}` })).toEqual([]);
  });

  test("are tokens if the request names a contract or a token, or asks for all", async () => {
    const tokens = [entry(first, 2n, "1"), entry(first, 3n, "4"), entry(second, large, "4")];
    expect(await ask({ includeCollectionTokens: true })).toEqual(tokens);
    expect(await ask({ contractAddress: first })).toEqual(tokens.slice(0, 2));
    expect(await ask({ tokenID: "4" })).toEqual(tokens.slice(1));
    expect(await ask({ contractAddress: first, tokenID: "4" })).toEqual([tokens[1]]);
  });

  test.each([false, true])("are paged without loss, tokens: %s", async (includeCollectionTokens) => {
    const all = await ask({ includeCollectionTokens });
    for (const by of ["after", "number"]) {
      const found: object[] = [];
      let page: { page?: number; pageSize?: number; more?: boolean } = { page: 1, pageSize: 1 };
      do {
        const got = await indexer.getTokenBalances({
          accountAddress: account,
          includeCollectionTokens,
          page,
        });
        found.push(...got.balances);
        page = by === "after" ? got.page : { page: got.page.page + 1, pageSize: 1, more: got.page.more };
      } while (page.more);
      expect(found).toEqual(all);
    }
  });

  test("have metadata on request", async () => {
    const [summary] = await ask({ includeMetadata: true });
    expect(summary).toMatchObject({ contractInfo: { address: first, chainId } });
    expect(summary).not.toHaveProperty("tokenMetadata");
    const [token] = await ask({ includeMetadata: true, tokenID: "1" });
    expect(token).toMatchObject({ tokenMetadata: { tokenId: "1", name: "Token 1" } });
    const { tokenIDs } = await indexer.getTokenSupplies({ contractAddress: first, includeMetadata: true });
    expect(tokenIDs[1]).toMatchObject({
      contractInfo: { address: first },
      tokenMetadata: { tokenId: "4", name: "Token 4" },
    });
  });

  test.each([
    ["removed", "false, true, false, null"],
    ["followed without its history", "true, false, false, null"],
    ["waiting for its history", "true, true, true, null"],
    ["whose history is being read", "true, true, false, 5"],
  ])("of a collection that is %s are not found", async (_, state) => {
    const contractAddress = await store([[1n, alice, 1n]], { state });
    const cause = expect.stringContaining("does not follow");
    for (const call of [
      () => indexer.getTokenBalances({ accountAddress: alice, contractAddress }),
      () => indexer.getTokenSupplies({ contractAddress }),
      () => indexer.getTokenIDRanges({ contractAddress }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 3000, cause });
  });

  test.each([{ after: "x" }, { after: "1-" }, { after: "-1" }])("reject the page %j", async (page) => {
    const cause = "/page/after: use the value of a response";
    const failure = { code: 2000, cause };
    await expect(indexer.getTokenBalances({ accountAddress: alice, page })).rejects.toMatchObject(failure);
    await expect(indexer.getTokenSupplies({ contractAddress: first, page })).rejects.toMatchObject(failure);
  });
});

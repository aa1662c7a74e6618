/** Responses that grow with stored data have a largest size, whatever strangers mint and operators import. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Builder, result } from "../../../../generated/client.ts";
import type { CollectibleOrder } from "../../../../generated/types.ts";
import { chainId, type Market, openMarket } from "./market.ts";
import { currencies } from "./order-book.ts";

let market: Market;
let builder: Builder;
let collections = 0;

beforeAll(async () => {
  market = await openMarket();
  const { url, accessKey, secretKey } = market.host;
  builder = new Builder({
    url,
    headers: () => ({ "x-access-key": accessKey, authorization: `BEARER ${secretKey}` }),
  });
});
afterAll(() => market[Symbol.asyncDispose]());

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

describe("tokens of a page share 2 MiB equally", () => {
  /** SQL of the columns of `count` tokens in a new collection, each with a listing. Returns the collection's address. */
  async function mint(count: number, columns: Readonly<Record<string, string>>): Promise<string> {
    const address = `0xee${String(++collections).padStart(38, "0")}`;
    await market.database.query(
      `with made as (insert into collection (chain_id, address) values ($1, $2) returning id), token as (
        insert into collectible (collection_id, token_id, name, status, origin, ${Object.keys(columns).join(", ")})
        select made.id, each, 'Token', 'AVAILABLE', 'chain', ${Object.values(columns).join(", ")} from made, generate_series(1, $3::int) as each
        returning id, collection_id, token_id
      )
      insert into market_order (
        collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
        quantity_remaining, quantity_available
      )
      select token.collection_id, token.id, token.token_id, 'opensea', 'listing', 'active', $2, currency.id, token.token_id, 1, 1, 1
      from token join currency on currency.chain_id = $1 and currency.address = $4`,
      [chainId, address, count, currencies[0]?.address],
    );
    return address;
  }

  async function list(contractAddress: string, pageSize: number): Promise<readonly CollectibleOrder[]> {
    const { collectibles } = await market.client.listCollectibles({
      contractAddress,
      side: "listing",
      page: { pageSize },
    });
    expect(collectibles).toHaveLength(Math.min(pageSize, 100));
    return collectibles;
  }

  /** A page of 100 has 15,728 bytes for the fields of each token; the quotes of a text and `[]` of the attributes are four. */
  test.each([
    [15_723, undefined],
    [15_724, undefined],
    [15_725, ["image"]],
  ])("a picture of %i bytes, in a page of 100", async (bytes, omitted) => {
    const address = await mint(100, { image: `repeat('x', ${bytes})` });
    const [first, ...others] = await list(address, 100);
    expect(first?.metadata.omitted).toEqual(omitted);
    expect(first?.metadata.image?.length).toBe(omitted === undefined ? bytes : undefined);
    expect(others.every(({ metadata }) => metadata.omitted?.[0] === omitted?.[0])).toBe(true);
  });

  test.each([
    [1, ["imageData"]],
    [30, ["animationUrl", "description", "imageData", "properties"]],
    [100, ["animationUrl", "description", "imageData", "properties"]],
  ])("in a page of %i, %j are omitted, and the response is bounded", async (pageSize, omitted) => {
    const address = await mint(100, {
      image: "'https://a.example/1.png'",
      description: "repeat('d', 65536)",
      attributes: "json_build_array(json_build_object('trait_type', 'A', 'value', repeat('v', 1000)))",
      properties: "json_build_object('p', repeat('p', 65000))",
      image_data: "repeat('i', 1048576)",
      animation_url: "repeat(e'\\u0001', 65536)",
    });
    const page = await list(address, pageSize);
    expect(bytesOf(page)).toBeLessThan(2_097_152 + 300_000);
    for (const { metadata } of page) {
      expect(metadata.image).toBe("https://a.example/1.png");
      expect(metadata.attributes).toHaveLength(1);
      expect(metadata.omitted?.toSorted()).toEqual(omitted);
      expect(Object.keys(metadata).filter((field) => omitted.includes(field))).toEqual([]);
    }
  });

  test("a hostile token costs its neighbors nothing", async () => {
    const address = await mint(100, {
      image: "case when each % 2 = 0 then repeat('x', 60000) else 'https://a.example/1.png' end",
      description: "repeat('d', 10000)",
    });
    const page = await list(address, 100);
    for (const { metadata } of page) {
      expect(metadata.description).toHaveLength(10_000);
      expect(metadata.omitted).toEqual(Number(metadata.tokenId) % 2 === 0 ? ["image"] : undefined);
    }
  });

  test("links to files end where the share of a token does", async () => {
    const addressWith = async (tokens: number, files: number): Promise<string> => {
      const address = await mint(tokens, { image: "'https://a.example/1.png'" });
      await market.database.query(
        `insert into asset (collection_id, collectible_id, metadata_field, url, updated_at)
        select token.collection_id, token.id, 'f' || each, repeat('u', 1000 * each), now()
        from collectible as token join collection on collection.id = token.collection_id, generate_series(1, $2::int) as each
        where address = $1`,
        [address, files],
      );
      return address;
    };
    const page = await list(await addressWith(100, 4), 100);
    expect(page.map(({ metadata }) => metadata.assets?.length)).toEqual(page.map(() => 2));
    expect((await list(await addressWith(1, 40), 1))[0]?.metadata.assets).toHaveLength(31);
    expect(bytesOf(page)).toBeLessThan(1_000_000);
  });

  test("the floor order is a page of one", async () => {
    const address = await mint(1, { image: "repeat('x', 65536)", image_data: "repeat('i', 2000000)" });
    const { collectible } = await market.client.getFloorOrder({ contractAddress: address });
    expect([collectible?.metadata.image?.length, collectible?.metadata.omitted]).toEqual([
      65_536,
      ["imageData"],
    ]);
  });
});

describe("an audience", () => {
  /** Contacts count 200 bytes each, and their name and mail address. */
  test.each([
    [10_000, 215, 10_000],
    [10_000, 217, 10_000],
    [10_000, 218, 9_986],
    [10_000, 1_024, 3_421],
  ])("of %i contacts with names of %i characters shows %i", async (count, length, shown) => {
    const id = 1_000 + ++collections;
    await market.database.query(
      `with made as (insert into audience (id, project_id, name) values ($1, $2, 'Many') returning id)
      insert into audience_contact (id, audience_id, address, name)
      select $1 * 100000 + each, made.id, '0x' || lpad(to_hex(each), 40, '0'), repeat('n', $4::int)
      from made, generate_series(1, $3::int) as each`,
      [id, market.host.projectId, count, length],
    );
    const { audience, contacts } = await builder.getAudience({ audienceId: id });
    expect([audience.contactCount, contacts.length]).toEqual([count, shown]);
    expect(contacts[0]?.id).toBe(id * 100_000 + 1);
    expect(bytesOf(contacts)).toBeLessThan(4_300_000);
  });

  test.each([
    [999, 999],
    [1_000, 1_000],
    [1_001, 1_000],
  ])("of %i contracts shows %i, and ABIs up to 4 MiB", async (count, shown) => {
    const id = 1_000 + ++collections;
    await market.database.query(
      `with made as (insert into audience (id, project_id, name) values ($1, $2, 'Many') returning id)
      insert into contract (project_id, contract_name, contract_address, contract_type, chain_id, source, abi, bytecode, audience_id)
      select $2, 'C', '0x' || lpad(to_hex($1 * 10000 + each), 40, '0'), 'ERC721', 137, 'LINKED', repeat('a', 16384), '0x' || repeat('00', 8191), made.id
      from made, generate_series(1, $3::int) as each`,
      [id, market.host.projectId, count],
    );
    const { contracts } = await builder.getAudience({ audienceId: id });
    expect(contracts).toHaveLength(shown);
    expect(contracts.filter(({ abi }) => abi !== undefined)).toHaveLength(128);
    expect(
      contracts
        .slice(0, 128)
        .every(({ abi, bytecode }) => abi?.length === 16_384 && bytecode?.length === 16_384),
    ).toBe(true);
    expect(bytesOf(contracts)).toBeLessThan(4_194_304 + 500_000);
  });
});

describe("a page of contract sources", () => {
  beforeAll(async () => {
    await market.database.query(
      `insert into contract_source (project_id, uid, contract_type, name, abi)
      select $1, 'large-' || each, 'ERC721', 'Large', repeat('a', 1048576) from generate_series(1, 9) as each`,
      [market.host.projectId],
    );
  });

  const page = (pageSize: number) =>
    result(builder.listContractSources({ page: { pageSize, column: "id" } }));

  test.each([
    [6, 6],
    [7, 7],
  ])("of %i MiB, and one more, is returned", async (pageSize, count) => {
    const answer = await page(pageSize);
    expect(answer.ok && answer.value.contractSources.length).toBe(count);
  });

  test.each([8, 9, 100])("of %i sources with more than 8 MiB is InvalidArgument", async (pageSize) => {
    const answer = await page(pageSize);
    expect(answer).toMatchObject({ ok: false, error: { name: "InvalidArgument" } });
    expect(!answer.ok && answer.error.cause).toMatch(
      /^\/page\/pageSize: \d sources have more than 8388608 bytes; request a smaller page$/,
    );
  });

  test("with one source is always returned", async () => {
    await market.database.query(
      "update contract_source set abi = repeat('a', 2097152), bytecode = '0x' || repeat('00', 4000000) where uid = 'large-1'",
    );
    const answer = await page(1);
    expect(answer.ok && answer.value.contractSources.length).toBe(1);
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CollectiblesFilter } from "../../../../generated/types.ts";
import {
  mergeConditions,
  type PropertyCondition,
} from "../../../../server/market/records/collectibles/token-sql.ts";
import { chainId, type Market, openMarket } from "./market.ts";
import { currencies } from "./order-book.ts";

let market: Market;
const contractAddress = `0xdd${"0".repeat(38)}`;

/** Token 2 has two levels, token 3 a list of tags, token 4 no properties. */
const tokens: readonly (readonly { readonly trait_type: string; readonly value: unknown }[])[] = [
  [
    { trait_type: "Rarity", value: "Common" },
    { trait_type: "Level", value: 1 },
  ],
  [
    { trait_type: "Rarity", value: "Rare" },
    { trait_type: "Level", value: 5 },
  ],
  [
    { trait_type: "Level", value: 3 },
    { trait_type: "Level", value: 9 },
  ],
  [
    { trait_type: "Rarity", value: "Rare" },
    { trait_type: "Tags", value: ["a", "b", "c"] },
  ],
  [],
];

beforeAll(async () => {
  market = await openMarket();
  await market.database.query(
    `with made as (insert into collection (chain_id, address) values ($1, $2) returning id), token as (
      insert into collectible (collection_id, token_id, attributes)
      select made.id, place - 1, attributes from made, json_array_elements($3::json) with ordinality as one (attributes, place)
      returning id, collection_id, token_id
    )
    insert into market_order (
      collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
      quantity_remaining, quantity_available
    )
    select token.collection_id, token.id, token.token_id, 'opensea', 'listing', 'active', $2, currency.id, 1 + token.token_id, 1, 1, 1
    from token join currency on currency.chain_id = $1 and currency.address = $4`,
    [chainId, contractAddress, JSON.stringify(tokens), currencies[0]?.address],
  );
});
afterAll(() => market[Symbol.asyncDispose]());

type Properties = NonNullable<CollectiblesFilter["properties"]>;

async function passing(properties: Properties): Promise<readonly number[]> {
  const { collectibles } = await market.client.listCollectibles({
    contractAddress,
    side: "listing",
    filter: { properties },
  });
  return collectibles.map(({ metadata }) => Number(metadata.tokenId));
}

describe("tokens pass", () => {
  const rows: readonly (readonly [about: string, properties: Properties, tokens: readonly number[]])[] = [
    ["no condition", [], [0, 1, 2, 3, 4]],
    ["a name alone, which restricts nothing", [{ name: "Rarity" }], [0, 1, 2, 3, 4]],
    ["one of the values", [{ name: "Rarity", values: ["Rare", "Epic"] }], [1, 3]],
    [
      "a value and a range",
      [
        { name: "Rarity", values: ["Rare"] },
        { name: "Level", min: 2 },
      ],
      [1],
    ],
    [
      "the same list twice",
      [
        { name: "Rarity", values: ["Rare"] },
        { name: "Rarity", values: ["Rare"] },
      ],
      [1, 3],
    ],
    [
      "two lists of one name that share a value",
      [
        { name: "Rarity", values: ["Rare", "Common"] },
        { name: "Rarity", values: ["Rare"] },
      ],
      [1, 3],
    ],
    [
      "two lists of one name that share nothing",
      [
        { name: "Rarity", values: ["Common"] },
        { name: "Rarity", values: ["Rare"] },
      ],
      [],
    ],
    [
      "a value of each list, of a property that is a list",
      [
        { name: "Tags", values: ["a", "x"] },
        { name: "Tags", values: ["c"] },
      ],
      [3],
    ],
    [
      "lists of which one is missed",
      [
        { name: "Tags", values: ["a"] },
        { name: "Tags", values: ["x"] },
      ],
      [],
    ],
    [
      "ranges of one name, which are cut",
      [
        { name: "Level", min: 1, max: 5 },
        { name: "Level", min: 3 },
      ],
      [1, 2],
    ],
    [
      "ranges that share nothing",
      [
        { name: "Level", max: 4 },
        { name: "Level", min: 5 },
      ],
      [],
    ],
    ["one value that is in the range and in the list", [{ name: "Level", min: 2, values: ["1", "5"] }], [1]],
    ...[62, 63].map(
      (count) =>
        [
          `${count} lists of one name`,
          Array.from({ length: count }, (_, index) => ({ name: "Tags", values: ["a", `x${index}`] })),
          [3],
        ] as const,
    ),
    ["a number by its text", [{ name: "Level", values: ["9"] }], [2]],
    ["no such name", [{ name: "rarity", values: ["Rare"] }], []],
  ];
  test.each(rows)("%s", async (_about, properties, expected) => {
    expect(await passing(properties)).toEqual(expected);
  });
});

test("conditions on one property are merged", () => {
  const conditions: readonly PropertyCondition[] = [
    { name: "a", min: 1, values: ["y", "x"] },
    { name: "b" },
    { name: "a", min: 3, max: 9, values: ["x", "y", "x"] },
    { name: "a", max: 7, values: ["z"] },
  ];
  expect(mergeConditions(conditions)).toEqual([{ name: "a", min: 3, max: 7, lists: [["x", "y"], ["z"]] }]);
});

describe("a filter has at most 20 properties and 1,000 values", () => {
  const named = (count: number): Properties =>
    Array.from({ length: count }, (_, index) => ({ name: `Name ${index}`, values: ["x"] }));
  const listing = (...counts: readonly number[]): Properties =>
    counts.map((count, index) => ({
      name: `Name ${index}`,
      values: Array.from({ length: count }, (_, value) => `Value ${value}`),
    }));
  const methods: readonly (readonly [string, (filter: CollectiblesFilter) => Promise<unknown>])[] = [
    ["ListCollectibles", (filter) => market.client.listCollectibles({ contractAddress, filter })],
    ["GetFloorOrder", (filter) => market.client.getFloorOrder({ contractAddress, filter })],
  ];
  const names = "conditions on at most 20 properties, found 21";
  const values = "at most 1000 values in all, found 1001";
  const rows: readonly (readonly [about: string, properties: Properties, error: string | undefined])[] = [
    ["19 names", named(19), undefined],
    ["20 names", named(20), undefined],
    ["21 names", named(21), names],
    ["21 conditions on 20 names", [...named(20), ...named(1)], undefined],
    ["1,000 conditions on 20 names", Array.from({ length: 50 }, () => named(20)).flat(), undefined],
    ["999 values", listing(999), undefined],
    ["1,000 values of one name", listing(1_000), undefined],
    ["1,000 values in all", listing(500, 500), undefined],
    ["1,001 values in all", listing(500, 501), values],
    ["1,001 values of one name in two conditions", [...listing(1_000), ...listing(1)], values],
  ];
  describe.each(methods)("%s", (_method, call) => {
    test.each(rows)("%s", async (_about, properties, error) => {
      if (error === undefined) await call({ properties });
      else
        await expect(call({ properties })).rejects.toMatchObject({
          code: 2000,
          status: 400,
          cause: `/filter/properties: ${error}`,
        });
    });
  });
});

/** Random order books, and functions to store them. */
import type { Queries } from "../../../../server/base/storage/database.ts";
import type { Random } from "../../../support/random.ts";

export interface ReferenceToken {
  readonly tokenId: bigint;
  readonly name: string;
  readonly attributes: readonly { readonly trait_type: string; readonly value: string | number }[];
  readonly owners: readonly string[];
}

export interface ReferenceOrder {
  readonly orderId: string;
  readonly marketplace: string;
  readonly side: "listing" | "offer";
  /** Undefined for an offer for any token. */
  readonly tokenId: bigint | undefined;
  readonly status: string;
  readonly createdBy: string;
  readonly currency: string;
  readonly price: bigint;
  readonly available: bigint;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly madeAt: string;
  readonly updatedAt: string;
  readonly isDeleted: boolean;
}

export interface OrderBook {
  readonly address: string;
  readonly tokens: readonly ReferenceToken[];
  readonly orders: readonly ReferenceOrder[];
}

export interface ReferenceCurrency {
  readonly address: string;
  readonly decimals: number;
  /** Undefined if it has no rate. */
  readonly usdRate?: string;
}

const addressOf = (digit: string): string => `0x${digit.repeat(40)}`;

/** Two have equal rates, so that prices tie; two have none. */
export const currencies: readonly ReferenceCurrency[] = [
  { address: addressOf("a"), decimals: 6, usdRate: "1" },
  { address: addressOf("b"), decimals: 18, usdRate: "2000.5" },
  { address: addressOf("c"), decimals: 2, usdRate: "1.000" },
  { address: addressOf("d"), decimals: 18 },
  { address: addressOf("9"), decimals: 0 },
];

export const makers: readonly string[] = ["1", "2", "3"].map(addressOf);
export const owners: readonly string[] = ["4", "5", "6"].map(addressOf);
export const markets = ["sequence_marketplace_v2", "opensea", "blur"] as const;
export const rarities = ["Common", "Rare", 'it\'s "odd"'] as const;
export const words = ["Red", "blue", "Knife", "ÄXT"] as const;

const long = "9999-12-31T23:59:59.000000Z";
const years = ["2020", "2021", "2022"];

export function randomBook(random: Random, number: number): OrderBook {
  const tokens = Array.from(
    { length: random.below(12) },
    (_, index): ReferenceToken => ({
      tokenId: random.chance(10) ? 2n ** 255n + BigInt(index) : BigInt(index * 3),
      name: Array.from({ length: random.below(3) }, () => random.pick(words)).join(" "),
      attributes: random.chance(70)
        ? [
            { trait_type: "Rarity", value: random.pick(rarities) },
            { trait_type: "Level", value: random.below(5) },
          ]
        : [],
      owners: random.shuffle(owners).slice(0, random.below(3)),
    }),
  );
  const orders =
    tokens.length === 0
      ? []
      : Array.from({ length: random.below(40) }, (_, index) => randomOrder(random, tokens, index));
  return { address: `0x${number.toString(16).padStart(40, "0")}`, tokens, orders };
}

export function randomOrder(
  random: Random,
  tokens: readonly ReferenceToken[],
  index: number,
): ReferenceOrder {
  const side = random.pick(["listing", "offer"] as const);
  const isForAny = side === "offer" && random.chance(15);
  const currency = random.pick(currencies);
  return {
    orderId: `order-${random.below(2)}-${index}`,
    marketplace: random.pick(markets),
    side,
    tokenId: isForAny ? undefined : random.pick(tokens).tokenId,
    status: random.chance(85) ? "active" : random.pick(["filled", "cancelled", "inactive", "expired"]),
    createdBy: random.pick(makers),
    currency: currency.address,
    // Few different prices, so that many tie; and one absurdly high one.
    price: random.chance(3) ? 10n ** 48n : BigInt(1 + random.below(4)) * 10n ** BigInt(currency.decimals),
    available: random.chance(95) ? 1n : 0n,
    validFrom: random.chance(95) ? "2020-01-01T00:00:00.000000Z" : "2100-01-01T00:00:00.000000Z",
    validUntil: random.chance(80)
      ? random.pick([long, "2101-01-01T00:00:00.000000Z"])
      : "2021-01-01T00:00:00.000000Z",
    madeAt: `${random.pick(years)}-02-03T04:05:06.789012Z`,
    updatedAt: `${random.pick(years)}-03-03T04:05:06.000000Z`,
    isDeleted: random.chance(5),
  };
}

export async function storeCurrencies(queries: Queries, chainId: number): Promise<void> {
  for (const { address, decimals, usdRate = null } of currencies)
    await queries.query(
      "insert into currency (chain_id, address, symbol, name, decimals, usd_rate) values ($1, $2, 'T', 'Test', $3, $4)",
      [chainId, address, decimals, usdRate],
    );
}

export async function storeBook(
  queries: Queries,
  chainId: number,
  { address, tokens, orders }: OrderBook,
): Promise<void> {
  await queries.query(
    `with made as (
      insert into collection (chain_id, address) values ($1, $2) returning id
    ), asked as (
      select * from json_to_recordset($3::json) as one ("tokenId" numeric, name text, attributes json, owners json)
    ), token as (
      insert into collectible (collection_id, token_id, name, attributes)
      select made.id, "tokenId", name, attributes from made cross join asked
      returning id, token_id
    )
    insert into collectible_owner (collectible_id, owner, quantity)
    select token.id, owner, 1 from token join asked on asked."tokenId" = token.token_id
    cross join lateral json_array_elements_text(asked.owners) as owner`,
    [
      chainId,
      address,
      JSON.stringify(tokens, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ],
  );
  await storeOrders(queries, chainId, address, orders);
}

export async function storeOrders(
  queries: Queries,
  chainId: number,
  address: string,
  orders: readonly ReferenceOrder[],
): Promise<void> {
  await queries.query(
    `insert into market_order (
      collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
      quantity_remaining, quantity_available, valid_from, valid_until, order_created_at, created_at, updated_at, deleted_at
    )
    select collection.id, collectible.id, one."orderId", one.marketplace::market_kind, one.side::order_side, one.status::order_status,
      one."createdBy", currency.id, one.price, 1, one.available, one.available, one."validFrom", one."validUntil", one."madeAt",
      one."madeAt", one."updatedAt", case when one."isDeleted" then now() end
    from json_to_recordset($3::json) as one (
      "orderId" text, marketplace text, side text, "tokenId" numeric, status text, "createdBy" text, currency text, price numeric,
      available numeric, "validFrom" timestamptz, "validUntil" timestamptz, "madeAt" timestamptz, "updatedAt" timestamptz,
      "isDeleted" bool
    )
    join collection on collection.chain_id = $1 and collection.address = $2
    join currency on currency.chain_id = $1 and currency.address = one.currency
    left join collectible on collectible.collection_id = collection.id and collectible.token_id = one."tokenId"`,
    [
      chainId,
      address,
      JSON.stringify(orders, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ],
  );
}

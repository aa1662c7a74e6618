/** Many orders, made by the database itself: the same ones for the same numbers. */
import type { Queries } from "../../server/base/storage/database.ts";

export interface MarketSize {
  readonly chainId: number;
  readonly orders: number;
  readonly collections: number;
  /** Half of them spread over all collections; the other half in the first hundredth, so that some are large. */
  readonly collectibles: number;
}

/** Address of the collection of a number from 1. */
export function collectionAddress(number: number): string {
  return `0xc0${number.toString(16).padStart(38, "0")}`;
}

/** Two currencies with a rate and one without; seven orders of ten are listings, one offer of fifty is for any token. */
export async function makeMarket(
  queries: Queries,
  { chainId, orders, collections, collectibles }: MarketSize,
): Promise<void> {
  await queries.query(
    `insert into currency (chain_id, address, symbol, name, decimals, usd_rate) values
      ($1, '0xf1' || repeat('0', 38), 'USD', 'Dollar', 6, 1), ($1, '0xf2' || repeat('0', 38), 'WETH', 'Ether', 18, 2000),
      ($1, '0xf3' || repeat('0', 38), 'JUNK', 'Junk', 18, null)`,
    [chainId],
  );
  await queries.query(
    "insert into collection (chain_id, address) select $1, '0xc0' || lpad(to_hex(each), 38, '0') from generate_series(1, $2::int) as each",
    [chainId, collections],
  );
  await queries.query(
    `insert into collectible (collection_id, token_id, name, description, image, attributes, status, origin, metadata_updated_at)
    select collection.id, each, 'Token ' || each, 'A token of the bench, like the others', 'https://a.example/' || each || '.png',
      json_build_array(
        json_build_object('trait_type', 'Rarity', 'value', (array['Common', 'Rare', 'Epic'])[1 + each % 3]),
        json_build_object('trait_type', 'Level', 'value', each % 100)
      ), 'AVAILABLE', 'import', now()
    from generate_series(1, $2::int) as each
    join collection on collection.chain_id = $1 and collection.address = '0xc0' || lpad(to_hex(
      case when each % 2 = 0 then 1 + each / 2 % $3::int else 1 + each / 2 % greatest(1, $3::int / 100) end
    ), 38, '0')`,
    [chainId, collectibles, collections],
  );
  const [first] = await queries.query<{ id: string }>("select min(id) as id from collectible");
  await queries.query(
    `insert into market_order (
      collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
      quantity_remaining, quantity_available, fee_bps, valid_until, order_created_at
    )
    select token.collection_id, case when each % 50 = 7 then null else token.id end, '0x' || md5(each::text) || md5((-each)::text),
      (array['opensea', 'sequence_marketplace_v2', 'blur'])[1 + each % 3]::market_kind,
      (case when each % 10 < 7 and each % 50 <> 7 then 'listing' else 'offer' end)::order_side,
      (case when each % 20 < 15 then 'active' when each % 20 < 18 then 'filled' else 'cancelled' end)::order_status,
      '0x' || lpad(to_hex(each % 5000), 40, '0'), currency.id,
      (1 + (hashint4(each)::bigint & 65535)) * 10::numeric ^ (currency.decimals - 3), 1, 1, 1, 250,
      case when each % 11 = 0 then '2021-01-01Z'::timestamptz else '2100-01-01Z' end,
      '2024-01-01Z'::timestamptz + each * interval '1 second'
    from generate_series(1, $2::int) as each
    join collectible as token on token.id = $4::bigint + (hashint8(each)::bigint & 2147483647) % $3::int
    join currency on currency.chain_id = $1
      and currency.symbol = case when each % 100 = 0 then 'JUNK' when each % 3 = 0 then 'USD' else 'WETH' end`,
    [chainId, orders, collectibles, first?.id],
  );
  await queries.query("analyze");
}

/** A collection of which nineteen of twenty listings have ended, minutes ago, and nobody has noted it yet. */
export async function makeEndedMarket(
  queries: Queries,
  {
    chainId,
    address,
    orders,
  }: { readonly chainId: number; readonly address: string; readonly orders: number },
): Promise<void> {
  await queries.query("insert into collection (chain_id, address) values ($1, $2)", [chainId, address]);
  await queries.query(
    `insert into collectible (collection_id, token_id, name)
    select collection.id, each, 'Token ' || each from collection, generate_series(1, $3::int / 10) as each
    where collection.chain_id = $1 and collection.address = $2`,
    [chainId, address, orders],
  );
  await queries.query(
    `insert into market_order (
      collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
      quantity_remaining, quantity_available, valid_until
    )
    select token.collection_id, token.id, '0x' || md5(each::text) || md5((-each)::text), 'opensea', 'listing', 'active',
      '0x' || lpad(to_hex(each % 5000), 40, '0'), currency.id, 1 + (hashint4(each)::bigint & 65535), 1, 1, 1,
      case when each % 20 = 0 then '2100-01-01Z' else now() - interval '2 minutes' end
    from generate_series(1, $3::int) as each
    join collection on collection.chain_id = $1 and collection.address = $2
    join collectible as token on token.collection_id = collection.id and token.token_id = 1 + each % ($3::int / 10)
    join currency on currency.chain_id = $1 and currency.symbol = case when each % 3 = 0 then 'USD' else 'WETH' end`,
    [chainId, address, orders],
  );
}

export async function dropMarket(queries: Queries, chainId: number, address: string): Promise<void> {
  const here = "(select id from collection where chain_id = $1 and address = $2)";
  for (const table of ["market_order", "collectible"])
    await queries.query(`delete from ${table} where collection_id = ${here}`, [chainId, address]);
  await queries.query("delete from collection where chain_id = $1 and address = $2", [chainId, address]);
}

/** Brings nineteen of twenty open orders to their end, as nobody has noted yet. */
export async function endMarket(queries: Queries): Promise<void> {
  await queries.query(
    "update market_order set valid_until = now() - interval '1 second' where status = 'active' and valid_until > now() and id % 20 <> 0",
  );
  await queries.query("vacuum analyze market_order");
}

/** A collection of many tokens, each with a few properties and a number of its own. */
export async function makeProperties(
  queries: Queries,
  {
    chainId,
    address,
    tokens,
  }: { readonly chainId: number; readonly address: string; readonly tokens: number },
): Promise<void> {
  await queries.query("insert into collection (chain_id, address) values ($1, $2)", [chainId, address]);
  await queries.query(
    `insert into collectible (collection_id, token_id, name, attributes)
    select collection.id, each, 'Token ' || each, json_build_array(
      json_build_object('trait_type', 'Background', 'value', 'Color ' || each % 20),
      json_build_object('trait_type', 'Hat', 'value', 'Hat ' || each % 300),
      json_build_object('trait_type', 'Level', 'value', each % 100),
      json_build_object('trait_type', 'Serial', 'value', 'No. ' || each)
    )
    from collection, generate_series(1, $3::int) as each
    where collection.chain_id = $1 and collection.address = $2`,
    [chainId, address, tokens],
  );
  await queries.query("analyze");
}

/** A collection whose tokens have one of fifty values under each of twenty names, and a listing each. */
export async function makeTraits(
  queries: Queries,
  {
    chainId,
    address,
    tokens,
  }: { readonly chainId: number; readonly address: string; readonly tokens: number },
): Promise<void> {
  await queries.query("insert into collection (chain_id, address) values ($1, $2)", [chainId, address]);
  await queries.query(
    `insert into collectible (collection_id, token_id, name, attributes)
    select collection.id, each, 'Token ' || each, (
      select json_agg(json_build_object('trait_type', 'Trait ' || trait, 'value', 'Value ' || (each / trait) % 50))
      from generate_series(1, 20) as trait
    )
    from collection, generate_series(1, $3::int) as each
    where collection.chain_id = $1 and collection.address = $2`,
    [chainId, address, tokens],
  );
  await queries.query(
    `insert into market_order (
      collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
      quantity_remaining, quantity_available
    )
    select token.collection_id, token.id, token.token_id, 'opensea', 'listing', 'active', '0x' || repeat('1', 40), currency.id,
      token.token_id, 1, 1, 1
    from collection
    join collectible as token on token.collection_id = collection.id
    join currency on currency.chain_id = collection.chain_id and currency.usd_rate is not null
    where collection.chain_id = $1 and collection.address = $2
      and currency.id = (select min(id) from currency where chain_id = $1 and usd_rate is not null)`,
    [chainId, address],
  );
  await queries.query("analyze");
}

/** Of `makeTraits`: on every name every value, so that no token is passed over. */
export const allTraits: readonly { readonly name: string; readonly values: readonly string[] }[] = Array.from(
  { length: 20 },
  (_, trait) => ({
    name: `Trait ${trait + 1}`,
    values: Array.from({ length: 50 }, (__, value) => `Value ${value}`),
  }),
);

import type { Queries } from "../../base/storage/database.ts";
import { utcSeconds } from "../../base/storage/sql.ts";
import type { CurrencyRates } from "../../market/records/currencies/currency.ts";
import type { LiveCollection, LiveOrder, LiveOrderBook } from "./snapshot.ts";

export interface CollectionChoice {
  readonly chainId: number;
  readonly address: string;
}

/** Limited to the newest orders: a sandbox may have millions, and no index is ordered by the last change. */
const newestOrders = "(select * from market_order order by id desc limit 1000)";

const collectionsSql = `
select collection.chain_id::float8 as "chainId", collection.address::text as address,
       count(*) filter (where o.status = 'active')::float8 as open
from ${newestOrders} o join collection on collection.id = o.collection_id
group by collection.id, collection.chain_id, collection.address
order by max(o.id) desc limit 20`;

export function readCollections(queries: Queries): Promise<readonly LiveCollection[]> {
  return queries.query<LiveCollection>(collectionsSql);
}

/** SQL for the smallest unit of an amount. `power(10, -18)` is 0 in Postgres 15. */
function unit(decimals: string): string {
  return `('1e-' || ${decimals})::numeric`;
}

const columns = `
  o.id::float8 as id, o.order_id as "orderId", o.marketplace, o.side,
  case when o.status = 'active' and o.valid_until <= now() then 'expired' else o.status::text end as status,
  token.token_id::text as "tokenId", trim_scale(o.price_amount * ${unit("currency.decimals")})::text as price,
  coalesce(nullif(currency.symbol, ''), currency.address::text) as currency, currency.id as "currencyId",
  trim_scale(o.quantity_available * ${unit("o.quantity_decimals")})::text as quantity, o.created_by::text as maker,
  ${utcSeconds("o.updated_at")} as "updatedAt"`;

const joins =
  "join currency on currency.id = o.currency_id left join collectible token on token.id = o.collectible_id";

/** Live orders, best price in USD first, unpriced ones last. A chart with more orders would not look different. */
const openSql = `
select ${columns}
from market_order o ${joins}
left join unnest($4::int[], $5::numeric[]) as worth (currency_id, rate) on worth.currency_id = o.currency_id
where o.collection_id = (select id from collection where chain_id = $1 and address = $2)
  and o.status = 'active' and o.deleted_at is null and o.quantity_available > 0 and o.side = $3::order_side
  and o.valid_from <= now() and o.valid_until > now()
order by worth.rate is null,
  o.price_amount * ${unit("currency.decimals")} * coalesce(worth.rate, 1) * case when $3 = 'offer' then -1 else 1 end, o.id
limit 250`;

const newestSql = `
select ${columns}
from ${newestOrders} o ${joins}
where o.collection_id = (select id from collection where chain_id = $1 and address = $2)
order by o.updated_at desc, o.id desc limit 12`;

type Row = Omit<LiveOrder, "usd"> & { readonly currencyId: number };

export async function readBook(
  queries: Queries,
  rates: CurrencyRates,
  { chainId, address }: CollectionChoice,
): Promise<LiveOrderBook> {
  const priced = await rates.pricedOn(chainId);
  const openOf = (side: string): Promise<readonly Row[]> =>
    queries.query<Row>(openSql, [
      chainId,
      address,
      side,
      priced.map(({ id }) => id),
      priced.map(({ usdRate }) => usdRate),
    ]);
  const listings = await openOf("listing");
  const offers = await openOf("offer");
  const newest = await queries.query<Row>(newestSql, [chainId, address]);
  const rateOf = new Map(priced.map(({ id, usdRate }) => [id, Number(usdRate)]));
  const shown = ({ currencyId, ...order }: Row): LiveOrder => {
    const rate = rateOf.get(currencyId);
    return { ...order, usd: rate === undefined ? null : Number(order.price) * rate };
  };
  return { chainId, address, open: [...listings, ...offers].map(shown), newest: newest.map(shown) };
}

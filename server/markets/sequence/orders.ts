import type { ChainTransaction } from "../../follower/derive/deriver.ts";
import type { SequenceKind } from "../../networks/markets.ts";
import { tokenIds } from "../../records/collectibles/token-ids.ts";
import { collectionIds } from "../../records/collections/collection-ids.ts";
import { namedCurrencies } from "../../records/currencies/named-currencies.ts";
import { plainArray } from "../../storage/plain-array.ts";
import type { Request, RequestName, RequestState } from "./book.ts";
import type { Created, PlacedChange } from "./change.ts";

/** A request that came into being, and what became of it since. */
export interface NewOrder {
  readonly placed: PlacedChange;
  readonly created: Created;
  readonly request: Request;
}

export interface MadeOrder extends ChangedOrder {
  readonly status: string;
}

/**
 * Makes orders, with the collections, tokens and currencies that they are the first to name. What was imported of the same order gives
 * way; one that is there as it was made is not among the answers. Nobody can have what nobody knows to be there: orders are inactive
 * until their facts are known.
 */
export async function makeOrders(
  tx: ChainTransaction,
  orders: readonly NewOrder[],
): Promise<readonly MadeOrder[]> {
  if (orders.length === 0) return [];
  const created = orders.map((order) => order.created);
  const collections = await collectionIds(
    tx,
    tx.chainId,
    created.map(({ collection }) => collection),
  );
  const currencies = await namedCurrencies(
    tx,
    tx.chainId,
    created.map(({ currency }) => currency),
  );
  const keys = created.map(({ collection, tokenId }) => ({
    collectionId: collections.get(collection) ?? "",
    tokenId,
  }));
  const tokens = await tokenIds(tx, keys);
  const isPriced = ({ currency }: Created): boolean => currencies.get(currency)?.isKnown === true;
  const rows = await tx.query<MadeRow>(
    makeSql,
    [
      keys.map(({ collectionId }) => collectionId),
      keys.map((key) => tokens.of(key)),
      created.map(({ currency }) => currencies.get(currency)?.id),
      created.map(({ requestId }) => requestId),
      orders.map(({ request }) => request.marketplace),
      created.map(({ isListing }) => (isListing ? "listing" : "offer")),
      orders.map(
        ({ request, ...order }) =>
          endOf(request.state) ?? (isPriced(order.created) ? "inactive" : "decimals_missing"),
      ),
      created.map(({ maker }) => maker),
      created.map(({ pricePerToken }) => pricePerToken),
      created.map(({ quantity }) => quantity),
      orders.map(({ request }) => request.state.remaining),
      created.map(expirySeconds),
      orders.map(({ placed }) => placed.block.number),
      orders.map(({ placed }) => placed.block.timestamp),
      orders.map(({ request }) => request.state.changedAt),
      orders.map(({ placed }) => placed.market),
    ].map(plainArray),
  );
  const requests = new Map(orders.map(({ request }) => [nameOf(request), request]));
  return rows.flatMap(({ id, status, marketplace, order_id }) => {
    const request = requests.get(`${marketplace} ${order_id}`);
    return request === undefined ? [] : [{ id, request, status }];
  });
}

interface MadeRow {
  readonly id: string;
  readonly status: string;
  readonly marketplace: SequenceKind;
  readonly order_id: string;
}

function nameOf({ marketplace, requestId }: Request): string {
  return `${marketplace} ${requestId}`;
}

/** Undefined: something may still happen to it. */
function endOf({ remaining, isCancelled }: RequestState): "filled" | "cancelled" | undefined {
  if (remaining === 0n) return "filled";
  return isCancelled ? "cancelled" : undefined;
}

/** The end of the year 9999, in seconds: what is later cannot be written as a moment, and is for ever. */
const latest = 253_402_300_799n;

function expirySeconds({ expiry }: Created): number {
  return Number(expiry > latest ? latest : expiry);
}

/** An order that is there with other terms was made by a block that has left while nobody could see it. */
const makeSql = {
  name: "market-orders",
  text: `
    insert into market_order as known (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by,
      currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, valid_until, block_number, order_created_at,
      order_updated_at, spender)
    select collection_id, collectible_id, request_id, marketplace, marketplace::text::order_source, 'chain', side, status, maker,
      currency_id, price, quantity, remaining, 0, to_timestamp(expiry), block_number, to_timestamp(created_at),
      to_timestamp(changed_at), market
    from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::market_kind[], $6::order_side[], $7::order_status[], $8::text[],
      $9::numeric[], $10::numeric[], $11::numeric[], $12::float8[], $13::bigint[], $14::float8[], $15::float8[], $16::text[])
      as told (collection_id, collectible_id, currency_id, request_id, marketplace, side, status, maker, price, quantity, remaining,
        expiry, block_number, created_at, changed_at, market)
    on conflict (collection_id, order_id, marketplace) do update set
      collectible_id = excluded.collectible_id, source = excluded.source, origin = excluded.origin, side = excluded.side,
      status = excluded.status, created_by = excluded.created_by, currency_id = excluded.currency_id,
      price_amount = excluded.price_amount, quantity_initial = excluded.quantity_initial,
      quantity_remaining = excluded.quantity_remaining, quantity_available = 0, valid_until = excluded.valid_until,
      block_number = excluded.block_number, order_created_at = excluded.order_created_at,
      order_updated_at = excluded.order_updated_at, updated_at = now(), spender = excluded.spender, holding_id = null,
      royalty_id = null, deleted_at = null
    where (known.origin, known.collectible_id, known.side, known.created_by, known.currency_id, known.price_amount,
        known.quantity_initial, known.valid_until, known.block_number)
      is distinct from (excluded.origin, excluded.collectible_id, excluded.side, excluded.created_by, excluded.currency_id,
        excluded.price_amount, excluded.quantity_initial, excluded.valid_until, excluded.block_number)
    returning id, status, marketplace, order_id`,
};

/** All requests of a maker. */
export interface MakerName {
  readonly marketplace: SequenceKind;
  readonly maker: string;
}

export interface KeptOrder {
  readonly id: string;
  readonly name: RequestName;
  readonly maker: string;
  readonly state: RequestState;
}

/** Orders that are kept here: those of these names, and those of these makers that are not over. */
export async function readOrders(
  tx: ChainTransaction,
  names: readonly RequestName[],
  invalidated: readonly MakerName[],
): Promise<readonly KeptOrder[]> {
  const named =
    names.length === 0 ? [] : await tx.query<KeptRow>(namedSql, [tx.chainId, ...columnsOf(names)]);
  const makers = new Map(
    invalidated.map(({ marketplace, maker }) => [`${marketplace} ${maker}`, { marketplace, maker }]),
  );
  const open =
    makers.size === 0
      ? []
      : await tx.query<KeptRow>(ofMakersSql, [
          tx.chainId,
          plainArray([...makers.values()].map(({ marketplace }) => marketplace)),
          plainArray([...makers.values()].map(({ maker }) => maker)),
        ]);
  const rows = new Map([...named, ...open].map((row) => [row.id, row]));
  return [...rows.values()].map(
    ({ id, collection, marketplace, order_id, maker, remaining, is_cancelled, changed_at }) => ({
      id,
      name: { marketplace, collection, requestId: BigInt(order_id) },
      maker,
      state: { remaining: BigInt(remaining), isCancelled: is_cancelled, changedAt: changed_at },
    }),
  );
}

interface KeptRow {
  readonly id: string;
  readonly collection: string;
  readonly marketplace: SequenceKind;
  readonly order_id: string;
  readonly maker: string;
  readonly remaining: string;
  readonly is_cancelled: boolean;
  readonly changed_at: number;
}

function columnsOf(names: readonly RequestName[]): readonly unknown[] {
  return [
    names.map(({ collection }) => collection),
    names.map(({ marketplace }) => marketplace),
    names.map(({ requestId }) => requestId),
  ].map(plainArray);
}

const kept = `o.id, collection.address as collection, o.marketplace, o.order_id, o.created_by as maker,
      o.quantity_remaining::text as remaining, o.status = 'cancelled' as is_cancelled,
      extract(epoch from o.order_updated_at)::float8 as changed_at`;

const namedSql = {
  name: "market-orders-named",
  text: `
    select ${kept}
    from unnest($2::text[], $3::market_kind[], $4::text[]) as named (collection, marketplace, order_id)
    cross join lateral (
      select id, address from collection where chain_id = $1 and address = named.collection limit 1
    ) collection
    cross join lateral (
      select * from market_order known
      where known.collection_id = collection.id and known.order_id = named.order_id and known.marketplace = named.marketplace
        and known.origin = 'chain' limit 1
    ) o`,
};

const ofMakersSql = {
  name: "market-orders-of-makers",
  text: `
    select ${kept}
    from unnest($2::market_kind[], $3::text[]) as named (marketplace, maker)
    cross join lateral (
      select * from market_order known
      where known.created_by = named.maker and known.marketplace = named.marketplace and known.origin = 'chain'
        and known.status in ('active', 'inactive', 'decimals_missing', 'expired')
      offset 0
    ) o
    join collection on collection.id = o.collection_id and collection.chain_id = $1`,
};

export interface ChangedOrder {
  readonly id: string;
  readonly request: Request;
}

/**
 * Writes what became of orders. Fewer units left are never more than were to be had, and make an open order neither active nor inactive,
 * so that no fact is asked.
 */
export async function updateOrders(tx: ChainTransaction, orders: readonly ChangedOrder[]): Promise<void> {
  if (orders.length === 0) return;
  const states = orders.map(({ request }) => request.state);
  await tx.query(
    updateSql,
    [
      orders.map(({ id }) => id),
      states.map(endOf),
      states.map(({ remaining }) => remaining),
      states.map(({ changedAt }) => changedAt),
    ].map(plainArray),
  );
}

const updateSql = {
  name: "market-orders-update",
  text: `
    update market_order known set
      status = coalesce(told.ended, known.status), quantity_remaining = told.remaining,
      quantity_available = case when told.ended is null then least(known.quantity_available, told.remaining) else 0 end,
      order_updated_at = to_timestamp(told.changed_at), updated_at = now()
    from unnest($1::bigint[], $2::order_status[], $3::numeric[], $4::float8[]) as told (id, ended, remaining, changed_at)
    where known.id = told.id`,
};

import type { ChainTransaction } from "../../follower/derive/deriver.ts";
import type { SequenceKind } from "../../networks/markets.ts";
import { outlook } from "../availability/outlook.ts";
import type { Created } from "./change.ts";
import type { PlacedChange, TakenBack } from "./changes.ts";

/** A request of a market on one chain; its number is the id of its order. */
export interface OrderName {
  readonly marketplace: SequenceKind;
  readonly requestId: bigint;
}

export interface AddedOrder {
  readonly id: string;
  /** Whether it was there before, so that there may be changes of it that are known. */
  readonly wasThere: boolean;
  readonly status: string;
}

/** Makes the orders that were created, with the collections, tokens and currencies that they are the first to name. In the order of the changes. */
export async function addOrders(
  tx: ChainTransaction,
  changes: readonly PlacedChange[],
): Promise<readonly AddedOrder[]> {
  const created = changes.flatMap(({ block, market, marketplace, change }) =>
    change.kind === "created" ? [{ block, market, marketplace, ...change }] : [],
  );
  if (created.length === 0) return [];
  const collections = created.map(({ collection }) => collection);
  const currencies = created.map(({ currency }) => currency);
  const tokens = created.map(({ tokenId }) => String(tokenId));
  await tx.query(collectionsSql, [tx.chainId, collections]);
  await tx.query(tokensSql, [tx.chainId, collections, tokens]);
  await tx.query(currenciesSql, [tx.chainId, currencies]);
  return tx.query<AddedOrder>(ordersSql, [
    tx.chainId,
    collections,
    tokens,
    currencies,
    created.map(({ requestId }) => String(requestId)),
    created.map(({ marketplace }) => marketplace),
    created.map(({ isListing }) => (isListing ? "listing" : "offer")),
    created.map(({ maker }) => maker),
    created.map(({ pricePerToken }) => String(pricePerToken)),
    created.map(({ quantity }) => String(quantity)),
    created.map(expirySeconds),
    created.map(({ block }) => block.number),
    created.map(({ block }) => block.timestamp),
    created.map(({ market }) => market),
  ]);
}

/** The end of the year 9999, in seconds: what is later cannot be written as a moment, and is for ever. */
const latest = 253_402_300_799n;

function expirySeconds({ expiry }: Created): number {
  return Number(expiry > latest ? latest : expiry);
}

const collectionsSql = {
  name: "market-collections",
  text: `
    insert into collection (chain_id, address)
    select distinct $1::bigint, address from unnest($2::text[]) as told (address)
    where not exists (select from collection known where known.chain_id = $1 and known.address = told.address)
    on conflict do nothing`,
};

const tokensSql = {
  name: "market-tokens",
  text: `
    insert into collectible (collection_id, token_id)
    select distinct collection.id, told.token_id from unnest($2::text[], $3::numeric[]) as told (address, token_id)
    cross join lateral (select id from collection where chain_id = $1 and address = told.address limit 1) collection
    where not exists (
      select from collectible known where known.collection_id = collection.id and known.token_id = told.token_id)
    on conflict do nothing`,
};

/** One that nobody knows has no digits yet: its orders wait until somebody has asked it. */
const currenciesSql = {
  name: "market-currencies",
  text: `
    insert into currency (chain_id, address, symbol, name, decimals, is_known)
    select distinct $1::bigint, address, '', '', 0, false from unnest($2::text[]) as told (address)
    where not exists (select from currency known where known.chain_id = $1 and known.address = told.address)
    on conflict do nothing`,
};

/**
 * What was imported of the same order gives way to what the chain says. Nobody can have what nobody knows to be there: orders are inactive
 * until their facts are.
 */
const ordersSql = {
  name: "market-orders",
  text: `
    insert into market_order (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by, currency_id,
      price_amount, quantity_initial, quantity_remaining, quantity_available, valid_until, block_number, order_created_at,
      order_updated_at, spender)
    select collection.id, collectible.id, told.request_id::text, told.marketplace, told.marketplace::text::order_source, 'chain', told.side,
      case when currency.is_known then 'inactive' else 'decimals_missing' end::order_status, told.maker, currency.id, told.price, told.quantity, told.quantity, 0, to_timestamp(told.expiry),
      told.block_number, to_timestamp(told.seconds), to_timestamp(told.seconds), told.market
    from unnest($2::text[], $3::numeric[], $4::text[], $5::numeric[], $6::market_kind[], $7::order_side[], $8::text[], $9::numeric[],
      $10::numeric[], $11::float8[], $12::bigint[], $13::float8[], $14::text[])
      as told (collection, token_id, currency, request_id, marketplace, side, maker, price, quantity, expiry, block_number, seconds, market)
    cross join lateral (select id from collection where chain_id = $1 and address = told.collection limit 1) collection
    cross join lateral (
      select id from collectible where collection_id = collection.id and token_id = told.token_id limit 1
    ) collectible
    cross join lateral (select id, is_known from currency where chain_id = $1 and address = told.currency limit 1) currency
    on conflict (collection_id, order_id, marketplace) do update set
      collectible_id = excluded.collectible_id, source = excluded.source, origin = excluded.origin, side = excluded.side,
      created_by = excluded.created_by, currency_id = excluded.currency_id, price_amount = excluded.price_amount,
      quantity_initial = excluded.quantity_initial, valid_until = excluded.valid_until, block_number = excluded.block_number,
      order_created_at = excluded.order_created_at, spender = excluded.spender, holding_id = null, royalty_id = null, deleted_at = null
    returning id, status, xmax <> 0 as "wasThere"`,
};

export interface UpdatedOrder {
  readonly id: string;
  readonly status: string;
  /** Whether what it hangs on is among the facts. */
  readonly isKnown: boolean;
}

/** Works out anew what the changes that are known make of these orders. */
export async function updateOrders(
  tx: ChainTransaction,
  names: readonly OrderName[],
): Promise<readonly UpdatedOrder[]> {
  if (names.length === 0) return [];
  return tx.query<UpdatedOrder>(updateSql, [tx.chainId, ...columnsOf(names)]);
}

/** A filled request is gone from its market, so that nothing can happen to it afterwards. */
const updateSql = {
  name: "market-orders-update",
  text: `
    with told as materialized (
      select o.id, market.remaining, market.changed_at, outlook.fee_bps, outlook.fee_breakdown,
        case when market.remaining = 0 then 'filled' when ended_at is not null then 'cancelled' else outlook.status end as status,
        case when market.remaining = 0 or ended_at is not null then 0 else outlook.units end as units, holding.id is not null as is_known
      from unnest($2::market_kind[], $3::numeric[]) as named (marketplace, request_id)
      cross join lateral (
        select marketplace, request_id, maker, collection from market_change
        where chain_id = $1 and marketplace = named.marketplace and request_id = named.request_id and kind = 'created' limit 1
      ) made
      cross join lateral (
        select found.* from collection
        join market_order found on found.collection_id = collection.id and found.order_id = made.request_id::text
          and found.marketplace = made.marketplace and found.origin = 'chain'
        where collection.chain_id = $1 and collection.address = made.collection limit 1
      ) o
      cross join lateral (select is_known from currency where currency.id = o.currency_id limit 1) currency
      left join lateral (
        select remaining, at from market_change later
        where later.chain_id = $1 and later.marketplace = made.marketplace and later.request_id = made.request_id
          and later.kind = 'accepted'
        order by block_number desc, log_index desc limit 1
      ) accepted on true
      left join lateral (
        select min(at) as at from market_change later
        where later.chain_id = $1 and later.marketplace = made.marketplace and later.request_id = made.request_id
          and later.kind = 'cancelled'
      ) cancelled on true
      left join lateral (
        select min(at) as at from market_change later
        where later.chain_id = $1 and later.marketplace = made.marketplace and later.maker = made.maker and later.kind = 'invalidated'
          and later.below > made.request_id and (later.collection is null or later.collection = made.collection)
      ) invalidated on true
      cross join lateral (
        select coalesce(accepted.remaining, o.quantity_initial) as remaining, least(cancelled.at, invalidated.at) as ended_at,
          greatest(o.order_created_at, accepted.at, cancelled.at, invalidated.at) as changed_at
      ) market
      ${outlook("o", "market.remaining")}
    )
    update market_order known set
      status = told.status, quantity_remaining = told.remaining, quantity_available = told.units, fee_bps = told.fee_bps,
      fee_breakdown = told.fee_breakdown::json, order_updated_at = told.changed_at, updated_at = now()
    from told
    where known.id = told.id
    returning known.id, known.status, told.is_known as "isKnown"`,
};

/** Orders that have never been made, since the block that made them has left the chain. */
export async function removeOrders(tx: ChainTransaction, changes: readonly TakenBack[]): Promise<void> {
  const created = changes.filter(({ kind }) => kind === "created");
  if (created.length === 0) return;
  await tx.query(removeSql, [
    tx.chainId,
    created.map(({ collection }) => collection),
    created.map(({ marketplace }) => marketplace),
    created.map(({ requestId }) => String(requestId)),
  ]);
}

const removeSql = {
  name: "market-orders-remove",
  text: `
    delete from market_order known
    using unnest($2::text[], $3::market_kind[], $4::text[]) as told (collection, marketplace, order_id), collection
    where collection.chain_id = $1 and collection.address = told.collection and known.collection_id = collection.id
      and known.order_id = told.order_id and known.marketplace = told.marketplace and known.origin = 'chain'`,
};

/** What makers had made void, or would have: those that are open, or were cancelled, as it is asked. */
export async function ordersOfMakers(
  tx: ChainTransaction,
  invalidations: readonly Invalidation[],
  state: "open" | "cancelled",
): Promise<readonly OrderName[]> {
  const rows = await tx.query<{ readonly marketplace: SequenceKind; readonly request_id: string }>(
    makersSql,
    [
      tx.chainId,
      invalidations.map(({ marketplace }) => marketplace),
      invalidations.map(({ maker }) => maker),
      invalidations.map(({ collection }) => collection ?? null),
      invalidations.map(({ below }) => String(below)),
      state === "cancelled" ? ["cancelled"] : ["active", "inactive", "decimals_missing", "expired"],
    ],
  );
  return rows.map(({ marketplace, request_id }) => ({ marketplace, requestId: BigInt(request_id) }));
}

export interface Invalidation {
  readonly marketplace: SequenceKind;
  readonly maker: string;
  readonly collection: string | undefined;
  readonly below: bigint;
}

const makersSql = {
  name: "market-orders-of-makers",
  text: `
    select distinct made.marketplace, made.request_id::text
    from unnest($2::market_kind[], $3::text[], $4::text[], $5::numeric[]) as told (marketplace, maker, collection, below)
    cross join lateral (
      select marketplace, request_id, collection from market_change
      where chain_id = $1 and marketplace = told.marketplace and maker = told.maker and kind = 'created' and request_id < told.below
        and (told.collection is null or told.collection = collection)
      offset 0
    ) made
    cross join lateral (
      select from collection
      join market_order known on known.collection_id = collection.id and known.order_id = made.request_id::text
        and known.marketplace = made.marketplace and known.status = any($6::order_status[])
      where collection.chain_id = $1 and collection.address = made.collection limit 1
    ) known`,
};

/** As columns of a statement. */
function columnsOf(names: readonly OrderName[]): readonly unknown[] {
  return [names.map(({ marketplace }) => marketplace), names.map(({ requestId }) => String(requestId))];
}

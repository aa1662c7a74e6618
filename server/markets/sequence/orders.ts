import type { ChainTransaction } from "../../follower/derive/deriver.ts";
import type { MarketKind } from "../../networks/markets.ts";
import type { Created } from "./change.ts";
import type { PlacedChange, TakenBack } from "./changes.ts";

/** A request of a market on one chain; its number is the id of its order. */
export interface OrderName {
  readonly marketplace: MarketKind;
  readonly requestId: bigint;
}

/** Makes the orders that were created, with the collections, tokens and currencies that they are the first to name. */
export async function addOrders(tx: ChainTransaction, changes: readonly PlacedChange[]): Promise<void> {
  const created = changes.flatMap(({ block, marketplace, change }) =>
    change.kind === "created" ? [{ block, marketplace, ...change }] : [],
  );
  if (created.length === 0) return;
  const collections = created.map(({ collection }) => collection);
  const currencies = created.map(({ currency }) => currency);
  const tokens = created.map(({ tokenId }) => String(tokenId));
  await tx.query(collectionsSql, [tx.chainId, collections]);
  await tx.query(tokensSql, [tx.chainId, collections, tokens]);
  await tx.query(currenciesSql, [tx.chainId, currencies]);
  await tx.query(ordersSql, [
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
    join collection on collection.chain_id = $1 and collection.address = told.address
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

/** What was imported of the same order gives way to what the chain says. */
const ordersSql = {
  name: "market-orders",
  text: `
    insert into market_order (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by, currency_id,
      price_amount, quantity_initial, quantity_remaining, quantity_available, valid_until, block_number, order_created_at,
      order_updated_at)
    select collection.id, collectible.id, told.request_id::text, told.marketplace, told.marketplace::text::order_source, 'chain', told.side,
      'active', told.maker, currency.id, told.price, told.quantity, told.quantity, told.quantity, to_timestamp(told.expiry),
      told.block_number, to_timestamp(told.seconds), to_timestamp(told.seconds)
    from unnest($2::text[], $3::numeric[], $4::text[], $5::numeric[], $6::market_kind[], $7::order_side[], $8::text[], $9::numeric[],
      $10::numeric[], $11::float8[], $12::bigint[], $13::float8[])
      as told (collection, token_id, currency, request_id, marketplace, side, maker, price, quantity, expiry, block_number, seconds)
    join collection on collection.chain_id = $1 and collection.address = told.collection
    join collectible on collectible.collection_id = collection.id and collectible.token_id = told.token_id
    join currency on currency.chain_id = $1 and currency.address = told.currency
    on conflict (collection_id, order_id, marketplace) do update set
      collectible_id = excluded.collectible_id, source = excluded.source, origin = excluded.origin, side = excluded.side,
      created_by = excluded.created_by, currency_id = excluded.currency_id, price_amount = excluded.price_amount,
      quantity_initial = excluded.quantity_initial, valid_until = excluded.valid_until, block_number = excluded.block_number,
      order_created_at = excluded.order_created_at, deleted_at = null`,
};

/** Works out anew what the changes that are known make of these orders. Answers every status that one of them has now. */
export async function updateOrders(
  tx: ChainTransaction,
  names: readonly OrderName[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await tx.query<{ readonly status: string }>(updateSql, [tx.chainId, ...columnsOf(names)]);
  return new Set(rows.map(({ status }) => status));
}

/** A filled request is gone from its market, so that nothing can happen to it afterwards. */
const updateSql = {
  name: "market-orders-update",
  text: `
    with updated as (
    update market_order known set
      status = case
        when told.remaining = 0 then 'filled'
        when told.ended_at is not null then 'cancelled'
        when not currency.is_known then 'decimals_missing'
        else 'active' end::order_status,
      quantity_remaining = coalesce(told.remaining, known.quantity_initial),
      quantity_available = coalesce(told.remaining, known.quantity_initial),
      order_updated_at = greatest(known.order_created_at, told.accepted_at, told.ended_at),
      updated_at = now()
    from currency, (
      select collection.id as collection_id, made.marketplace, made.request_id::text as order_id, accepted.remaining,
        accepted.at as accepted_at, least(cancelled.at, invalidated.at) as ended_at
      from unnest($2::market_kind[], $3::numeric[]) as named (marketplace, request_id)
      join market_change made
        on made.chain_id = $1 and made.marketplace = named.marketplace and made.request_id = named.request_id and made.kind = 'created'
      join collection on collection.chain_id = $1 and collection.address = made.collection
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
    ) told
    where known.collection_id = told.collection_id and known.order_id = told.order_id and known.marketplace = told.marketplace
      and known.origin = 'chain' and currency.id = known.currency_id
    returning known.status)
    select distinct status from updated`,
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

/** All that makers had made void, or would have. */
export async function ordersOfMakers(
  tx: ChainTransaction,
  invalidations: readonly Invalidation[],
): Promise<readonly OrderName[]> {
  const rows = await tx.query<{ readonly marketplace: MarketKind; readonly request_id: string }>(makersSql, [
    tx.chainId,
    invalidations.map(({ marketplace }) => marketplace),
    invalidations.map(({ maker }) => maker),
    invalidations.map(({ collection }) => collection ?? null),
    invalidations.map(({ below }) => String(below)),
  ]);
  return rows.map(({ marketplace, request_id }) => ({ marketplace, requestId: BigInt(request_id) }));
}

export interface Invalidation {
  readonly marketplace: MarketKind;
  readonly maker: string;
  readonly collection: string | undefined;
  readonly below: bigint;
}

const makersSql = {
  name: "market-orders-of-makers",
  text: `
    select distinct made.marketplace, made.request_id::text
    from unnest($2::market_kind[], $3::text[], $4::text[], $5::numeric[]) as told (marketplace, maker, collection, below)
    join market_change made
      on made.chain_id = $1 and made.marketplace = told.marketplace and made.maker = told.maker and made.kind = 'created'
        and made.request_id < told.below and (told.collection is null or told.collection = made.collection)`,
};

/** As columns of a statement. */
function columnsOf(names: readonly OrderName[]): readonly unknown[] {
  return [names.map(({ marketplace }) => marketplace), names.map(({ requestId }) => String(requestId))];
}

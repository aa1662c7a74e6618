import type { Transaction } from "../../../base/storage/database.ts";
import { findOrCreateCollections, findOrCreateOrderTokens } from "../../records/collectibles/ids.ts";
import { findOrCreateCurrencies } from "../../records/currencies/currency.ts";
import { availabilityJoin } from "../availability/availability-sql.ts";
import type { TouchedOrders } from "./event-store.ts";
import type { Terms } from "./terms.ts";

/** An order to be added to the market. */
export interface NewOrder {
  readonly orderHash: string;
  readonly terms: Terms;
  readonly feeKinds: readonly ("marketplace" | "royalty")[];
  /** The block that reported the order, or at which the order was checked. The timestamp is in seconds since 1970. */
  readonly block: { readonly number: number; readonly timestamp: number };
  /** Undefined for orders that only the chain has reported. */
  readonly submitted: SubmittedDetails | undefined;
  /** The contract that moves the maker's tokens: Seaport, or a conduit. */
  readonly spender: string;
}

export interface SubmittedDetails {
  readonly counter: bigint;
  /** Filled units, as of the block at which the order was checked. */
  readonly filled: bigint;
  /** The signed order, as JSON. */
  readonly signed: string;
}

/** End of the year 9999, in seconds. Later times mean "never", because they cannot be written as a timestamp. */
const maxTimeSeconds = 253_402_300_799n;

/**
 * Creates orders, and missing collections, tokens and currencies. Returns the ids of the orders. Call `updateOrders` afterwards.
 */
export async function addOrders(
  tx: Transaction,
  chainId: number,
  orders: readonly NewOrder[],
): Promise<readonly string[]> {
  if (orders.length === 0) return [];
  const rows = orders.map(({ orderHash, terms, feeKinds, block, submitted, spender }) => ({
    collection: terms.collection,
    token_id: terms.tokenId?.toString(),
    currency: terms.currency,
    order_hash: orderHash,
    side: terms.side,
    maker: terms.maker,
    price: terms.pricePerToken.toString(),
    quantity: terms.quantity.toString(),
    fee_bps: Math.min(
      10_000,
      terms.fees.reduce((sum, { bps }) => sum + bps, 0),
    ),
    fees: terms.fees.map(({ recipient, bps }, index) => ({
      kind: feeKinds[index] ?? "marketplace",
      recipientAddress: recipient,
      bps,
    })),
    valid_from: secondsOf(terms.validFrom),
    valid_until: secondsOf(terms.validUntil),
    block_number: block.number,
    seconds: block.timestamp,
    spender,
    is_whole: terms.isWhole,
    offered: terms.side === "offer" ? terms.total.toString() : undefined,
    counter: submitted?.counter.toString(),
    filled: submitted?.filled.toString(),
    signed: submitted === undefined ? undefined : JSON.parse(submitted.signed),
  }));
  const json = JSON.stringify(rows);
  await createReferences(tx, chainId, orders);
  const added = await tx.query<{ readonly id: string }>(ordersSql, [chainId, json]);
  return added.map(({ id }) => id);
}

async function createReferences(
  tx: Transaction,
  chainId: number,
  orders: readonly NewOrder[],
): Promise<void> {
  const terms = orders.map((order) => order.terms);
  const collections = await findOrCreateCollections(
    tx,
    chainId,
    terms.map(({ collection }) => collection),
  );
  const tokens = terms.flatMap(({ collection, tokenId }) =>
    tokenId === undefined ? [] : [{ collectionId: collections.get(collection) ?? "", tokenId }],
  );
  const lastBlock = Math.max(...orders.map(({ block }) => block.number));
  if (tokens.length > 0) await findOrCreateOrderTokens(tx, tokens, lastBlock);
  await findOrCreateCurrencies(
    tx,
    chainId,
    terms.map(({ currency }) => currency),
  );
}

function secondsOf(seconds: bigint): number {
  return Number(seconds > maxTimeSeconds ? maxTimeSeconds : seconds);
}

/**
 * Replaces an imported order with the same key. A submission completes an order that only the chain has reported. The hash of an order covers its
 * terms, so its holding stays the same if the spender does.
 */
const ordersSql = {
  name: "seaport-orders",
  text: `
    with reported as materialized (
      select * from json_to_recordset($2) as reported (collection text, token_id numeric, currency text, order_hash text, side order_side,
        maker text, price numeric, quantity numeric, fee_bps int, fees json, valid_from float8, valid_until float8, block_number bigint,
        seconds float8, spender text, is_whole boolean, offered numeric, counter numeric, filled numeric, signed json)
    ), written as (
      insert into market_order as known (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by,
        currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, fee_bps, fee_breakdown, valid_from,
        valid_until, block_number, order_created_at, order_updated_at, spender, is_whole, offered_amount)
      select collection.id, collectible.id, reported.order_hash, 'opensea', 'opensea', 'chain', reported.side, 'inactive', reported.maker, currency.id,
        reported.price, reported.quantity, reported.quantity, 0, reported.fee_bps, reported.fees, to_timestamp(reported.valid_from),
        to_timestamp(reported.valid_until), reported.block_number, to_timestamp(reported.seconds), to_timestamp(reported.seconds), reported.spender,
        reported.is_whole, reported.offered
      from reported
      join collection on collection.chain_id = $1 and collection.address = reported.collection
      join currency on currency.chain_id = $1 and currency.address = reported.currency
      left join collectible on collectible.collection_id = collection.id and collectible.token_id = reported.token_id
      on conflict (collection_id, order_id, marketplace) do update set
        collectible_id = excluded.collectible_id, source = excluded.source, origin = excluded.origin, side = excluded.side,
        created_by = excluded.created_by, currency_id = excluded.currency_id, price_amount = excluded.price_amount,
        quantity_initial = excluded.quantity_initial, fee_bps = excluded.fee_bps,
        fee_breakdown = case when known.origin = 'chain' then known.fee_breakdown else excluded.fee_breakdown end,
        valid_from = excluded.valid_from, valid_until = excluded.valid_until,
        block_number = case when known.origin = 'chain' then known.block_number else excluded.block_number end,
        order_created_at = case when known.origin = 'chain' then known.order_created_at else excluded.order_created_at end,
        deleted_at = null, spender = excluded.spender, left_spender = null, is_whole = excluded.is_whole,
        offered_amount = excluded.offered_amount, royalty_id = null,
        holding_id = case when known.origin = 'chain' and known.spender = excluded.spender then known.holding_id end
      returning id, order_id
    ), changes as (
      select reported.order_hash, sum(change.quantity) as filled from reported
      join seaport_change change on change.chain_id = $1 and change.order_hash = decode(substr(reported.order_hash, 3), 'hex')
        and change.kind = 'filled' and change.block_number <= reported.block_number
      where reported.filled is not null
      group by reported.order_hash
    )
    insert into seaport_order as known (order_id, chain_id, order_hash, offerer, counter, counter_was_told, filled_before, signed)
    select written.id, $1, decode(substr(reported.order_hash, 3), 'hex'), reported.maker, reported.counter,
      exists (select from seaport_change change
        where change.chain_id = $1 and change.offerer = reported.maker and change.kind = 'counter' and change.counter = reported.counter),
      greatest(coalesce(reported.filled, 0) - coalesce(changes.filled, 0), 0), reported.signed
    from reported join written on written.order_id = reported.order_hash
    left join changes on changes.order_hash = reported.order_hash
    on conflict (order_id) do update set counter = coalesce(excluded.counter, known.counter),
      counter_was_told = case when excluded.signed is null then known.counter_was_told else excluded.counter_was_told end,
      signed = coalesce(excluded.signed, known.signed),
      filled_before = case when excluded.signed is null then known.filled_before else excluded.filled_before end
    returning order_id as id`,
};

export interface UpdatedOrder {
  readonly id: string;
  readonly status: string;
  /** Whether the fact about the maker's balance and approval is stored. */
  readonly hasHolding: boolean;
}

/** Recomputes orders from all of their stored events. */
export async function updateOrders(
  tx: Transaction,
  chainId: number,
  { hashes, offerers }: TouchedOrders,
): Promise<readonly UpdatedOrder[]> {
  if (hashes.length + offerers.length === 0) return [];
  return tx.query<UpdatedOrder>(updateSql, [chainId, hashes, offerers]);
}

const touchedColumns = "order_id, order_hash, offerer, counter, counter_was_told, filled_before";

const updateSql = {
  name: "seaport-orders-update",
  text: `
    with touched as (
      select ${touchedColumns} from seaport_order where chain_id = $1 and order_hash = any($2)
      union
      select ${touchedColumns} from seaport_order where chain_id = $1 and offerer = any($3)
    )
    update market_order known set
      status = computed.status, quantity_remaining = computed.remaining, quantity_available = computed.units, order_updated_at = computed.changed_at,
      changed_block = computed.changed_block, updated_at = now()
    from (
      select o.id, market.remaining, market.changed_at, market.changed_block, holding.id is not null as has_holding,
        case when market.remaining = 0 then 'filled' when market.is_over then 'cancelled' else availability.status end as status,
        case when market.remaining = 0 or market.is_over then 0 else availability.units end as units
      from touched
      join market_order o on o.id = touched.order_id and o.origin = 'chain'
      join currency on currency.id = o.currency_id
      left join lateral (
        select sum(quantity) as filled, max(at) as at, max(block_number) as block_number from seaport_change change
        where change.chain_id = $1 and change.order_hash = touched.order_hash and change.kind = 'filled'
      ) fills on true
      left join lateral (
        select min(at) as at, min(block_number) as block_number from seaport_change change
        where change.chain_id = $1 and change.order_hash = touched.order_hash and change.kind = 'cancelled'
      ) cancelled on true
      left join lateral (
        select block_number, log_index from seaport_change change
        where change.chain_id = $1 and change.order_hash = touched.order_hash and change.kind = 'validated'
        order by block_number desc, log_index desc limit 1
      ) validated on true
      left join lateral (
        select counter, at, change.block_number, (change.block_number, change.log_index) > (validated.block_number, validated.log_index) as is_later
        from seaport_change change
        where change.chain_id = $1 and change.offerer = touched.offerer and change.kind = 'counter'
        order by change.block_number desc, change.log_index desc limit 1
      ) latest on true
      cross join lateral (
        select case
          when touched.counter is null then coalesce(latest.is_later, false)
          when latest.counter is null then touched.counter_was_told
          else touched.counter <> latest.counter end as is_void
      ) counter_state
      cross join lateral (
        select greatest(o.quantity_initial - touched.filled_before - coalesce(fills.filled, 0), 0) as remaining,
          cancelled.at is not null or counter_state.is_void as is_over,
          greatest(o.order_created_at, fills.at, cancelled.at, case when counter_state.is_void then latest.at end) as changed_at,
          greatest(fills.block_number, cancelled.block_number, case when counter_state.is_void then latest.block_number end) as changed_block
      ) market
      ${availabilityJoin("o", "market.remaining")}
    ) computed
    where known.id = computed.id
    returning known.id, known.status, computed.has_holding as "hasHolding"`,
};

/** Deletes orders that only removed blocks have reported. */
export async function removeOrders(
  tx: Transaction,
  chainId: number,
  { hashes }: TouchedOrders,
): Promise<void> {
  if (hashes.length > 0) await tx.query(removeSql, [chainId, hashes]);
}

const removeSql = {
  name: "seaport-orders-remove",
  text: `
    delete from market_order using seaport_order known
    where known.chain_id = $1 and known.order_hash = any($2) and known.signed is null and market_order.id = known.order_id
      and not exists (
        select from seaport_change change
        where change.chain_id = $1 and change.order_hash = known.order_hash and change.kind = 'validated')`,
};

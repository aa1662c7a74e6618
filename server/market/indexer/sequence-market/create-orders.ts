import { plainArray } from "../../../base/storage/sql.ts";
import type { ChainTransaction } from "../../../chain/follower/derive/deriver.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import { findOrCreateCollections, findOrCreateOrderTokens } from "../../records/collectibles/ids.ts";
import { findOrCreateCurrencies } from "../../records/currencies/currency.ts";
import { findExistingOrders, type OrderKey } from "../../records/orders/orders-by-id.ts";
import type { LocatedEvent, RequestCreated } from "./events.ts";
import { type ChangedOrder, finalStatusOf } from "./orders.ts";
import type { Request } from "./request-registry.ts";

/** A new request, with its state after all events of the batch. */
export interface NewOrder {
  readonly located: LocatedEvent;
  readonly created: RequestCreated;
  readonly request: Request;
}

export interface CreatedOrders {
  /** Requests that were written, each with its final state. Excludes orders that existed already with the same terms. */
  readonly requests: ReadonlySet<Request>;
  /** Written orders with their ids. Orders of old blocks are copied without ids, because later steps do not need them. */
  readonly orders: readonly CreatedOrder[];
  /** Whether an order has an unknown currency. */
  readonly hasUnknownCurrency: boolean;
}

export interface CreatedOrder extends ChangedOrder {
  readonly status: string;
}

/**
 * Creates orders, and missing collections, tokens and currencies. Replaces an imported order with the same key. Orders are inactive until
 * their facts have been read.
 */
export async function createOrders(
  tx: ChainTransaction,
  orders: readonly NewOrder[],
): Promise<CreatedOrders> {
  if (orders.length === 0) return { requests: new Set(), orders: [], hasUnknownCurrency: false };
  const rows = await rowsOf(tx, orders);
  // Old blocks need neither previous states nor availability, so new orders can be copied.
  const existing = tx.isRecent ? undefined : await findExistingOrders(tx, rows.map(keyOf));
  const toCopy = existing === undefined ? [] : rows.filter((_, index) => !existing.has(index));
  const toUpsert = existing === undefined ? rows : rows.filter((_, index) => existing.has(index));
  if (toCopy.length > 0) await tx.copy("market_order", copiedColumns, linesOf(toCopy));
  const upserted = toUpsert.length === 0 ? [] : await upsert(tx, toUpsert);
  return {
    requests: new Set([
      ...toCopy.map(({ order }) => order.request),
      ...upserted.map(({ request }) => request),
    ]),
    orders: upserted,
    hasUnknownCurrency: hasUnknownCurrency(toCopy) || hasUnknownCurrency(upserted),
  };
}

function hasUnknownCurrency(orders: readonly { readonly status: string }[]): boolean {
  return orders.some(({ status }) => status === "decimals_missing");
}

/** An order with the ids of the rows that it refers to. */
interface OrderRow {
  readonly order: NewOrder;
  readonly collectionId: string;
  readonly collectibleId: string;
  readonly currencyId: number | undefined;
  readonly status: string;
}

function keyOf({ order: { created, located }, collectionId }: OrderRow): OrderKey {
  return { collectionId, orderId: created.requestId, marketplace: located.marketplace };
}

async function rowsOf(tx: ChainTransaction, orders: readonly NewOrder[]): Promise<readonly OrderRow[]> {
  const collections = await findOrCreateCollections(
    tx,
    tx.chainId,
    orders.map(({ created }) => created.collection),
  );
  const currencies = await findOrCreateCurrencies(
    tx,
    tx.chainId,
    orders.map(({ created }) => created.currency),
  );
  const tokens = orders.map(({ created: { collection, tokenId } }) => ({
    collectionId: collections.get(collection) ?? "",
    tokenId,
  }));
  const ids = await findOrCreateOrderTokens(tx, tokens, highestBlock(orders));
  return orders.map((order, index) => {
    const currency = currencies.get(order.created.currency);
    return {
      order,
      collectionId: tokens[index]?.collectionId ?? "",
      collectibleId: ids[index] ?? "",
      currencyId: currency?.id,
      status:
        finalStatusOf(order.request.state) ?? (currency?.isKnown === true ? "inactive" : "decimals_missing"),
    };
  });
}

function highestBlock(orders: readonly NewOrder[]): number {
  return orders.reduce((highest, { located }) => Math.max(highest, located.block.number), 0);
}

const copiedColumns = [
  "collection_id",
  "collectible_id",
  "currency_id",
  "order_id",
  "marketplace",
  "source",
  "origin",
  "side",
  "status",
  "created_by",
  "price_amount",
  "quantity_initial",
  "quantity_remaining",
  "quantity_available",
  "valid_until",
  "block_number",
  "order_created_at",
  "order_updated_at",
  "changed_block",
  "spender",
];

/** If an import adds one of these orders in the meantime, the copy fails. The block is then derived again, and the order is found. */
function* linesOf(rows: readonly OrderRow[]): Iterable<string> {
  const timestamps = new Map<number, string>();
  // All orders of a block share a timestamp, and most orders share a few expiry times.
  const timestampOf = (seconds: number): string => {
    let text = timestamps.get(seconds);
    if (text === undefined) {
      text = new Date(seconds * 1_000).toISOString();
      timestamps.set(seconds, text);
    }
    return text;
  };
  for (const { order, collectionId, collectibleId, currencyId, status } of rows) {
    const { located, created, request } = order;
    const { block, market, marketplace } = located;
    const { requestId, isListing, maker, pricePerToken, quantity } = created;
    const { remaining, changedAt, changedBlock } = request.state;
    const side = isListing ? "listing" : "offer";
    const references = `${collectionId}\t${collectibleId}\t${currencyId ?? "\\N"}\t${requestId}\t${marketplace}`;
    const terms = `${marketplace}\tchain\t${side}\t${status}\t${maker}\t${pricePerToken}\t${quantity}\t${remaining}\t0`;
    const times = `${timestampOf(expirySeconds(created))}\t${block.number}\t${timestampOf(block.timestamp)}\t${timestampOf(changedAt)}\t${changedBlock}`;
    yield `${references}\t${terms}\t${times}\t${market}\n`;
  }
}

async function upsert(tx: ChainTransaction, rows: readonly OrderRow[]): Promise<readonly CreatedOrder[]> {
  const orders = rows.map(({ order }) => order);
  const written = await tx.query<WrittenRow>(
    upsertSql,
    [
      rows.map(({ collectionId }) => collectionId),
      rows.map(({ collectibleId }) => collectibleId),
      rows.map(({ currencyId }) => currencyId),
      orders.map(({ created }) => created.requestId),
      orders.map(({ request }) => request.marketplace),
      orders.map(({ created }) => (created.isListing ? "listing" : "offer")),
      rows.map(({ status }) => status),
      orders.map(({ created }) => created.maker),
      orders.map(({ created }) => created.pricePerToken),
      orders.map(({ created }) => created.quantity),
      orders.map(({ request }) => request.state.remaining),
      orders.map(({ created }) => expirySeconds(created)),
      orders.map(({ located }) => located.block.number),
      orders.map(({ located }) => located.block.timestamp),
      orders.map(({ request }) => request.state.changedAt),
      orders.map(({ request }) => request.state.changedBlock),
      orders.map(({ located }) => located.market),
    ].map(plainArray),
  );
  const requests = new Map(orders.map(({ request }) => [nameOf(request), request]));
  return written.flatMap(({ id, status, marketplace, order_id }) => {
    const request = requests.get(`${marketplace} ${order_id}`);
    return request === undefined ? [] : [{ id, request, status }];
  });
}

interface WrittenRow {
  readonly id: string;
  readonly status: string;
  readonly marketplace: SequenceKind;
  readonly order_id: string;
}

function nameOf({ marketplace, requestId }: Request): string {
  return `${marketplace} ${requestId}`;
}

/** End of the year 9999, in seconds. Later times mean "never", because they cannot be written as a timestamp. */
const maxExpirySeconds = 253_402_300_799n;

function expirySeconds({ expiry }: RequestCreated): number {
  return Number(expiry > maxExpirySeconds ? maxExpirySeconds : expiry);
}

/**
 * Overwrites orders with other terms: they were imported, or created by a block that has been removed since. Orders with the same terms are left out
 * before the insert, because each conflict would lock and write a row.
 */
const upsertSql = {
  name: "market-orders",
  text: `
    insert into market_order (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by,
      currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, valid_until, block_number, order_created_at,
      order_updated_at, changed_block, spender)
    select reported.collection_id, reported.collectible_id, request_id, reported.marketplace, reported.marketplace::text::order_source, 'chain',
      reported.side, reported.status, maker, reported.currency_id, price, quantity, remaining, 0, to_timestamp(expiry), reported.block_number,
      to_timestamp(reported.created_at), to_timestamp(changed_at), reported.changed_block, market
    from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::market_kind[], $6::order_side[], $7::order_status[], $8::text[],
      $9::numeric[], $10::numeric[], $11::numeric[], $12::float8[], $13::bigint[], $14::float8[], $15::float8[], $16::bigint[], $17::text[])
      as reported (collection_id, collectible_id, currency_id, request_id, marketplace, side, status, maker, price, quantity, remaining,
        expiry, block_number, created_at, changed_at, changed_block, market)
    left join market_order known on known.collection_id = reported.collection_id and known.order_id = reported.request_id
      and known.marketplace = reported.marketplace
    where (known.origin, known.collectible_id, known.side, known.created_by, known.currency_id, known.price_amount,
        known.quantity_initial, known.valid_until, known.block_number)
      is distinct from ('chain', reported.collectible_id, reported.side, maker, reported.currency_id, price, quantity,
        to_timestamp(expiry), reported.block_number)
    on conflict (collection_id, order_id, marketplace) do update set
      collectible_id = excluded.collectible_id, source = excluded.source, origin = excluded.origin, side = excluded.side,
      status = excluded.status, created_by = excluded.created_by, currency_id = excluded.currency_id,
      price_amount = excluded.price_amount, quantity_initial = excluded.quantity_initial,
      quantity_remaining = excluded.quantity_remaining, quantity_available = 0, valid_until = excluded.valid_until,
      block_number = excluded.block_number, order_created_at = excluded.order_created_at,
      order_updated_at = excluded.order_updated_at, changed_block = excluded.changed_block, updated_at = now(),
      spender = excluded.spender, left_spender = null, holding_id = null, royalty_id = null, deleted_at = null
    returning id, status, marketplace, order_id`,
};

import { plainArray } from "../../../base/storage/plain-array.ts";
import type { ChainTransaction } from "../../../chain/follower/derive/deriver.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import { namedTokens } from "../../records/collectibles/named-tokens.ts";
import { collectionIds } from "../../records/collections/collection-ids.ts";
import { namedCurrencies } from "../../records/currencies/named-currencies.ts";
import { knownOrders, type OrderKey } from "../../records/orders/known-orders.ts";
import type { Request } from "./book.ts";
import type { Created, PlacedChange } from "./change.ts";
import { type ChangedOrder, endOf } from "./orders.ts";

/** A request that came into being, and what became of it since. */
export interface NewOrder {
  readonly placed: PlacedChange;
  readonly created: Created;
  readonly request: Request;
}

export interface MadeOrders {
  /** Those that are written, each as all of its changes leave it. One that was there as it was made is not among them. */
  readonly requests: ReadonlySet<Request>;
  /** Of these, all that somebody may ask for by their ids: not those of settled blocks. */
  readonly orders: readonly MadeOrder[];
  /** Whether one waits for what its currency says of itself. */
  readonly isWaiting: boolean;
}

export interface MadeOrder extends ChangedOrder {
  readonly status: string;
}

/**
 * Makes orders, with the collections, tokens and currencies that they are the first to name. What was imported of the same order gives
 * way. Nobody can have what nobody knows to be there: orders are inactive until their facts are known.
 */
export async function makeOrders(tx: ChainTransaction, orders: readonly NewOrder[]): Promise<MadeOrders> {
  if (orders.length === 0) return { requests: new Set(), orders: [], isWaiting: false };
  const rows = await rowsOf(tx, orders);
  // Nobody will ask what they were before, and whether their makers have what they promise is looked for at the head.
  const known = tx.isRecent ? undefined : await knownOrders(tx, rows.map(keyOf));
  const copied = known === undefined ? [] : rows.filter((_, place) => !known.has(place));
  const others = known === undefined ? rows : rows.filter((_, place) => known.has(place));
  if (copied.length > 0) await tx.copy("market_order", copiedColumns, linesOf(copied));
  const made = others.length === 0 ? [] : await upsert(tx, others);
  return {
    requests: new Set([...copied.map(({ order }) => order.request), ...made.map(({ request }) => request)]),
    orders: made,
    isWaiting: isWaiting(copied) || isWaiting(made),
  };
}

function isWaiting(orders: readonly { readonly status: string }[]): boolean {
  return orders.some(({ status }) => status === "decimals_missing");
}

/** An order with the ids of what it names. */
interface OrderRow {
  readonly order: NewOrder;
  readonly collectionId: string;
  readonly collectibleId: string;
  readonly currencyId: number | undefined;
  readonly status: string;
}

function keyOf({ order: { created, placed }, collectionId }: OrderRow): OrderKey {
  return { collectionId, orderId: created.requestId, marketplace: placed.marketplace };
}

async function rowsOf(tx: ChainTransaction, orders: readonly NewOrder[]): Promise<readonly OrderRow[]> {
  const collections = await collectionIds(
    tx,
    tx.chainId,
    orders.map(({ created }) => created.collection),
  );
  const currencies = await namedCurrencies(
    tx,
    tx.chainId,
    orders.map(({ created }) => created.currency),
  );
  const tokens = orders.map(({ created: { collection, tokenId } }) => ({
    collectionId: collections.get(collection) ?? "",
    tokenId,
  }));
  const ids = await namedTokens(tx, tokens, highestBlock(orders));
  return orders.map((order, place) => {
    const currency = currencies.get(order.created.currency);
    return {
      order,
      collectionId: tokens[place]?.collectionId ?? "",
      collectibleId: ids[place] ?? "",
      currencyId: currency?.id,
      status: endOf(order.request.state) ?? (currency?.isKnown === true ? "inactive" : "decimals_missing"),
    };
  });
}

function highestBlock(orders: readonly NewOrder[]): number {
  return orders.reduce((highest, { placed }) => Math.max(highest, placed.block.number), 0);
}

const copiedColumns = [
  ...[
    "collection_id",
    "collectible_id",
    "currency_id",
    "order_id",
    "marketplace",
    "source",
    "origin",
    "side",
  ],
  ...["status", "created_by", "price_amount", "quantity_initial", "quantity_remaining", "quantity_available"],
  ...["valid_until", "block_number", "order_created_at", "order_updated_at", "changed_block", "spender"],
];

/** If somebody imports one of them at this moment, the block is derived anew, and finds it there. */
function* linesOf(rows: readonly OrderRow[]): Iterable<string> {
  const moments = new Map<number, string>();
  // A whole block is of one moment, and most orders end at one of a few.
  const momentOf = (seconds: number): string => {
    let text = moments.get(seconds);
    if (text === undefined) {
      text = new Date(seconds * 1_000).toISOString();
      moments.set(seconds, text);
    }
    return text;
  };
  for (const { order, collectionId, collectibleId, currencyId, status } of rows) {
    const { placed, created, request } = order;
    const { block, market, marketplace } = placed;
    const { requestId, isListing, maker, pricePerToken, quantity } = created;
    const { remaining, changedAt, changedBlock } = request.state;
    const side = isListing ? "listing" : "offer";
    const named = `${collectionId}\t${collectibleId}\t${currencyId ?? "\\N"}\t${requestId}\t${marketplace}`;
    const told = `${marketplace}\tchain\t${side}\t${status}\t${maker}\t${pricePerToken}\t${quantity}\t${remaining}\t0`;
    const times = `${momentOf(expirySeconds(created))}\t${block.number}\t${momentOf(block.timestamp)}\t${momentOf(changedAt)}\t${changedBlock}`;
    yield `${named}\t${told}\t${times}\t${market}\n`;
  }
}

async function upsert(tx: ChainTransaction, rows: readonly OrderRow[]): Promise<readonly MadeOrder[]> {
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
      orders.map(({ placed }) => placed.block.number),
      orders.map(({ placed }) => placed.block.timestamp),
      orders.map(({ request }) => request.state.changedAt),
      orders.map(({ request }) => request.state.changedBlock),
      orders.map(({ placed }) => placed.market),
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

/** The end of the year 9999, in seconds: what is later cannot be written as a moment, and is for ever. */
const latest = 253_402_300_799n;

function expirySeconds({ expiry }: Created): number {
  return Number(expiry > latest ? latest : expiry);
}

/** An order that is there with other terms was made by a block that has left while nobody could see it. */
const upsertSql = {
  name: "market-orders",
  text: `
    insert into market_order as known (collection_id, collectible_id, order_id, marketplace, source, origin, side, status, created_by,
      currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, valid_until, block_number, order_created_at,
      order_updated_at, changed_block, spender)
    select collection_id, collectible_id, request_id, marketplace, marketplace::text::order_source, 'chain', side, status, maker,
      currency_id, price, quantity, remaining, 0, to_timestamp(expiry), block_number, to_timestamp(created_at),
      to_timestamp(changed_at), changed_block, market
    from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::market_kind[], $6::order_side[], $7::order_status[], $8::text[],
      $9::numeric[], $10::numeric[], $11::numeric[], $12::float8[], $13::bigint[], $14::float8[], $15::float8[], $16::bigint[], $17::text[])
      as told (collection_id, collectible_id, currency_id, request_id, marketplace, side, status, maker, price, quantity, remaining,
        expiry, block_number, created_at, changed_at, changed_block, market)
    on conflict (collection_id, order_id, marketplace) do update set
      collectible_id = excluded.collectible_id, source = excluded.source, origin = excluded.origin, side = excluded.side,
      status = excluded.status, created_by = excluded.created_by, currency_id = excluded.currency_id,
      price_amount = excluded.price_amount, quantity_initial = excluded.quantity_initial,
      quantity_remaining = excluded.quantity_remaining, quantity_available = 0, valid_until = excluded.valid_until,
      block_number = excluded.block_number, order_created_at = excluded.order_created_at,
      order_updated_at = excluded.order_updated_at, changed_block = excluded.changed_block, updated_at = now(),
      spender = excluded.spender, left_spender = null, holding_id = null, royalty_id = null, deleted_at = null
    where (known.origin, known.collectible_id, known.side, known.created_by, known.currency_id, known.price_amount,
        known.quantity_initial, known.valid_until, known.block_number)
      is distinct from (excluded.origin, excluded.collectible_id, excluded.side, excluded.created_by, excluded.currency_id,
        excluded.price_amount, excluded.quantity_initial, excluded.valid_until, excluded.block_number)
    returning id, status, marketplace, order_id`,
};

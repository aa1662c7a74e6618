import type { OrderLineWithDefaults as Line } from "../../../../generated/records/types.ts";
import { readOrderLine } from "../../../../generated/records/validators.ts";
import type { Queries } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { storeConfiguredCurrencies } from "../../records/currencies/currency.ts";
import { lastChangeBlock } from "../../records/orders/order-sql.ts";
import { ChainLookup, chainNotServed, timestampError, uint256Error } from "../check-values.ts";
import { countingUpsert, type RecordKind, stagingTable } from "../record-kind.ts";
import { newOrders } from "./new-orders.ts";

const amounts = [
  "priceAmount",
  "tokenId",
  "quantityInitial",
  "quantityRemaining",
  "quantityAvailable",
] as const;

const timestamps = [
  "validFrom",
  "validUntil",
  "orderCreatedAt",
  "orderUpdatedAt",
  "createdAt",
  "updatedAt",
  "deletedAt",
] as const;

export const orders: RecordKind<Line, KnownCurrencies> = {
  name: "orders",
  identifiedBy: "chainId, collectionContractAddress, marketplace and orderId",
  example: {
    chainId: "polygon",
    collectionContractAddress: "0x631998e91476da5b870d741192fc5cbc55f5a52e",
    tokenId: "42",
    orderId: "17",
    marketplace: "sequence_marketplace_v2",
    side: "listing",
    createdBy: "0x1fea9fcbd1989c0f2d0fbad08144c528c7f5ea54",
    priceAmount: "1000000000000000000",
    priceCurrencyAddress: "0x0000000000000000000000000000000000000000",
    validUntil: "2030-01-31T12:00:00Z",
  },
  validate: readOrderLine,
  loadContext: loadCurrencies,
  key: ["chain_id", "address", "marketplace", "order_id"],
  partitionBy: ["chain_id", "address"],
  // `newOrders` relies on the order of the first nine.
  columns: [
    ["chain_id", "bigint"],
    ["address", "text"],
    ["token_id", "numeric"],
    ["status", "order_status"],
    ["valid_until", "timestamptz"],
    ["created_at", "timestamptz"],
    ["updated_at", "timestamptz"],
    ["order_id", "text"],
    ["marketplace", "market_kind"],
    ["source", "order_source"],
    ["side", "order_side"],
    ["origin_name", "text"],
    ["slug", "text"],
    ["created_by", "text"],
    ["currency_id", "int"],
    ["price_amount", "numeric"],
    ["quantity_initial", "numeric"],
    ["quantity_remaining", "numeric"],
    ["quantity_available", "numeric"],
    ["quantity_decimals", "smallint"],
    ["fee_bps", "int"],
    ["fee_breakdown", "json"],
    ["valid_from", "timestamptz"],
    ["block_number", "bigint"],
    ["order_created_at", "timestamptz"],
    ["order_updated_at", "timestamptz"],
    ["deleted_at", "timestamptz"],
  ],
  stage: (line, { chains, find }) => {
    const chainId = chains.find(line.chainId);
    if (chainId === undefined) return chainNotServed(line.chainId);
    const currency = find(chainId, line.priceCurrencyAddress);
    if (currency === undefined)
      return `/priceCurrencyAddress: unknown currency ${line.priceCurrencyAddress} on chain ${chainId}; import it first: platform import currencies`;
    const error = lineError(line, currency.decimals);
    if (error !== undefined) return error;
    const remaining = line.quantityRemaining ?? line.quantityInitial;
    const fees = line.feeBreakdown ?? [];
    return [
      chainId,
      line.collectionContractAddress,
      line.tokenId ?? null,
      line.status,
      line.validUntil ?? "9999-12-31T23:59:59Z",
      line.createdAt ?? null,
      line.updatedAt ?? null,
      line.orderId,
      line.marketplace,
      line.source,
      line.side,
      line.originName,
      line.slug,
      line.createdBy,
      currency.id,
      line.priceAmount,
      line.quantityInitial,
      remaining,
      line.quantityAvailable ?? remaining,
      line.quantityDecimals,
      line.feeBps ??
        Math.min(
          10_000,
          fees.reduce((sum, { bps }) => sum + bps, 0),
        ),
      fees.length === 0
        ? "[]"
        : JSON.stringify(fees.map(({ kind, recipientAddress, bps }) => ({ kind, recipientAddress, bps }))),
      line.validFrom ?? "1970-01-01T00:00:00Z",
      line.blockNumber ?? 0,
      line.orderCreatedAt ?? null,
      line.orderUpdatedAt ?? null,
      line.deletedAt ?? null,
    ];
  },
  checks: [],
  addNew: newOrders,
  merge: [
    countingUpsert(`
  insert into market_order as known (collection_id, collectible_id, order_id, marketplace, source, side, status, origin_name, slug,
    created_by, currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, quantity_decimals, fee_bps,
    fee_breakdown, valid_from, valid_until, block_number, order_created_at, order_updated_at, created_at, updated_at, deleted_at)
  select collection.id, collectible.id, order_id, marketplace, source, side, ${statusOf("staged")}, origin_name, slug,
    created_by, currency_id, price_amount, quantity_initial, quantity_remaining, quantity_available, quantity_decimals, fee_bps,
    fee_breakdown, valid_from, valid_until, block_number, order_created_at, order_updated_at,
    coalesce(staged.created_at, now()), coalesce(staged.updated_at, now()), deleted_at
  from ${stagingTable} staged
  join collection using (chain_id, address)
  left join collectible on collectible.collection_id = collection.id and collectible.token_id = staged.token_id
  order by line
  on conflict (collection_id, order_id, marketplace) do update set
    collectible_id = excluded.collectible_id, source = excluded.source, side = excluded.side, status = excluded.status,
    origin_name = excluded.origin_name, slug = excluded.slug, created_by = excluded.created_by, currency_id = excluded.currency_id,
    price_amount = excluded.price_amount, quantity_initial = excluded.quantity_initial,
    quantity_remaining = excluded.quantity_remaining, quantity_available = excluded.quantity_available,
    quantity_decimals = excluded.quantity_decimals, fee_bps = excluded.fee_bps, fee_breakdown = excluded.fee_breakdown,
    valid_from = excluded.valid_from, valid_until = excluded.valid_until, block_number = excluded.block_number, changed_block = null,
    order_created_at = excluded.order_created_at, order_updated_at = excluded.order_updated_at, updated_at = excluded.updated_at,
    deleted_at = excluded.deleted_at
  where known.origin = 'import' and
    (known.collectible_id, known.source, known.side, known.status, known.origin_name, known.slug, known.created_by, known.currency_id,
     known.price_amount, known.quantity_initial, known.quantity_remaining, known.quantity_available, known.quantity_decimals,
     known.fee_bps, known.fee_breakdown::text, known.valid_from, known.valid_until, ${lastChangeBlock("known")}, known.order_created_at,
     known.order_updated_at, known.deleted_at) is distinct from
    (excluded.collectible_id, excluded.source, excluded.side, excluded.status, excluded.origin_name, excluded.slug,
     excluded.created_by, excluded.currency_id, excluded.price_amount, excluded.quantity_initial, excluded.quantity_remaining,
     excluded.quantity_available, excluded.quantity_decimals, excluded.fee_bps, excluded.fee_breakdown::text, excluded.valid_from,
     excluded.valid_until, excluded.block_number, excluded.order_created_at, excluded.order_updated_at, excluded.deleted_at)`),
  ],
  exportSql: () => `
select chain_id::float8 as "chainId", collection.address as "collectionContractAddress", token_id::text as "tokenId",
       order_id as "orderId", marketplace, source, side, ${statusOf("made")} as status, origin_name as "originName", slug, created_by as "createdBy",
       price_amount::text as "priceAmount", currency.address as "priceCurrencyAddress", currency.decimals as "priceDecimals",
       quantity_initial::text as "quantityInitial", quantity_remaining::text as "quantityRemaining",
       quantity_available::text as "quantityAvailable", quantity_decimals as "quantityDecimals", fee_bps as "feeBps",
       fee_breakdown as "feeBreakdown", ${utcExact("valid_from")} as "validFrom", ${utcExact("valid_until")} as "validUntil",
       ${lastChangeBlock("made")}::float8 as "blockNumber", ${utcExact("order_created_at")} as "orderCreatedAt",
       ${utcExact("order_updated_at")} as "orderUpdatedAt", ${utcExact("made.created_at")} as "createdAt",
       ${utcExact("made.updated_at")} as "updatedAt", ${utcExact("deleted_at")} as "deletedAt"
from market_order made
join collection on collection.id = made.collection_id
join currency using (chain_id)
left join collectible on collectible.id = made.collectible_id
where currency.id = made.currency_id
order by chain_id, collection.address, order_id, marketplace`,
  fetchCount: 2_000,
};

/** SQL of the status: an order whose validity has ended is expired, even if it has not been marked yet. */
export function statusOf(order: string): string {
  return `case when ${order}.status in ('active', 'inactive') and ${order}.valid_until <= now() then 'expired' else ${order}.status end`;
}

function lineError(line: Line, decimals: number): string | undefined {
  if (line.side === "listing" && line.tokenId === undefined)
    return "/tokenId: a listing needs a token id, found nothing";
  if (line.priceDecimals !== undefined && line.priceDecimals !== decimals)
    return `/priceDecimals: the currency has ${decimals} decimals, found ${line.priceDecimals}`;
  for (const field of amounts) {
    const error = uint256Error(field, line[field]);
    if (error !== undefined) return error;
  }
  const error = timestampError(line as unknown as Readonly<Record<string, unknown>>, timestamps);
  if (error !== undefined) return error;
  // The index of orders that start later relies on it.
  return line.createdAt !== undefined && Date.parse(line.createdAt) > Date.now()
    ? `/createdAt: expected a time in the past, found ${line.createdAt}`
    : undefined;
}

interface KnownCurrency {
  readonly id: number;
  readonly decimals: number;
}

interface KnownCurrencies {
  readonly chains: ChainLookup;
  readonly find: (chainId: number, address: string) => KnownCurrency | undefined;
}

/** Loads the currencies that orders may use: imported ones, and configured ones, which it stores first. */
async function loadCurrencies(queries: Queries, networks: Networks): Promise<KnownCurrencies> {
  await storeConfiguredCurrencies(queries, networks.all);
  const rows = await queries.query<KnownCurrency & { readonly key: string }>(selectKnown);
  const known = new Map(rows.map(({ key, id, decimals }) => [key, { id, decimals }]));
  return {
    chains: new ChainLookup(networks),
    find: (chainId, address) => known.get(`${chainId} ${address}`),
  };
}

const selectKnown = "select id, decimals, chain_id || ' ' || address as key from currency where is_known";

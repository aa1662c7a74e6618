import { createHash } from "node:crypto";
import { builtinCode } from "ridlkit-runtime/reply";
import { type MarketplaceHandlers, rpcError } from "../../../../generated/server.ts";
import type {
  CollectiblesFilter,
  OrderFilter,
  Page,
  PageInputWithDefaults,
} from "../../../../generated/types.ts";
import { RequestRejection } from "../../../base/request-rejection.ts";
import { uint256Max } from "../../../base/uint256.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import {
  collectionKeys,
  currencyKey,
  type MarketTable,
  type StateVersions,
} from "../../../market/etags/market-versions.ts";
import { propertyLimitError, type TokenConditions } from "../../../market/records/collectibles/token-sql.ts";
import type { CurrencyRates } from "../../../market/records/currencies/currency.ts";
import {
  type PageCursor,
  PageCursorCache,
  type SortColumn,
  type SortKey,
  sortColumns,
} from "../../../market/records/orders/collectibles-query.ts";
import { highestOffer } from "../../../market/records/orders/highest-offer.ts";
import { listCollectibles } from "../../../market/records/orders/list-collectibles.ts";
import { ordersById } from "../../../market/records/orders/orders-by-id.ts";
import {
  findPriceBands,
  findUnpricedExclusions,
  type OrderConditions,
} from "../../../market/records/orders/price-bands.ts";
import { nativeCoin, zeroAddress } from "../../../wallets/swaps/swap.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";
import { collectibleResponses, orderResponse, ratesOf } from "./order-response.ts";

interface MarketplaceDependencies {
  readonly networks: Networks;
  readonly rates: CurrencyRates;
  readonly state: StateVersions;
}

/** The methods of the service, except those that all services share. */
export function marketplaceHandlers({
  networks,
  rates,
  state,
}: MarketplaceDependencies): Omit<MarketplaceHandlers<CallContext>, "Ping" | "Version"> {
  const cursors = new PageCursorCache();
  return {
    /** Pages follow the order of the request, so that they stay the same while orders change. No sort is applied. */
    GetOrders: async (ctx, req) => {
      const page = readMarketPage(req.page ?? { page: 1, pageSize: requestedMax });
      const served = { ...page, sort: [] };
      const { chainId } = networkOf(networks, req, ctx.host.pathNetwork);
      const start = (page.page - 1) * page.pageSize;
      const names = req.input.slice(start, start + page.pageSize);
      const more = start + page.pageSize < req.input.length;
      if (names.length === 0) return { orders: [], page: servedPage(served, more) };
      const addresses = names.map(({ contractAddress }) => contractAddress);
      const keys = [currencyKey(chainId), ...collectionKeys(chainId, addresses, ["market_order"])];
      const same = sameState(ctx, state.versionOf(keys));
      if (same) return same;
      const [rows, priced] = await Promise.all([
        ordersById(ctx.host.database, chainId, names),
        rates.pricedOn(chainId),
      ]);
      const known = ratesOf(priced);
      return { orders: rows.map((row) => orderResponse(row, known)), page: servedPage(served, more) };
    },
    ListCollectibles: async (ctx, req) => {
      const page = readMarketPage(req.page);
      checkFilter(req.filter);
      const { contractAddress, filter } = req;
      const { chainId } = networkOf(networks, req, ctx.host.pathNetwork);
      const side = req.side === "unknown" ? undefined : req.side;
      const name = JSON.stringify([
        ctx.host.caller?.projectId,
        chainId,
        contractAddress,
        req.side,
        filter,
        page.pageSize,
        page.sort,
      ]);
      const after = cursors.get(name, page.page - 1);
      const version = state.versionOf(listKeys(chainId, req));
      const same = sameState(ctx, version && after ? `${version}.${digest(after)}` : version);
      if (same) return same;
      const priced = await rates.pricedOn(chainId);
      const orders = orderConditions(filter);
      const found = await listCollectibles(ctx.host.database, {
        chainId,
        contractAddress,
        side,
        includeEmpty: filter?.includeEmpty ?? false,
        orders,
        tokens: tokenConditions(filter),
        bands: await findPriceBands(ctx.host.database, chainId, orders, priced),
        unpricedExclusions: await findUnpricedExclusions(ctx.host.database, chainId, orders, priced),
        sort: page.sort,
        pageSize: page.pageSize,
        offset: after === undefined ? (page.page - 1) * page.pageSize : 0,
        after,
      });
      cursors.set(name, page.page, found.cursor);
      return {
        collectibles: collectibleResponses(found.rows, side, ratesOf(priced)),
        page: servedPage(page, found.more),
      };
    },
    /** Returns the first entry of a list of listings by best price. */
    GetFloorOrder: async (ctx, req) => {
      checkFilter(req.filter);
      const { chainId } = networkOf(networks, req, ctx.host.pathNetwork);
      const same = sameState(ctx, state.versionOf(listKeys(chainId, req)));
      if (same) return same;
      const priced = await rates.pricedOn(chainId);
      const orders = orderConditions(req.filter);
      const { rows } = await listCollectibles(ctx.host.database, {
        chainId,
        contractAddress: req.contractAddress,
        side: "listing",
        includeEmpty: false,
        orders,
        tokens: tokenConditions(req.filter),
        bands: await findPriceBands(ctx.host.database, chainId, orders, priced),
        sort: [],
        pageSize: 1,
        offset: 0,
      });
      const [floor] = collectibleResponses(rows, "listing", ratesOf(priced));
      return { collectible: floor ?? null };
    },
    GetHighestPriceOfferForCollectible: async (ctx, req) => {
      const { contractAddress, tokenId } = req;
      checkNumber("/tokenId", tokenId);
      const { chainId } = networkOf(networks, req, ctx.host.pathNetwork);
      const keys = [currencyKey(chainId), ...collectionKeys(chainId, [contractAddress], ["market_order"])];
      const same = sameState(ctx, state.versionOf(keys));
      if (same) return same;
      const priced = await rates.pricedOn(chainId);
      const conditions = offerConditions(req.filter);
      const bands = await findPriceBands(ctx.host.database, chainId, conditions, priced);
      const found = await highestOffer(ctx.host.database, {
        chainId,
        contractAddress,
        tokenId,
        conditions,
        bands,
      });
      return { order: found === undefined ? null : orderResponse(found, ratesOf(priced)) };
    },
  };
}

/** Where a page starts depends on the page before, as its project has last seen it. */
function digest(after: PageCursor): string {
  return createHash("sha256").update(JSON.stringify(after)).digest("base64url").slice(0, 16);
}

/** The most orders that a request may name. */
const requestedMax = 100;

interface MarketPage {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly SortKey[];
}

const pageSizeDefault = 30;
const pageSizeMax = 100;

/** Throws RequestRejection if the sort is invalid. */
export function readMarketPage(input: PageInputWithDefaults | undefined): MarketPage {
  const sort: SortKey[] = [];
  for (const [index, { column, order }] of (input?.sort ?? []).entries()) {
    const at = `/page/sort/${index}/column`;
    if (!isSortColumn(column))
      throw new RequestRejection(`${at}: unknown column "${column}"; expected ${sortColumns.join(", ")}`);
    if (sort.some((key) => key.column === column))
      throw new RequestRejection(`${at}: "${column}" appears twice`);
    sort.push({ column, order });
  }
  return {
    page: Math.max(Number(input?.page ?? 1), 1),
    pageSize: Math.min(Number(input?.pageSize ?? 0) || pageSizeDefault, pageSizeMax),
    sort,
  };
}

function isSortColumn(column: string): column is SortColumn {
  return sortColumns.some((one) => one === column);
}

export function servedPage({ page, pageSize, sort }: MarketPage, more: boolean): Page {
  return { page, pageSize, more, sort: [...sort] };
}

export function orderConditions(filter: CollectiblesFilter | undefined): OrderConditions {
  return {
    marketplaces: filter?.marketplaces,
    createdBy: filter?.ordersCreatedBy,
    notCreatedBy: filter?.ordersNotCreatedBy,
    currencies: filter?.inCurrencyAddresses?.map(storedCurrency),
    notCurrencies: filter?.notInCurrencyAddresses?.map(storedCurrency),
    prices: filter?.prices?.map((range) => ({
      ...range,
      contractAddress: storedCurrency(range.contractAddress),
    })),
  };
}

export function tokenConditions(filter: CollectiblesFilter | undefined): TokenConditions {
  return {
    searchText: filter?.searchText,
    properties: filter?.properties,
    owners: filter?.inAccounts,
    notOwners: filter?.notInAccounts,
  };
}

/** Throws a failure if a filter exceeds a limit that the schema cannot express. */
export function checkFilter(filter: CollectiblesFilter | undefined): void {
  const excess = propertyLimitError(filter?.properties ?? []);
  if (excess !== undefined)
    throw rpcError.builtin(builtinCode.badRequest, { cause: `/filter/properties: ${excess}`, expose: true });
  for (const [index, { min, max }] of (filter?.prices ?? []).entries()) {
    checkNumber(`/filter/prices/${index}/min`, min);
    checkNumber(`/filter/prices/${index}/max`, max);
  }
}

/** Throws RequestRejection if a number exceeds 2^256 - 1. The schema limits only the number of digits. */
function checkNumber(at: string, number: string | undefined): void {
  if (number !== undefined && BigInt(number) > uint256Max)
    throw new RequestRejection(`${at}: must be at most 2^256 - 1`);
}

export function offerConditions(filter: OrderFilter | undefined): OrderConditions {
  const currencies = filter?.currencies?.map(storedCurrency);
  return { marketplaces: filter?.marketplace, createdBy: filter?.createdBy, currencies };
}

/** Orders store the zero address for a chain's native coin. Callers may also use the address that swaps use. */
function storedCurrency(address: string): string {
  return address === nativeCoin ? zeroAddress : address;
}

/** The keys of the data that a list of a collection's tokens shows. Owners only select tokens. */
export function listKeys(
  chainId: number,
  {
    contractAddress,
    filter,
  }: { readonly contractAddress: string; readonly filter?: CollectiblesFilter | undefined },
): readonly string[] {
  const namesOwners = (filter?.inAccounts?.length ?? 0) + (filter?.notInAccounts?.length ?? 0) > 0;
  const tables: readonly MarketTable[] = namesOwners ? [...shown, "collectible_owner"] : shown;
  return [currencyKey(chainId), ...collectionKeys(chainId, [contractAddress], tables)];
}

const shown: readonly MarketTable[] = ["market_order", "collectible", "asset"];

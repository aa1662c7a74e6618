import { createHash } from "node:crypto";
import type { MarketplaceHandlers } from "../../../../generated/server.ts";
import type { Page, PageInputWithDefaults } from "../../../../generated/types.ts";
import type { Networks } from "../../../chain/networks/networks.ts";
import { collectionKeys, currencyKey, type StateVersions } from "../../../market/etags/market-versions.ts";
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
import { findPriceBands, findUnpricedExclusions } from "../../../market/records/orders/price-bands.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";
import {
  invalidFilter,
  listKeys,
  offerConditions,
  orderConditions,
  tokenConditions,
  tooLargeNumber,
} from "./conditions.ts";
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
      if (typeof page === "string") return ctx.errors.InvalidArgument({ cause: page, expose: true });
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
      if (typeof page === "string") return ctx.errors.InvalidArgument({ cause: page, expose: true });
      const invalid = invalidFilter(ctx.errors, req.filter);
      if (invalid) return invalid;
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
      const invalid = invalidFilter(ctx.errors, req.filter);
      if (invalid) return invalid;
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
      const invalid = tooLargeNumber(ctx.errors, { tokenId });
      if (invalid) return invalid;
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

/** Returns an error for the caller if the sort is invalid. */
export function readMarketPage(input: PageInputWithDefaults | undefined): MarketPage | string {
  const sort: SortKey[] = [];
  for (const { column, order } of input?.sort ?? []) {
    if (!isSortColumn(column))
      return `page.sort: unknown column "${column}"; expected one of ${sortColumns.join(", ")}`;
    if (sort.some((key) => key.column === column)) return `page.sort: "${column}" is given twice`;
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

import type { MarketplaceHandlers } from "../../../../generated/server.ts";
import { collectionKeys, currencyKey } from "../../../market/etags/keys.ts";
import { ordersById } from "../../../market/records/orders/orders-by-id.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";
import type { MarketplaceDependencies } from "./dependencies.ts";
import { readMarketPage, servedPage } from "./market-page.ts";
import { orderResponse, ratesOf } from "./order-response.ts";

/** Pages follow the order of the request, so that they stay the same while orders change. No sort is applied. */
export function getOrders({
  networks,
  rates,
  state,
}: MarketplaceDependencies): MarketplaceHandlers<CallContext>["GetOrders"] {
  return async (ctx, req) => {
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
  };
}

/** The most orders that a request may name. */
const requestedMax = 100;

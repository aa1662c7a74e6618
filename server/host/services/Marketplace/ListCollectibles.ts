import type { MarketplaceHandlers } from "../../../../generated/server/marketplace.ts";
import { findLanes, unpricedExcept } from "../../../market/records/orders/find-lanes.ts";
import { listCollectibles as list } from "../../../market/records/orders/list-collectibles.ts";
import { PageEnds } from "../../../market/records/orders/page-ends.ts";
import { badRequest } from "../bad-request.ts";
import type { CallContext } from "../call-context.ts";
import { networkOf } from "../call-network.ts";
import {
  orderConditions,
  pricesOf,
  tokenConditions,
  tooLargeNumber,
  tooManyConditions,
} from "./conditions.ts";
import { readMarketPage, servedPage } from "./market-page.ts";
import { collectibleResponses, ratesOf } from "./order-response.ts";
import type { MarketplacePorts } from "./ports.ts";

export function listCollectibles({
  networks,
  rates,
}: MarketplacePorts): MarketplaceHandlers<CallContext>["ListCollectibles"] {
  const ends = new PageEnds();
  return async (ctx, req) => {
    const page = readMarketPage(req.page);
    if (typeof page === "string") return ctx.errors.InvalidArgument({ cause: page, expose: true });
    const excess = tooManyConditions(req.filter);
    if (excess !== undefined) return badRequest(excess);
    const fault = tooLargeNumber(pricesOf(req.filter));
    if (fault !== undefined) return ctx.errors.InvalidArgument({ cause: fault, expose: true });
    const { contractAddress, filter } = req;
    const { chainId } = networkOf(networks, req, ctx.host.pathNetwork);
    const priced = await rates.pricedOn(chainId);
    const orders = orderConditions(filter);
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
    const end = ends.endOf(name, page.page - 1);
    const found = await list(ctx.host.database, {
      chainId,
      contractAddress,
      side,
      includeEmpty: filter?.includeEmpty ?? false,
      orders,
      tokens: tokenConditions(filter),
      lanes: await findLanes(ctx.host.database, chainId, orders, priced),
      unpricedExcept: await unpricedExcept(ctx.host.database, chainId, orders, priced),
      sort: page.sort,
      pageSize: page.pageSize,
      offset: end === undefined ? (page.page - 1) * page.pageSize : 0,
      end,
    });
    ends.note(name, page.page, found.end);
    return {
      collectibles: collectibleResponses(found.rows, side, ratesOf(priced)),
      page: servedPage(page, found.more),
    };
  };
}

import { createHash } from "node:crypto";
import type { MarketplaceHandlers } from "../../../../generated/server.ts";
import { type PageCursor, PageCursorCache } from "../../../market/records/orders/collectibles-query.ts";
import { listCollectibles as list } from "../../../market/records/orders/list-collectibles.ts";
import { findPriceBands, findUnpricedExclusions } from "../../../market/records/orders/price-bands.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";
import { invalidFilter, listKeys, orderConditions, tokenConditions } from "./conditions.ts";
import type { MarketplaceDependencies } from "./dependencies.ts";
import { readMarketPage, servedPage } from "./market-page.ts";
import { collectibleResponses, ratesOf } from "./order-response.ts";

export function listCollectibles({
  networks,
  rates,
  state,
}: MarketplaceDependencies): MarketplaceHandlers<CallContext>["ListCollectibles"] {
  const cursors = new PageCursorCache();
  return async (ctx, req) => {
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
    const found = await list(ctx.host.database, {
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
  };
}

/** Where a page starts depends on the page before, as its project has last seen it. */
function digest(after: PageCursor): string {
  return createHash("sha256").update(JSON.stringify(after)).digest("base64url").slice(0, 16);
}

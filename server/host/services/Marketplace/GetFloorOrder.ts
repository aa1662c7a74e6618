import type { MarketplaceHandlers } from "../../../../generated/server.ts";
import { listCollectibles } from "../../../market/records/orders/list-collectibles.ts";
import { findPriceBands } from "../../../market/records/orders/price-bands.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";
import { invalidFilter, listKeys, orderConditions, tokenConditions } from "./conditions.ts";
import type { MarketplaceDependencies } from "./dependencies.ts";
import { collectibleResponses, ratesOf } from "./order-response.ts";

/** Returns the first entry of a list of listings by best price. */
export function getFloorOrder({
  networks,
  rates,
  state,
}: MarketplaceDependencies): MarketplaceHandlers<CallContext>["GetFloorOrder"] {
  return async (ctx, req) => {
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
  };
}

import type { MarketplaceHandlers } from "../../../../generated/server/marketplace.ts";
import { findPriceBands } from "../../../market/records/orders/find-price-bands.ts";
import { listCollectibles } from "../../../market/records/orders/list-collectibles.ts";
import { badRequest } from "../bad-request.ts";
import type { CallContext } from "../call-context.ts";
import { networkOf } from "../call-network.ts";
import { sameState } from "../state-tag.ts";
import {
  orderConditions,
  pricesOf,
  tokenConditions,
  tooLargeNumber,
  tooManyConditions,
} from "./conditions.ts";
import type { MarketplaceDependencies } from "./dependencies.ts";
import { listKeys } from "./list-keys.ts";
import { collectibleResponses, ratesOf } from "./order-response.ts";

/** Returns the first entry of a list of listings by best price. */
export function getFloorOrder({
  networks,
  rates,
  state,
}: MarketplaceDependencies): MarketplaceHandlers<CallContext>["GetFloorOrder"] {
  return async (ctx, req) => {
    const excess = tooManyConditions(req.filter);
    if (excess !== undefined) return badRequest(excess);
    const fault = tooLargeNumber(pricesOf(req.filter));
    if (fault !== undefined) return ctx.errors.InvalidArgument({ cause: fault, expose: true });
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

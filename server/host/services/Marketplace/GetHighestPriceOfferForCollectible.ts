import type { MarketplaceHandlers } from "../../../../generated/server.ts";
import { collectionKeys, currencyKey } from "../../../market/etags/keys.ts";
import { highestOffer } from "../../../market/records/orders/highest-offer.ts";
import { findPriceBands } from "../../../market/records/orders/price-bands.ts";
import { type CallContext, networkOf, sameState } from "../call-context.ts";
import { offerConditions, tooLargeNumber } from "./conditions.ts";
import type { MarketplaceDependencies } from "./dependencies.ts";
import { orderResponse, ratesOf } from "./order-response.ts";

export function getHighestPriceOfferForCollectible({
  networks,
  rates,
  state,
}: MarketplaceDependencies): MarketplaceHandlers<CallContext>["GetHighestPriceOfferForCollectible"] {
  return async (ctx, req) => {
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
  };
}

import type { MarketplaceHandlers } from "../../../../generated/server/marketplace.ts";
import { findLanes } from "../../../market/records/orders/find-lanes.ts";
import { highestOffer } from "../../../market/records/orders/highest-offer.ts";
import type { CallContext } from "../call-context.ts";
import { networkOf } from "../call-network.ts";
import { offerConditions, tooLarge } from "./conditions.ts";
import { orderAnswer, ratesOf } from "./order-answer.ts";
import type { Ports } from "./ports.ts";

export function getHighestPriceOfferForCollectible({
  networks,
  rates,
}: Ports): MarketplaceHandlers<CallContext>["GetHighestPriceOfferForCollectible"] {
  return async (ctx, req) => {
    const { contractAddress, tokenId } = req;
    const fault = tooLarge({ tokenId });
    if (fault !== undefined) return ctx.errors.InvalidArgument({ cause: fault, expose: true });
    const { chainId } = networkOf(networks, req, ctx.host.pathNetwork);
    const priced = await rates.pricedOn(chainId);
    const conditions = offerConditions(req.filter);
    const lanes = await findLanes(ctx.host.database, chainId, conditions, priced);
    const found = await highestOffer(ctx.host.database, {
      chainId,
      contractAddress,
      tokenId,
      conditions,
      lanes,
    });
    return { order: found === undefined ? null : orderAnswer(found, ratesOf(priced)) };
  };
}

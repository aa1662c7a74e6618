export type TradeKind = "list" | "buy" | "offer" | "sell";

/** Below this number of listings the next trade is a listing, so that there is always something to buy. */
const listingsMin = 3;

/** Above these numbers the next trade takes an order. Twelve tokens allow no more than twelve listings. */
const listingsMax = 8;
const offersMax = 6;

/** Returns the kinds from which the next trade is drawn. A kind that is listed twice is twice as likely. */
export function tradeKinds(listings: number, offers: number): readonly TradeKind[] {
  if (listings < listingsMin) return ["list"];
  if (listings > listingsMax) return ["buy"];
  if (offers > offersMax) return ["sell"];
  return ["list", "buy", "buy", "offer", ...(offers > 0 ? (["sell"] as const) : [])];
}

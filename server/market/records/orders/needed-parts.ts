import {
  noPart,
  type PartOptions,
  partColumns,
  segments,
  withOfferForAny,
  withOrder,
  withoutOrder,
} from "./collectible-parts.ts";
import { type CollectiblesAsk, sidesOf } from "./collectibles-ask.ts";
import { hasNoUnpricedOrder, withUnpricedListing, withUnpricedOffer } from "./unpriced-parts.ts";

/** What a list consists of, in SQL. */
export interface Parts {
  /** Tokens with an order in a lane, which go first. */
  readonly priced: readonly string[];
  readonly others: readonly string[];
}

/** The parts that the page may need. By best price they follow each other; with another sort all that have an order in a lane are mixed. */
export function partsOf(ask: CollectiblesAsk, optionsOf: (segment: number) => PartOptions): Parts {
  const { includeEmpty, sort, end, unpricedExcept } = ask;
  const sides = sidesOf(ask);
  const listsUnpriced = unpricedExcept !== undefined;
  const all = [
    {
      segment: segments.listing,
      isAsked: sides.includes("listing"),
      write: (options: PartOptions) => withOrder("listing", options),
    },
    {
      segment: segments.offer,
      isAsked: sides.includes("offer"),
      write: (options: PartOptions) => withOrder("offer", options),
    },
    { segment: segments.offerForAny, isAsked: sides.includes("offer"), write: withOfferForAny },
    {
      segment: segments.unpricedListing,
      isAsked: listsUnpriced && sides.includes("listing"),
      write: (options: PartOptions) => withUnpricedListing(sides, options),
    },
    {
      segment: segments.unpricedOffer,
      isAsked: listsUnpriced && sides.includes("offer"),
      write: (options: PartOptions) => withUnpricedOffer(sides, options),
    },
    {
      segment: segments.noOrder,
      isAsked: includeEmpty,
      write: (options: PartOptions) =>
        withoutOrder(sides, options, listsUnpriced ? hasNoUnpricedOrder(sides) : []),
    },
  ];
  const isMixed = sort.length > 0;
  const needed = all
    .filter(({ segment, isAsked }) => isAsked && (isMixed || segment >= Number(end?.[0] ?? 0)))
    .map(({ segment, write }) => {
      const shown = isMixed ? mixedSegment(segment) : segment;
      const part = `
        select ${partColumns.replace("segment", `${shown} as segment`)} from (${write(optionsOf(segment))}) as one`;
      return { part, isPriced: segment < segments.unpricedListing };
    });
  const partsThat = (isPriced: boolean): readonly string[] =>
    needed.filter((one) => one.isPriced === isPriced).map(({ part }) => part);
  const priced = partsThat(true);
  return { priced: priced.length === 0 ? [noPart] : priced, others: partsThat(false) };
}

/** Where orders of several segments are sorted together, their tokens have the number of the first of these segments. */
function mixedSegment(segment: number): number {
  if (segment === segments.noOrder) return segment;
  return segment < segments.unpricedListing ? segments.listing : segments.unpricedListing;
}

import { type CollectiblesQuery, sidesOf } from "./collectibles-query.ts";
import {
  emptySegment,
  type SegmentOptions,
  segmentColumns,
  segmentNumbers,
  tokensWithOfferForAny,
  tokensWithOrder,
  tokensWithoutOrder,
} from "./priced-segments.ts";
import {
  hasNoUnpricedOrder,
  tokensWithUnpricedListing,
  tokensWithUnpricedOffer,
} from "./unpriced-segments.ts";

export interface PageSegments {
  /** Segments of tokens with an order in a band (see price-bands.ts). They precede `others`. */
  readonly priced: readonly string[];
  readonly others: readonly string[];
}

/**
 * Returns the SQL of the segments that a page may need. In a list by best price, the segments follow one another. Other sorts mix all
 * segments of tokens with an order in a band.
 */
export function segmentsForPage(
  query: CollectiblesQuery,
  optionsOf: (segment: number) => SegmentOptions,
): PageSegments {
  const { includeEmpty, sort, after, unpricedExclusions } = query;
  const sides = sidesOf(query);
  const listsUnpriced = unpricedExclusions !== undefined;
  const all = [
    {
      segment: segmentNumbers.listing,
      isRequested: sides.includes("listing"),
      write: (options: SegmentOptions) => tokensWithOrder("listing", options),
    },
    {
      segment: segmentNumbers.offer,
      isRequested: sides.includes("offer"),
      write: (options: SegmentOptions) => tokensWithOrder("offer", options),
    },
    {
      segment: segmentNumbers.offerForAny,
      isRequested: sides.includes("offer"),
      write: tokensWithOfferForAny,
    },
    {
      segment: segmentNumbers.unpricedListing,
      isRequested: listsUnpriced && sides.includes("listing"),
      write: (options: SegmentOptions) => tokensWithUnpricedListing(sides, options),
    },
    {
      segment: segmentNumbers.unpricedOffer,
      isRequested: listsUnpriced && sides.includes("offer"),
      write: (options: SegmentOptions) => tokensWithUnpricedOffer(sides, options),
    },
    {
      segment: segmentNumbers.noOrder,
      isRequested: includeEmpty,
      write: (options: SegmentOptions) =>
        tokensWithoutOrder(sides, options, listsUnpriced ? hasNoUnpricedOrder(sides) : []),
    },
  ];
  const isMixed = sort.length > 0;
  const needed = all
    .filter(({ segment, isRequested }) => isRequested && (isMixed || segment >= Number(after?.[0] ?? 0)))
    .map(({ segment, write }) => {
      const shown = isMixed ? mixedSegment(segment) : segment;
      const part = `
        select ${segmentColumns.replace("segment", `${shown} as segment`)} from (${write(optionsOf(segment))}) as one`;
      return { part, isPriced: segment < segmentNumbers.unpricedListing };
    });
  const segmentsThat = (isPriced: boolean): readonly string[] =>
    needed.filter((segment) => segment.isPriced === isPriced).map(({ part }) => part);
  const priced = segmentsThat(true);
  return { priced: priced.length === 0 ? [emptySegment] : priced, others: segmentsThat(false) };
}

/** The number of a segment in a sort that mixes segments: that of the first segment in the mix. */
function mixedSegment(segment: number): number {
  if (segment === segmentNumbers.noOrder) return segment;
  return segment < segmentNumbers.unpricedListing ? segmentNumbers.listing : segmentNumbers.unpricedListing;
}

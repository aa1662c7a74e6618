/** A uniform interface to markets, whatever their contracts require. */
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { farAway, type Scenario } from "./scenario.ts";
import { type SignedOrderEntry, signOrder, submitOrder, validateOrder } from "./signed-orders.ts";
import type { SequenceContract } from "./trading.ts";

export interface VenueTerms {
  readonly from: Hex;
  readonly isListing: boolean;
  readonly isMulti: boolean;
  /** Undefined for any token of the collection. */
  readonly tokenId: bigint | undefined;
  readonly quantity: bigint;
  readonly price: bigint;
  readonly expiry?: bigint;
}

/** Orders are identified by names of the test. */
export interface Venue {
  /** The contract that takes the makers' tokens. */
  readonly spender: Hex;
  /** Undefined if the market does not support it. */
  readonly sequence: SequenceContract | undefined;
  create(name: string, terms: VenueTerms): Promise<void>;
  accept(name: string, from: Hex, units: bigint, tokenId?: bigint): Promise<void>;
  cancel(name: string, from: Hex): Promise<void>;
  /** Cancels all orders of a maker, or those for one contract if the market supports that. */
  invalidate(from: Hex, token: Hex | undefined): Promise<void>;
}

export function sequenceVenue(market: SequenceContract, { trading, collections }: Scenario): Venue {
  const requests = new Map<string, bigint>();
  return {
    spender: market.address,
    sequence: market,
    async create(name, { from, isMulti, tokenId, price, expiry = farAway, ...terms }) {
      requests.set(name, (await market.read("nextRequestId")) as bigint);
      const tokenContract = (isMulti ? collections.multi : collections.collectible).address;
      const about = { isERC1155: isMulti, tokenContract, tokenId, expiry };
      const request = { ...about, ...terms, currency: trading.coin.address, pricePerToken: price };
      await market.send(from, "createRequest", [request]);
      // Mined, so that the next request has another id.
      await trading.world.chain.mine();
    },
    accept: (name, from, units) =>
      market.send(from, "acceptRequest", [requests.get(name), units, from, [], []]),
    cancel: (name, from) => market.send(from, "cancelRequest", [requests.get(name)]),
    invalidate: (from, token) => market.send(from, "invalidateRequests", token === undefined ? [] : [token]),
  };
}

/** Listings are validated on the chain, offers are submitted by the operator. */
export function seaportVenue(story: Scenario, byConduit: boolean): Venue {
  const { trading, collections, book } = story;
  const { seaport } = trading;
  const orders = new Map<string, SignedOrderEntry>();
  const orderOf = (name: string): SignedOrderEntry => {
    const entry = orders.get(name);
    if (entry === undefined) throw new Error(`nobody has signed "${name}"`);
    return entry;
  };
  return {
    spender: byConduit ? seaport.conduit : seaport.contract.address,
    sequence: undefined,
    async create(name, { expiry = farAway, ...terms }) {
      const fee = terms.price / 20n;
      const entry = await signOrder(trading, collections, book, {
        ...terms,
        byConduit,
        fee,
        endTime: expiry,
      });
      orders.set(name, entry);
      if (terms.isListing) await validateOrder(trading, terms.from, entry);
      else await submitOrder(trading, collections, entry);
    },
    async accept(name, from, units, tokenId) {
      const { signed } = orderOf(name);
      const { offer, consideration } = signed.parameters;
      const nft = [...offer, ...consideration].find(({ itemType }) => itemType > 1);
      const part = { numerator: units, denominator: nft?.startAmount ?? 1n };
      await seaport.fill(from, signed, { ...part, ...(tokenId === undefined ? {} : { tokenId }) });
    },
    cancel: (name, from) => seaport.contract.send(from, "cancel", [[orderOf(name).signed.parameters]]),
    invalidate: (from) => seaport.contract.send(from, "incrementCounter", []),
  };
}

/** Actions on an order in sequence, in all markets and with tokens of both kinds at the same time. */
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { accounts, type Contract } from "./market-world.ts";
import type { Scenario } from "./scenario.ts";
import { feeRecipient } from "./signed-orders.ts";
import { seaportVenue, sequenceVenue, type Venue } from "./venues.ts";

/** A market and a kind of token. */
interface Scene {
  readonly venue: Venue;
  readonly token: Contract;
  readonly isMulti: boolean;
  readonly tokenId: bigint;
  /** Owns and lists the token. */
  readonly seller: Hex;
  /** Makes offers for it. */
  readonly bidder: Hex;
  readonly buyer: Hex;
  /** Added to prices, so that no two markets have equal ones. */
  readonly extra: bigint;
}

export interface Step {
  readonly name: string;
  readonly take: (scene: Scene, story: Scenario) => Promise<unknown>;
}

/** An account without a known key. */
const nobody: Hex = `0x${"de".repeat(20)}`;
/** Seller, bidder and buyer of each market. */
const casts = [
  [0, 1, 2],
  [1, 0, 2],
  [2, 3, 0],
] as const;

export function scenesOf(story: Scenario): readonly Scene[] {
  const { trading, collections } = story;
  return casts.flatMap((cast, index) => {
    const [seller, bidder, buyer] = cast.map((account) => accounts[account] as Hex) as [Hex, Hex, Hex];
    const market = trading.markets[index];
    return [true, false].map((isMulti): Scene => {
      const venue = market === undefined ? seaportVenue(story, isMulti) : sequenceVenue(market, story);
      const token = isMulti ? collections.multi : collections.collectible;
      return {
        venue,
        isMulti,
        token,
        tokenId: BigInt(index + 1),
        seller,
        bidder,
        buyer,
        extra: BigInt(index),
      };
    });
  });
}

/** Run in this order. Some steps change nothing for one kind of token. */
export const steps: readonly Step[] = [
  {
    name: "a listing that will end while the others are looked at",
    take: async (scene, story) => {
      const expiry = (await story.trading.world.chain.time()) + 12n;
      await create(scene, "short", { from: scene.seller, isListing: true, expiry, price: 700n });
    },
  },
  {
    name: "a listing",
    take: (scene) => create(scene, "listing", { from: scene.seller, isListing: true }),
  },
  {
    name: "an offer",
    take: (scene) => create(scene, "offer", { from: scene.bidder, isListing: false }),
  },
  {
    name: "a part of the listing is taken, and of the offer",
    take: async (scene) => {
      if (!scene.isMulti) return;
      await scene.venue.accept("listing", scene.buyer, 4n);
      await scene.venue.accept("offer", scene.buyer, 2n);
    },
  },
  { name: "the token goes away", take: (scene) => give(scene, scene.seller, scene.bidder, 10n) },
  { name: "the token comes back", take: (scene) => give(scene, scene.bidder, scene.seller, 10n) },
  { name: "the approval is revoked", take: (scene) => approve(scene, false) },
  { name: "the approval is given again", take: (scene) => approve(scene, true) },
  {
    name: "the balance drops below the price",
    take: async ({ bidder, isMulti }, { trading: { coin } }) => {
      if (isMulti) return;
      const balance = (await coin.read("balanceOf", [bidder])) as bigint;
      await coin.send(bidder, "transfer", [nobody, balance - 3n]);
    },
  },
  {
    name: "the balance rises to some of what was offered",
    take: ({ bidder }, { trading: { coin } }) => coin.send(bidder, "mint", [bidder, 1_200n]),
  },
  {
    name: "the allowance drops",
    take: ({ bidder, venue }, { trading: { coin } }) => coin.send(bidder, "approve", [venue.spender, 600n]),
  },
  {
    name: "the allowance and the balance rise",
    take: async ({ bidder, venue }, { trading: { coin } }) => {
      await coin.send(bidder, "approve", [venue.spender, 10n ** 9n]);
      await coin.send(bidder, "mint", [bidder, 10n ** 9n]);
    },
  },
  {
    name: "the market takes a royalty",
    take: async ({ venue, token, buyer }) =>
      venue.sequence?.send(buyer, "setRoyalty", [token.address, buyer, 300n]),
  },
  {
    name: "the token asks for another royalty",
    take: ({ token, buyer }) => token.send(buyer, "setRoyalty", [feeRecipient, 725n]),
  },
  {
    name: "all of the listing is taken",
    take: (scene) => scene.venue.accept("listing", scene.buyer, scene.isMulti ? 6n : 1n),
  },
  {
    name: "all of the offer is taken",
    take: (scene) => scene.venue.accept("offer", scene.buyer, scene.isMulti ? 3n : 1n),
  },
  {
    name: "a new listing by who has the token now, and a new offer",
    take: async (scene) => {
      await create(scene, "again", { from: scene.bidder, isListing: true });
      await create(scene, "wish", { from: scene.buyer, isListing: false });
    },
  },
  {
    name: "one is cancelled",
    take: ({ venue, bidder }) => venue.cancel("again", bidder),
  },
  {
    name: "those of one contract are made void, or all",
    take: ({ venue, buyer, isMulti, token }) => venue.invalidate(buyer, isMulti ? token.address : undefined),
  },
  {
    name: "an offer for any token of the collection",
    take: async (scene) => {
      if (scene.venue.sequence !== undefined) return;
      await create(scene, "any", { from: scene.bidder, isListing: false, isForAny: true, price: 400n });
    },
  },
  {
    name: "the balance of its maker drops",
    take: async ({ venue, bidder, isMulti }, { trading: { coin } }) => {
      if (venue.sequence !== undefined || isMulti) return;
      const balance = (await coin.read("balanceOf", [bidder])) as bigint;
      await coin.send(bidder, "transfer", [nobody, balance - 1_000n]);
    },
  },
  {
    name: "the balance of its maker rises",
    take: async ({ venue, bidder }, { trading: { coin } }) => {
      if (venue.sequence === undefined) await coin.send(bidder, "mint", [bidder, 10n ** 6n]);
    },
  },
  { name: "a part of the offer for any token is taken", take: (scene) => acceptAny(scene, 1n, 2n) },
  { name: "all of the offer for any token is taken", take: (scene) => acceptAny(scene, 2n, 3n) },
];

interface Terms {
  readonly from: Hex;
  readonly isListing: boolean;
  readonly isForAny?: boolean;
  readonly expiry?: bigint;
  readonly price?: bigint;
}

function create(
  { venue, isMulti, tokenId, extra }: Scene,
  name: string,
  { isListing, isForAny = false, price = isListing ? 900n : 500n, ...terms }: Terms,
): Promise<void> {
  // ERC-721 has one unit of each token, but a collection has several tokens.
  const quantity = isMulti ? (isListing ? 10n : 5n) : isForAny ? 2n : 1n;
  const about = {
    isListing,
    isMulti,
    quantity,
    price: price + extra,
    tokenId: isForAny ? undefined : tokenId,
  };
  return venue.create(name, { ...about, ...terms });
}

/** The owner transfers one ERC-721 token, or `quantity` units of ERC-1155. */
async function acceptAny(
  { venue, token, isMulti, buyer }: Scene,
  tokenId: bigint,
  units: bigint,
): Promise<void> {
  if (venue.sequence !== undefined) return;
  const owner = isMulti ? buyer : (String(await token.read("ownerOf", [tokenId])).toLowerCase() as Hex);
  await venue.accept("any", owner, isMulti ? units : 1n, tokenId);
}

async function give({ token, tokenId, isMulti }: Scene, from: Hex, to: Hex, units: bigint): Promise<void> {
  const args = isMulti ? [from, to, tokenId, units, "0x"] : [from, to, tokenId];
  await token.send(from, "safeTransferFrom", args);
}

async function approve({ token, venue, seller }: Scene, isApproved: boolean): Promise<void> {
  await token.send(seller, "setApprovalForAll", [venue.spender, isApproved]);
}

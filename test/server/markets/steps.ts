/** What people do with an order one after the other, in both markets with tokens of both kinds at the same time. */
import type { Hex } from "../../../server/chains/chain.ts";
import type { Story } from "./histories.ts";
import { accounts, type Contract } from "./market-world.ts";
import type { Trading } from "./trading.ts";

/** One market and one kind of token. */
interface Scene {
  readonly market: Trading["markets"][number];
  readonly token: Contract;
  readonly isMulti: boolean;
  readonly tokenId: bigint;
  /** Has the token, and lists it. */
  readonly seller: Hex;
  /** Offers for it. */
  readonly bidder: Hex;
  readonly buyer: Hex;
  /** By name. */
  readonly requests: Map<string, bigint>;
}

export interface Step {
  readonly name: string;
  readonly take: (scene: Scene, story: Story) => Promise<unknown>;
}

const farAway = 4_102_444_800n;

export function scenesOf({ trading, collections }: Story): readonly Scene[] {
  return trading.markets.flatMap((market, index) =>
    [true, false].map((isMulti): Scene => {
      const [first, second, buyer] = [accounts[index], accounts[1 - index], accounts[2]];
      return {
        ...{ market, isMulti, token: isMulti ? collections.multi : collections.collectible },
        tokenId: BigInt(index + 1),
        seller: first as Hex,
        bidder: second as Hex,
        buyer: buyer as Hex,
        requests: new Map(),
      };
    }),
  );
}

/** In this order. Some change nothing for one kind of token. */
export const steps: readonly Step[] = [
  {
    name: "a listing that will end while the others are looked at",
    take: async (scene, story) => {
      const expiry = (await story.trading.world.chain.time()) + 12n;
      await create(scene, story, "short", { from: scene.seller, isListing: true, expiry, price: 700n });
    },
  },
  {
    name: "a listing",
    take: (scene, story) => create(scene, story, "listing", { from: scene.seller, isListing: true }),
  },
  {
    name: "an offer",
    take: (scene, story) => create(scene, story, "offer", { from: scene.bidder, isListing: false }),
  },
  {
    name: "a part of the listing is taken, and of the offer",
    take: async (scene) => {
      if (!scene.isMulti) return;
      await accept(scene, "listing", scene.buyer, 4n);
      await accept(scene, "offer", scene.buyer, 2n);
    },
  },
  { name: "the token goes away", take: (scene) => give(scene, scene.seller, scene.bidder, 10n) },
  { name: "the token comes back", take: (scene) => give(scene, scene.bidder, scene.seller, 10n) },
  { name: "the approval is revoked", take: (scene) => approve(scene, false) },
  { name: "the approval is given again", take: (scene) => approve(scene, true) },
  {
    name: "the balance drops below the price",
    take: async ({ bidder, buyer, isMulti }, { trading: { coin } }) => {
      if (isMulti) return;
      const balance = (await coin.read("balanceOf", [bidder])) as bigint;
      await coin.send(bidder, "transfer", [buyer, balance - 3n]);
    },
  },
  {
    name: "the balance rises to some of what was offered",
    take: ({ bidder }, { trading: { coin } }) => coin.send(bidder, "mint", [bidder, 1_200n]),
  },
  {
    name: "the allowance drops",
    take: ({ bidder, market }, { trading: { coin } }) => coin.send(bidder, "approve", [market.address, 600n]),
  },
  {
    name: "the allowance and the balance rise",
    take: async ({ bidder, market }, { trading: { coin } }) => {
      await coin.send(bidder, "approve", [market.address, 10n ** 9n]);
      await coin.send(bidder, "mint", [bidder, 10n ** 9n]);
    },
  },
  {
    name: "the market takes a royalty",
    take: ({ market, token, buyer }) => market.send(buyer, "setRoyalty", [token.address, buyer, 300n]),
  },
  {
    name: "the token asks for another royalty",
    take: ({ token, buyer }) => token.send(buyer, "setRoyalty", [buyer, 725n]),
  },
  {
    name: "all of the listing is taken",
    take: (scene) => accept(scene, "listing", scene.buyer, scene.isMulti ? 6n : 1n),
  },
  {
    name: "all of the offer is taken",
    take: (scene) => accept(scene, "offer", scene.buyer, scene.isMulti ? 3n : 1n),
  },
  {
    name: "a new listing by who has the token now, and a new offer",
    take: async (scene, story) => {
      await create(scene, story, "again", { from: scene.bidder, isListing: true });
      await create(scene, story, "wish", { from: scene.buyer, isListing: false });
    },
  },
  {
    name: "one is cancelled",
    take: ({ market, bidder, requests }) => market.send(bidder, "cancelRequest", [requests.get("again")]),
  },
  {
    name: "those of one contract are made void",
    take: (scene) =>
      scene.market.send(scene.buyer, "invalidateRequests", scene.isMulti ? [scene.token.address] : []),
  },
];

interface Terms {
  readonly from: Hex;
  readonly isListing: boolean;
  readonly expiry?: bigint;
  readonly price?: bigint;
}

/** Mined at once, so that its number is known. */
async function create(
  { market, token, isMulti, tokenId, requests }: Scene,
  { trading }: Story,
  name: string,
  { from, isListing, expiry = farAway, price = isListing ? 900n : 500n }: Terms,
): Promise<void> {
  requests.set(name, (await market.read("nextRequestId")) as bigint);
  const quantity = !isMulti ? 1n : isListing ? 10n : 5n;
  const about = { isListing, isERC1155: isMulti, tokenContract: token.address, tokenId, quantity };
  const terms = { ...about, expiry, currency: trading.coin.address, pricePerToken: price };
  await market.send(from, "createRequest", [terms]);
  await trading.world.chain.mine();
}

async function accept({ market, requests }: Scene, name: string, from: Hex, units: bigint): Promise<void> {
  await market.send(from, "acceptRequest", [requests.get(name), units, from, [], []]);
}

async function give({ token, tokenId, isMulti }: Scene, from: Hex, to: Hex, units: bigint): Promise<void> {
  const args = isMulti ? [from, to, tokenId, units, "0x"] : [from, to, tokenId];
  await token.send(from, "safeTransferFrom", args);
}

async function approve({ token, market, seller }: Scene, isApproved: boolean): Promise<void> {
  await token.send(seller, "setApprovalForAll", [market.address, isApproved]);
}

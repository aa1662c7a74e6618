import type { ChainBlock, ChainLog } from "../../../chain/follower/derive/deriver.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";

/** What the Sequence marketplace contracts, versions 1 and 2, tell of requests by their events. Addresses in lower case. */
export type Change = Created | Accepted | Cancelled | Invalidated;

/** What was told where. */
export interface PlacedChange {
  readonly block: Pick<ChainBlock, "number" | "timestamp">;
  /** Its contract. */
  readonly market: string;
  readonly marketplace: SequenceKind;
  readonly change: Change;
}

export interface Created {
  readonly kind: "created";
  readonly requestId: bigint;
  readonly maker: string;
  readonly collection: string;
  readonly tokenId: bigint;
  /** A listing sells, an offer buys. */
  readonly isListing: boolean;
  readonly quantity: bigint;
  /** The zero address: the chain's own coin. */
  readonly currency: string;
  readonly pricePerToken: bigint;
  /** Seconds since 1970: from then on it cannot be accepted. No event says that it is reached. */
  readonly expiry: bigint;
}

export interface Accepted {
  readonly kind: "accepted";
  readonly requestId: bigint;
  readonly collection: string;
  /** None: the request is filled. */
  readonly remaining: bigint;
}

export interface Cancelled {
  readonly kind: "cancelled";
  readonly requestId: bigint;
  readonly collection: string;
}

/** All requests of a maker with a lower number are void, those for one contract or for any. */
export interface Invalidated {
  readonly kind: "invalidated";
  readonly maker: string;
  readonly collection: string | undefined;
  readonly below: bigint;
}

/** By first topic: how many words follow as topics and as data, and what they say. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    // RequestCreated(uint256 indexed requestId, address indexed creator, address indexed tokenContract, uint256 tokenId, bool isListing,
    //   uint256 quantity, address currency, uint256 pricePerToken, uint256 expiry)
    "0xb67ee55b059861d68b3b5640ee51bde6a5d9d849c6ecdb610663cbd4290bdfd5",
    {
      topics: 3,
      data: 6,
      read: ([requestId, maker, collection, tokenId, isListing, quantity, currency, price, expiry]) => ({
        kind: "created",
        requestId: number(requestId),
        maker: address(maker),
        collection: address(collection),
        tokenId: number(tokenId),
        isListing: number(isListing) !== 0n,
        quantity: number(quantity),
        currency: address(currency),
        pricePerToken: number(price),
        expiry: number(expiry),
      }),
    },
  ],
  [
    // RequestAccepted(uint256 indexed requestId, address indexed buyer, address indexed tokenContract, address recipient, uint256 quantity,
    //   uint256 quantityRemaining)
    "0x146c7c3a67244cf406ca437a82b2bf587bc02b628b63659c73b4295b8b00e76f",
    {
      topics: 3,
      data: 3,
      read: ([requestId, , collection, , , remaining]) => ({
        kind: "accepted",
        requestId: number(requestId),
        collection: address(collection),
        remaining: number(remaining),
      }),
    },
  ],
  [
    // RequestCancelled(uint256 indexed requestId, address indexed tokenContract)
    "0xe0d7665e06e7db1fc500d66d4e3898d1d4a5533d7efe54b352fcdaa177c22783",
    {
      topics: 2,
      data: 0,
      read: ([requestId, collection]) => ({
        kind: "cancelled",
        requestId: number(requestId),
        collection: address(collection),
      }),
    },
  ],
  [
    // RequestsInvalidated(address indexed creator, uint256 indexed invalidatedBefore)
    "0xb9fd665eb33107da2a1f0113e84d01c5915024b696fa667e66f80505bf3b2977",
    {
      topics: 2,
      data: 0,
      read: ([maker, below]) => ({
        kind: "invalidated",
        maker: address(maker),
        collection: undefined,
        below: number(below),
      }),
    },
  ],
  [
    // RequestsInvalidated(address indexed creator, address indexed tokenContract, uint256 indexed invalidatedBefore)
    "0x359d2c7e56147963a26a08fd48199b16e28d5fff314390b6c79bb822362340ff",
    {
      topics: 3,
      data: 0,
      read: ([maker, collection, below]) => ({
        kind: "invalidated",
        maker: address(maker),
        collection: address(collection),
        below: number(below),
      }),
    },
  ],
]);

/** A topic or 32 bytes of data: 64 hex digits. */
type Word = string | undefined;

interface Reader {
  readonly topics: number;
  readonly data: number;
  readonly read: (words: readonly Word[]) => Change;
}

/** The first topics of all that is read. */
export const changeTopics: ReadonlySet<Hex> = new Set([...readers.keys()] as Hex[]);

/** What a log of a market says. Throws where it is not formed as the event of its first topic is. */
export function readChange({ topics, data }: Pick<ChainLog, "topics" | "data">): Change {
  const [first = "0x", ...others] = topics;
  const reader = readers.get(first);
  if (reader === undefined) throw new Error(`a market has no event ${first}`);
  if (others.length !== reader.topics || data.length !== 2 + 64 * reader.data)
    throw new Error(
      `an event ${first} with ${others.length} indexed arguments and ${data.length / 2 - 1} bytes`,
    );
  const words = others.map((topic) => topic.slice(2));
  for (let at = 2; at < data.length; at += 64) words.push(data.slice(at, at + 64));
  return reader.read(words);
}

/** What a number of 52 bits has before it: most numbers are no larger, and are read in a third of the time. */
const small = "0".repeat(51);

function number(word: Word = ""): bigint {
  return word.startsWith(small) ? BigInt(Number.parseInt(word.slice(51), 16)) : BigInt(`0x${word}`);
}

function address(word: Word): string {
  return `0x${(word ?? "").slice(24)}`;
}

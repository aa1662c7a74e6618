import type { ChainBlock, ChainLog } from "../../../chain/follower/derive/blocks.ts";
import type { SequenceKind } from "../../../chain/networks/markets.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";

/** Events of the Sequence marketplace contracts, versions 1 and 2. Addresses are lower case. */
export type MarketEvent = RequestCreated | RequestAccepted | RequestCancelled | RequestsInvalidated;

/** An event with its block and its contract. */
export interface LocatedEvent {
  readonly block: Pick<ChainBlock, "number" | "timestamp">;
  readonly market: string;
  readonly marketplace: SequenceKind;
  readonly event: MarketEvent;
}

export interface RequestCreated {
  readonly kind: "created";
  readonly requestId: bigint;
  readonly maker: string;
  readonly collection: string;
  readonly tokenId: bigint;
  readonly isListing: boolean;
  readonly quantity: bigint;
  /** The zero address is the chain's native coin. */
  readonly currency: string;
  readonly pricePerToken: bigint;
  /** Seconds since 1970. The request cannot be accepted after this time; no event announces that. */
  readonly expiry: bigint;
}

export interface RequestAccepted {
  readonly kind: "accepted";
  readonly requestId: bigint;
  readonly collection: string;
  /** Zero if the request is filled. */
  readonly remaining: bigint;
}

export interface RequestCancelled {
  readonly kind: "cancelled";
  readonly requestId: bigint;
  readonly collection: string;
}

/** Voids all requests of a maker with lower ids, for one collection or for all. */
export interface RequestsInvalidated {
  readonly kind: "invalidated";
  readonly maker: string;
  readonly collection: string | undefined;
  readonly below: bigint;
}

/** Decoders by event topic, with the number of indexed topics and data words that they expect. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  [
    // RequestCreated(uint256 indexed requestId, address indexed creator, address indexed tokenContract, uint256 tokenId, bool isListing,
    //   uint256 quantity, address currency, uint256 pricePerToken, uint256 expiry)
    "0xb67ee55b059861d68b3b5640ee51bde6a5d9d849c6ecdb610663cbd4290bdfd5",
    {
      topics: 3,
      data: 6,
      decode: ([requestId, maker, collection, tokenId, isListing, quantity, currency, price, expiry]) => ({
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
      decode: ([requestId, , collection, , , remaining]) => ({
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
      decode: ([requestId, collection]) => ({
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
      decode: ([maker, below]) => ({
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
      decode: ([maker, collection, below]) => ({
        kind: "invalidated",
        maker: address(maker),
        collection: address(collection),
        below: number(below),
      }),
    },
  ],
]);

/** A topic or 32 bytes of data, as 64 hex digits. */
type Word = string | undefined;

interface Decoder {
  readonly topics: number;
  readonly data: number;
  readonly decode: (words: readonly Word[]) => MarketEvent;
}

export const eventTopics: ReadonlySet<Hex> = new Set([...decoders.keys()] as Hex[]);

/** Decodes a log of a market. Throws if the log does not have the form of its event. */
export function decodeEvent({ topics, data }: Pick<ChainLog, "topics" | "data">): MarketEvent {
  const [topic = "0x", ...indexed] = topics;
  const decoder = decoders.get(topic);
  if (decoder === undefined) throw new Error(`unknown market event ${topic}`);
  if (indexed.length !== decoder.topics || data.length !== 2 + 64 * decoder.data)
    throw new Error(
      `malformed market event ${topic}: ${indexed.length} indexed arguments and ${data.length / 2 - 1} bytes of data`,
    );
  const words = indexed.map((word) => word.slice(2));
  for (let at = 2; at < data.length; at += 64) words.push(data.slice(at, at + 64));
  return decoder.decode(words);
}

/** Prefix of numbers of at most 52 bits. Most numbers are that small, and parsing them as such is three times as fast as a bigint. */
const smallPrefix = "0".repeat(51);

function number(word: Word = ""): bigint {
  return word.startsWith(smallPrefix) ? BigInt(Number.parseInt(word.slice(51), 16)) : BigInt(`0x${word}`);
}

function address(word: Word): string {
  return `0x${(word ?? "").slice(24)}`;
}

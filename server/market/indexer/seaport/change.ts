import type { ChainLog } from "../../../chain/follower/derive/deriver.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { type Item, itemTypes, type ReceivedItem, type SeaportOrder } from "./order.ts";

/** What Seaport 1.6 tells of orders by its events. Addresses and hashes in lower case. */
export type SeaportChange = Filled | Cancelled | Validated | Counted;

/** All or a part of an order was filled. */
export interface Filled {
  readonly kind: "filled";
  readonly orderHash: Hex;
  readonly offerer: string;
  /** Of the one token that changed hands; undefined: there were others beside it. */
  readonly quantity: bigint | undefined;
}

export interface Cancelled {
  readonly kind: "cancelled";
  readonly orderHash: Hex;
  readonly offerer: string;
}

/** From here on it needs no signature, and everybody knows it. */
export interface Validated {
  readonly kind: "validated";
  readonly orderHash: Hex;
  readonly offerer: string;
  readonly order: SeaportOrder;
}

/** All orders with another counter are void. */
export interface Counted {
  readonly kind: "counter";
  readonly offerer: string;
  readonly counter: bigint;
}

type Read = (words: Words, topics: readonly string[]) => SeaportChange;

/** By first topic. What OrdersMatched says of several orders, OrderFulfilled says of each. */
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  // OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient,
  //   (uint8 itemType, address token, uint256 identifier, uint256 amount)[] offer,
  //   (uint8 itemType, address token, uint256 identifier, uint256 amount, address recipient)[] consideration)
  ["0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31", readFilled],
  // OrderCancelled(bytes32 orderHash, address indexed offerer, address indexed zone)
  [
    "0x6bacc01dbe442496068f7d234edd811f1a5f833243e0aec824f86ab861f3c90d",
    (words, [offerer]) => ({
      kind: "cancelled",
      orderHash: words.hash(0),
      offerer: addressOf(offerer),
    }),
  ],
  // OrderValidated(bytes32 orderHash, OrderParameters orderParameters)
  ["0xf280791efe782edcf06ce15c8f4dff17601db3b88eb3805a0db7d77faf757f04", readValidated],
  // CounterIncremented(uint256 newCounter, address indexed offerer)
  [
    "0x721c20121297512b72821b97f5326877ea8ecf4bb9948fea5bfcb6453074d37f",
    (words, [offerer]) => ({ kind: "counter", offerer: addressOf(offerer), counter: words.number(0) }),
  ],
]);

/** The first topics of all that is read. */
export const seaportTopics: ReadonlySet<Hex> = new Set([...readers.keys()] as Hex[]);

/** What a log of Seaport says. Throws where it is not formed as the event of its first topic is. */
export function readSeaportChange({ topics, data }: Pick<ChainLog, "topics" | "data">): SeaportChange {
  const [first = "0x", ...others] = topics;
  const read = readers.get(first);
  if (read === undefined) throw new Error(`Seaport has no event ${first}`);
  return read(new Words(data), others);
}

function readFilled(words: Words, [offerer]: readonly string[]): Filled {
  const isNft = (at: number): boolean => words.small(at) >= itemTypes.erc721;
  const given = words.list(words.place(2), 4);
  const received = words.list(words.place(3), 5);
  const nfts = [...given, ...received].filter(isNft);
  const [only] = nfts;
  return {
    kind: "filled",
    orderHash: words.hash(0),
    offerer: addressOf(offerer),
    quantity: only === undefined || nfts.length > 1 ? undefined : words.number(only + 3),
  };
}

function readValidated(words: Words): Validated {
  const at = words.place(1);
  const item = (place: number): Item => ({
    itemType: words.small(place),
    token: words.address(place + 1),
    identifier: words.number(place + 2),
    startAmount: words.number(place + 3),
    endAmount: words.number(place + 4),
  });
  const offerer = words.address(at);
  const order: SeaportOrder = {
    offerer,
    zone: words.address(at + 1),
    offer: words.list(at + words.place(at + 2), 5).map(item),
    consideration: words
      .list(at + words.place(at + 3), 6)
      .map((place): ReceivedItem => ({ ...item(place), recipient: words.address(place + 5) })),
    orderType: words.small(at + 4),
    startTime: words.number(at + 5),
    endTime: words.number(at + 6),
    zoneHash: words.hash(at + 7),
    salt: words.number(at + 8),
    conduitKey: words.hash(at + 9),
    totalOriginalConsiderationItems: words.number(at + 10),
  };
  return { kind: "validated", orderHash: words.hash(0), offerer, order };
}

/** The data of a log as words of 32 bytes, counted from 0. */
class Words {
  readonly #data: string;
  readonly count: number;

  constructor(data: Hex) {
    this.#data = data;
    this.count = (data.length - 2) / 64;
    if (!Number.isInteger(this.count)) throw new Error(`an event with ${data.length / 2 - 1} bytes`);
  }

  hash(at: number): Hex {
    if (at >= this.count) throw new Error(`an event without a word ${at}`);
    return `0x${this.#data.slice(2 + 64 * at, 66 + 64 * at)}`;
  }

  number(at: number): bigint {
    return BigInt(this.hash(at));
  }

  /** Of the lists and types of an event, which are short. */
  small(at: number): number {
    const number = this.number(at);
    if (number > 0xffff_ffffn) throw new Error(`an event with ${number} where little fits`);
    return Number(number);
  }

  /** A distance in bytes, as words. */
  place(at: number): number {
    return this.small(at) / 32;
  }

  address(at: number): string {
    return addressOf(this.hash(at));
  }

  /** Where the entries of a list begin, each of so many words. */
  list(at: number, size: number): readonly number[] {
    const length = this.small(at);
    if (at + 1 + length * size > this.count) throw new Error("an event with a list that goes past its end");
    return Array.from({ length }, (_, index) => at + 1 + index * size);
  }
}

function addressOf(word: string | undefined): string {
  if (word?.length !== 66) throw new Error("an event without its indexed argument");
  return `0x${word.slice(26)}`;
}

import type { ChainLog } from "../../../chain/follower/derive/blocks.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import { type Item, itemTypes, type ReceivedItem, type SeaportOrder } from "./order.ts";

/** Events of Seaport 1.6. Addresses and hashes are lower case. */
export type SeaportEvent = OrderFilled | OrderCancelled | OrderValidated | CounterIncremented;

/** An order was filled, completely or in part. */
export interface OrderFilled {
  readonly kind: "filled";
  readonly orderHash: Hex;
  readonly offerer: string;
  /** Units of the one token that changed hands. Undefined if there were several tokens. */
  readonly quantity: bigint | undefined;
}

export interface OrderCancelled {
  readonly kind: "cancelled";
  readonly orderHash: Hex;
  readonly offerer: string;
}

/** The order was validated on the chain: it is public now and needs no signature. */
export interface OrderValidated {
  readonly kind: "validated";
  readonly orderHash: Hex;
  readonly offerer: string;
  readonly order: SeaportOrder;
}

/** Voids all orders of the offerer with another counter. */
export interface CounterIncremented {
  readonly kind: "counter";
  readonly offerer: string;
  readonly counter: bigint;
}

type Decode = (words: Words, topics: readonly string[]) => SeaportEvent;

/** Decoders by event topic. OrdersMatched is not needed, because OrderFulfilled reports each of its orders. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  // OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient,
  //   (uint8 itemType, address token, uint256 identifier, uint256 amount)[] offer,
  //   (uint8 itemType, address token, uint256 identifier, uint256 amount, address recipient)[] consideration)
  ["0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31", decodeFilled],
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
  ["0xf280791efe782edcf06ce15c8f4dff17601db3b88eb3805a0db7d77faf757f04", decodeValidated],
  // CounterIncremented(uint256 newCounter, address indexed offerer)
  [
    "0x721c20121297512b72821b97f5326877ea8ecf4bb9948fea5bfcb6453074d37f",
    (words, [offerer]) => ({ kind: "counter", offerer: addressOf(offerer), counter: words.number(0) }),
  ],
]);

export const seaportTopics: ReadonlySet<Hex> = new Set([...decoders.keys()] as Hex[]);

/** Decodes a log of Seaport. Throws if the log does not have the form of its event. */
export function decodeSeaportEvent({ topics, data }: Pick<ChainLog, "topics" | "data">): SeaportEvent {
  const [topic = "0x", ...indexed] = topics;
  const decode = decoders.get(topic);
  if (decode === undefined) throw new Error(`unknown Seaport event ${topic}`);
  return decode(new Words(data), indexed);
}

function decodeFilled(words: Words, [offerer]: readonly string[]): OrderFilled {
  const isNft = (at: number): boolean => words.small(at) >= itemTypes.erc721;
  const given = words.list(words.offset(2), 4);
  const received = words.list(words.offset(3), 5);
  const nfts = [...given, ...received].filter(isNft);
  const [only] = nfts;
  return {
    kind: "filled",
    orderHash: words.hash(0),
    offerer: addressOf(offerer),
    quantity: only === undefined || nfts.length > 1 ? undefined : words.number(only + 3),
  };
}

function decodeValidated(words: Words): OrderValidated {
  const at = words.offset(1);
  const item = (position: number): Item => ({
    itemType: words.small(position),
    token: words.address(position + 1),
    identifier: words.number(position + 2),
    startAmount: words.number(position + 3),
    endAmount: words.number(position + 4),
  });
  const offerer = words.address(at);
  const order: SeaportOrder = {
    offerer,
    zone: words.address(at + 1),
    offer: words.list(at + words.offset(at + 2), 5).map(item),
    consideration: words
      .list(at + words.offset(at + 3), 6)
      .map((position): ReceivedItem => ({ ...item(position), recipient: words.address(position + 5) })),
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

/** The data of a log as words of 32 bytes, numbered from 0. */
class Words {
  readonly #data: string;
  readonly count: number;

  constructor(data: Hex) {
    this.#data = data;
    this.count = (data.length - 2) / 64;
    if (!Number.isInteger(this.count))
      throw new Error(`malformed Seaport event: ${data.length / 2 - 1} bytes of data`);
  }

  hash(at: number): Hex {
    if (at >= this.count) throw new Error(`malformed Seaport event: word ${at} is missing`);
    return `0x${this.#data.slice(2 + 64 * at, 66 + 64 * at)}`;
  }

  number(at: number): bigint {
    return BigInt(this.hash(at));
  }

  /** Reads a small number, such as a length or a type. */
  small(at: number): number {
    const number = this.number(at);
    if (number > 0xffff_ffffn)
      throw new Error(`malformed Seaport event: ${number} is too large for a length, an offset or a type`);
    return Number(number);
  }

  /** Reads an offset in bytes, and returns it in words. */
  offset(at: number): number {
    return this.small(at) / 32;
  }

  address(at: number): string {
    return addressOf(this.hash(at));
  }

  /** Returns the positions of the entries of a list, each `size` words long. */
  list(at: number, size: number): readonly number[] {
    const length = this.small(at);
    if (at + 1 + length * size > this.count)
      throw new Error("malformed Seaport event: a list exceeds the data");
    return Array.from({ length }, (_, index) => at + 1 + index * size);
  }
}

function addressOf(word: string | undefined): string {
  if (word?.length !== 66) throw new Error("malformed Seaport event: an indexed argument is missing");
  return `0x${word.slice(26)}`;
}

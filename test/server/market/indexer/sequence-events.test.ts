import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbi, toEventSelector } from "viem";
import { describe, expect, test } from "vitest";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { decodeEvent, eventTopics } from "../../../../server/market/indexer/sequence-market/events.ts";

/** Declarations of the public contracts. */
const events = parseAbi([
  "event RequestCreated(uint256 indexed requestId, address indexed creator, address indexed tokenContract, uint256 tokenId, bool isListing, uint256 quantity, address currency, uint256 pricePerToken, uint256 expiry)",
  "event RequestAccepted(uint256 indexed requestId, address indexed buyer, address indexed tokenContract, address recipient, uint256 quantity, uint256 quantityRemaining)",
  "event RequestCancelled(uint256 indexed requestId, address indexed tokenContract)",
  "event RequestsInvalidated(address indexed creator, uint256 indexed invalidatedBefore)",
  "event RequestsInvalidated(address indexed creator, address indexed tokenContract, uint256 indexed invalidatedBefore)",
]);
const maker = `0x${"aa".repeat(20)}` as const;
const token = `0x${"bb".repeat(20)}` as const;
const coin = `0x${"cc".repeat(20)}` as const;
const most = 2n ** 256n - 1n;

function logOf(index: number, topics: object, data: readonly unknown[]): { topics: Hex[]; data: Hex } {
  const event = events[index] as AbiEvent;
  const plain = event.inputs.filter((input) => !("indexed" in input && input.indexed));
  return {
    topics: encodeEventTopics({ abi: [event], args: topics } as never) as Hex[],
    data: encodeAbiParameters(plain, data),
  };
}

describe("events of the Sequence marketplace", () => {
  test("match the declarations of its contracts", () => {
    expect([...eventTopics].sort()).toEqual(events.map((event) => toEventSelector(event)).sort());
  });

  test("decode created requests exactly", () => {
    const log = logOf(0, { requestId: most, creator: maker, tokenContract: token }, [
      most,
      true,
      most - 1n,
      coin,
      1n,
      most,
    ]);
    expect(decodeEvent(log)).toEqual({
      kind: "created",
      requestId: most,
      maker,
      collection: token,
      tokenId: most,
      isListing: true,
      quantity: most - 1n,
      currency: coin,
      pricePerToken: 1n,
      expiry: most,
    });
  });

  test.each([0n, 1n, 2n ** 52n - 1n, 2n ** 52n, 2n ** 56n - 1n])(
    "decode the number %s exactly",
    (requestId) => {
      expect(decodeEvent(logOf(2, { requestId, tokenContract: token }, []))).toMatchObject({ requestId });
    },
  );

  test("of an offer are decoded as no listing", () => {
    const log = logOf(0, { requestId: 1n, creator: maker, tokenContract: token }, [
      1n,
      false,
      1n,
      coin,
      1n,
      1n,
    ]);
    expect(decodeEvent(log)).toMatchObject({ isListing: false });
  });

  test("decode accepted, cancelled and invalidated requests", () => {
    const accepted = logOf(1, { requestId: 7n, buyer: maker, tokenContract: token }, [maker, 2n, 3n]);
    expect(decodeEvent(accepted)).toEqual({
      kind: "accepted",
      requestId: 7n,
      collection: token,
      remaining: 3n,
    });
    expect(decodeEvent(logOf(2, { requestId: 7n, tokenContract: token }, []))).toEqual({
      kind: "cancelled",
      requestId: 7n,
      collection: token,
    });
    expect(decodeEvent(logOf(3, { creator: maker, invalidatedBefore: 9n }, []))).toEqual({
      kind: "invalidated",
      maker,
      collection: undefined,
      below: 9n,
    });
    const ofOne = logOf(4, { creator: maker, tokenContract: token, invalidatedBefore: 9n }, []);
    expect(decodeEvent(ofOne)).toEqual({ kind: "invalidated", maker, collection: token, below: 9n });
  });

  test.each([
    ["too little data", (data: Hex): Hex => data.slice(0, -2) as Hex],
    ["too much data", (data: Hex): Hex => `${data}${"00".repeat(32)}`],
    ["no data", (): Hex => "0x"],
  ])("with %s are rejected", (_, twist) => {
    const log = logOf(1, { requestId: 7n, buyer: maker, tokenContract: token }, [maker, 2n, 3n]);
    expect(() => decodeEvent({ ...log, data: twist(log.data) })).toThrow(
      /^malformed market event 0x146c7c3a/,
    );
    expect(() => decodeEvent({ topics: log.topics.slice(1), data: log.data })).toThrow(
      /unknown market event/,
    );
    expect(() => decodeEvent({ topics: log.topics.slice(0, -1), data: log.data })).toThrow(
      /^malformed market event 0x146c7c3a.*: 2 indexed arguments and 96 bytes of data/,
    );
  });
});

import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
  toEventSelector,
} from "viem";
import { describe, expect, test } from "vitest";
import { decodeSeaportEvent, seaportTopics } from "../../../../server/market/indexer/seaport/events.ts";

/** Declarations of Seaport 1.6. */
const abi = parseAbi([
  "struct SpentItem { uint8 itemType; address token; uint256 identifier; uint256 amount; }",
  "struct ReceivedItem { uint8 itemType; address token; uint256 identifier; uint256 amount; address recipient; }",
  "struct OfferItem { uint8 itemType; address token; uint256 identifier; uint256 startAmount; uint256 endAmount; }",
  "struct ConsiderationItem { uint8 itemType; address token; uint256 identifier; uint256 startAmount; uint256 endAmount; address recipient; }",
  "struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }",
  "event OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, SpentItem[] offer, ReceivedItem[] consideration)",
  "event OrderCancelled(bytes32 orderHash, address indexed offerer, address indexed zone)",
  "event OrderValidated(bytes32 orderHash, OrderParameters orderParameters)",
  "event CounterIncremented(uint256 newCounter, address indexed offerer)",
]);
const [maker, token, other] = ["aa", "bb", "cc"].map((byte) => `0x${byte.repeat(20)}` as Hex) as [
  Hex,
  Hex,
  Hex,
];
const orderHash: Hex = `0x${"12".repeat(32)}`;
const most = 2n ** 256n - 1n;

function logOf(name: string, args: Readonly<Record<string, unknown>>): { topics: Hex[]; data: Hex } {
  const event = abi.find((one) => one.name === name) as AbiEvent;
  const plain = event.inputs.filter((input) => input.indexed !== true);
  const values = plain.map((input) => args[input.name ?? ""]);
  return {
    topics: encodeEventTopics({ abi: [event], args } as never) as Hex[],
    data: encodeAbiParameters(plain, values),
  };
}

const spent = (itemType: number, amount: bigint): object => ({ itemType, token, identifier: most, amount });
const fill = (offer: readonly object[], consideration: readonly object[]): { topics: Hex[]; data: Hex } =>
  logOf("OrderFulfilled", {
    orderHash,
    offerer: maker,
    zone: other,
    recipient: other,
    offer,
    consideration: consideration.map((item) => ({ ...item, recipient: maker })),
  });

describe("events of Seaport", () => {
  test("match the declarations of its contract", () => {
    expect([...seaportTopics].sort()).toEqual(abi.map((event) => toEventSelector(event)).sort());
  });

  test.each([
    ["a listing", fill([spent(3, most)], [spent(0, 5n), spent(0, 1n)]), most],
    ["an offer with fees", fill([spent(1, 9n)], [spent(1, 1n), spent(2, 1n)]), 1n],
    ["a bundle", fill([spent(2, 1n), spent(2, 1n)], [spent(0, 5n)]), undefined],
    ["a swap", fill([spent(2, 1n)], [spent(3, 4n)]), undefined],
    ["nothing that is a token", fill([spent(1, 1n)], []), undefined],
  ])("decode the filled quantity of %s", (_, log, quantity) => {
    expect(decodeSeaportEvent(log)).toEqual({ kind: "filled", orderHash, offerer: maker, quantity });
  });

  test("decode cancellations and counters", () => {
    const cancelled = logOf("OrderCancelled", { orderHash, offerer: maker, zone: other });
    expect(decodeSeaportEvent(cancelled)).toEqual({ kind: "cancelled", orderHash, offerer: maker });
    const counted = logOf("CounterIncremented", { newCounter: most, offerer: maker });
    expect(decodeSeaportEvent(counted)).toEqual({ kind: "counter", offerer: maker, counter: most });
  });

  test("decode validated orders exactly", () => {
    const item = { itemType: 5, token, identifier: most, startAmount: most - 1n, endAmount: most - 2n };
    const received = { ...item, recipient: other };
    const order = {
      offerer: maker,
      zone: other,
      offer: [item, { ...item, itemType: 1 }],
      consideration: [received, { ...received, itemType: 2, recipient: maker }],
      orderType: 3,
      startTime: 1n,
      endTime: most,
      zoneHash: orderHash,
      salt: most,
      conduitKey: orderHash,
      totalOriginalConsiderationItems: 1n,
    };
    expect(decodeSeaportEvent(logOf("OrderValidated", { orderHash, orderParameters: order }))).toEqual({
      kind: "validated",
      orderHash,
      offerer: maker,
      order,
    });
  });

  test("are rejected if they are truncated or claim more data than they have", () => {
    const log = fill([spent(3, 1n)], [spent(0, 5n)]);
    expect(() => decodeSeaportEvent({ ...log, data: log.data.slice(0, -2) as Hex })).toThrow(
      /^malformed Seaport event/,
    );
    expect(() => decodeSeaportEvent({ ...log, data: log.data.slice(0, -64) as Hex })).toThrow(
      /exceeds the data/,
    );
    expect(() => decodeSeaportEvent({ ...log, topics: log.topics.slice(0, 1) })).toThrow(/indexed argument/);
    expect(() => decodeSeaportEvent({ ...log, topics: [orderHash] })).toThrow(/unknown Seaport event/);
    const places = [1n, 2n, most, 4n].map((word) => word.toString(16).padStart(64, "0")).join("");
    expect(() => decodeSeaportEvent({ ...log, data: `0x${places}` })).toThrow(/too large/);
  });

  const words = (...numbers: readonly bigint[]): Hex =>
    `0x${numbers.map((number) => number.toString(16).padStart(64, "0")).join("")}`;
  const filled = fill([], []);

  test.each([
    ["no words", "0x", "word 2 is missing"],
    ["half a word", `${words(1n)}${"00".repeat(16)}`, "48 bytes of data"],
    ["three words", words(1n, 2n, 96n), "word 3 is missing"],
    ["a list of the largest length", words(1n, 2n, 128n, 128n, 2n ** 32n - 1n), "a list exceeds the data"],
    ["a list of a larger length", words(1n, 2n, 128n, 128n, 2n ** 32n), "4294967296 is too large"],
  ])("with %s are rejected", (_, data, reason) => {
    expect(() => decodeSeaportEvent({ ...filled, data: data as Hex })).toThrow(
      new RegExp(`^malformed Seaport event: .*${reason}`),
    );
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { itemTypes, type SignedOrder } from "../../../../server/market/indexer/seaport/order.ts";
import { parseSignedOrder } from "../../../../server/market/indexer/seaport/parse-signed-order.ts";
import { type SubmitDependencies, submitOrder } from "../../../../server/market/indexer/seaport/submit.ts";
import { termsOf } from "../../../../server/market/indexer/seaport/terms.ts";

const [maker, nft, coin, other] = ["1", "2", "3", "4"].map((digit) => `0x${digit.repeat(40)}`);
const zeros = (bytes: number): string => `0x${"0".repeat(2 * bytes)}`;
const uint256Max = 2n ** 256n - 1n;

function item(itemType: number, token: string | undefined, amount: bigint): object {
  const amounts = { startAmount: String(amount), endAmount: String(amount) };
  return { itemType, token, identifierOrCriteria: "1", ...amounts };
}

const token = item(itemTypes.erc721, nft, 1n);
const paid = (amount: bigint, recipient = maker): object => ({
  ...item(itemTypes.erc20, coin, amount),
  recipient,
});

/** A listing of one token, with some fields replaced. */
function read(fields: object, signature = "0x"): SignedOrder {
  const parameters = {
    offerer: maker,
    zone: zeros(20),
    offer: [token],
    consideration: [paid(5n)],
    orderType: 0,
    startTime: 1_000,
    endTime: 2_000,
    zoneHash: zeros(32),
    salt: "0",
    conduitKey: zeros(32),
    counter: "0",
    ...fields,
  };
  return parseSignedOrder(JSON.stringify({ parameters, signature }));
}

/** An offer for the token, with its payment and the fee in it. */
const offer = (total: bigint, fee: bigint): object => ({
  offer: [item(itemTypes.erc20, coin, total)],
  consideration: [{ ...token, recipient: maker }, paid(fee, other)],
});

test.each<[string, object, string | undefined]>([
  ["31 items", { consideration: Array(31).fill(paid(1n)) }, undefined],
  ["32 items", { consideration: Array(32).fill(paid(1n)) }, undefined],
  ["33 items", { consideration: Array(33).fill(paid(1n)) }, "/parameters/consideration: expected a list of"],
  ["the salt 2^53 - 1", { salt: 2 ** 53 - 1 }, undefined],
  ["the salt 2^53", { salt: 2 ** 53 }, "/parameters/salt: expected a number from 0 to 2^256 - 1"],
  ["the salt -1", { salt: -1 }, "/parameters/salt: expected a number from 0 to 2^256 - 1"],
  ["the largest salt", { salt: String(uint256Max) }, undefined],
  ["the largest salt in hex", { salt: `0x${"f".repeat(64)}` }, undefined],
  ["a salt above it", { salt: String(uint256Max + 1n) }, "/parameters/salt: expected a number from 0 to"],
  ["a salt of 78 digits with zeros", { salt: `0${uint256Max}`.slice(0, 78) }, undefined],
  ["a salt of 79 digits", { salt: "0".repeat(79) }, "/parameters/salt: expected a number from 0 to"],
  [
    "a salt of 65 hex digits",
    { salt: `0x${"0".repeat(65)}` },
    "/parameters/salt: expected a number from 0 to",
  ],
  ["a salt of one digit", { salt: "7" }, undefined],
  ["a salt of one hex digit", { salt: "0x7" }, undefined],
  ["a salt without digits", { salt: "" }, "/parameters/salt: expected a number from 0 to"],
  ["a salt with a sign", { salt: "+7" }, "/parameters/salt: expected a number from 0 to"],
  ["a salt with a fraction", { salt: "7.5" }, "/parameters/salt: expected a number from 0 to"],
  ["a zone in upper case", { zone: `0x${"AB".repeat(20)}` }, undefined],
  ["a zone of 19 bytes", { zone: zeros(19) }, "/parameters/zone: expected 0x and 40 hex digits"],
  ["a zone that is a number", { zone: 0 }, "/parameters/zone: expected 0x and 40 hex digits"],
  ["an item that is null", { offer: [null] }, "/parameters/offer/0: expected an object"],
  ["an item that is a list", { offer: [[]] }, "/parameters/offer/0: expected an object"],
  ["an item that is text", { offer: ["a"] }, "/parameters/offer/0: expected an object"],
  ["no list of items", { offer: {} }, "/parameters/offer: expected a list of at most 32"],
  ["the type 255", { orderType: 255 }, undefined],
  ["the type 256", { orderType: 256 }, "/parameters/orderType: expected a number from 0 to 255"],
])("a signed order with %s is parsed or rejected: %#", (_, fields, fault) => {
  if (fault === undefined) expect(read(fields).order.offerer).toBe(maker);
  else expect(() => read(fields)).toThrow(fault);
});

test.each([
  ["{", "not JSON"],
  ["[]", "/: expected an object"],
  ["{}", "/parameters: expected an object"],
])("the text %s is rejected: %s", (text, reason) => {
  expect(() => parseSignedOrder(text)).toThrow(reason);
});

test("hex digits become lower case", () => {
  const { order, signature } = read({ zone: `0x${"AB".repeat(20)}` }, "0xABCD");
  expect([order.zone, signature]).toEqual([`0x${"ab".repeat(20)}`, "0xabcd"]);
});

test.each(["0x1", "12", "x0x12", "0x12 ", "0xgg"])("%s is no signature", (signature) => {
  expect(() => read({}, signature)).toThrow("/signature: expected 0x and hex digits, at most 16384 bytes");
});

test.each([
  [16_383, true],
  [16_384, true],
  [16_385, false],
])("a signature of %i bytes is accepted: %s", (bytes, is) => {
  const signature = `0x${"12".repeat(bytes)}`;
  if (is) expect(read({}, signature).signature).toBe(signature);
  else expect(() => read({}, signature)).toThrow("/signature: expected 0x and hex digits, at most 16384");
});

test.each<[string, object, string | undefined]>([
  ["ends a second before it starts", { endTime: 999 }, "it ends before it starts"],
  ["ends as it starts", { endTime: 1_000 }, "it ends before it starts"],
  ["ends a second after it starts", { endTime: 1_001 }, undefined],
  ["is for parts of it", { orderType: 1 }, undefined],
  ["is a contract order", { orderType: 4 }, "it is a contract order"],
  ["has an unknown type", { orderType: 5 }, "unknown order type 5"],
  ["costs nothing", { consideration: [paid(0n)] }, "it costs nothing"],
  ["costs the least", { consideration: [paid(1n)] }, undefined],
  ["costs the most", { consideration: [paid(uint256Max - 1n), paid(1n)] }, undefined],
  ["costs more", { consideration: [paid(uint256Max), paid(1n)] }, "its price is more than 2^256 - 1"],
  ["pays nothing", offer(0n, 1n), "it pays nothing"],
  ["pays more than its fees", offer(5n, 4n), undefined],
  ["pays its fees", offer(5n, 5n), undefined],
  ["pays less than its fees", offer(5n, 6n), "its fees exceed what it pays"],
  ["sells none", { offer: [item(itemTypes.erc721, nft, 0n)] }, "its quantity is 0"],
  [
    "sells two of one",
    { offer: [item(itemTypes.erc721, nft, 2n)] },
    "its quantity of an ERC-721 token is more than 1",
  ],
  [
    "is for parts of it, as a zone decides",
    { orderType: 3, zone: other },
    `its zone ${other} restricts who may fill it`,
  ],
  [
    "is for all of it, as a zone decides",
    { orderType: 2, zone: other },
    `its zone ${other} restricts who may fill it`,
  ],
  ["has a zone that decides nothing", { orderType: 1, zone: other }, undefined],
  ["offers two items", { offer: [token, token] }, "it offers 2 items: only orders that offer one item"],
  ["offers nothing", { offer: [] }, "it offers 0 items"],
  ["asks for nothing", { consideration: [] }, "its consideration is empty"],
  [
    "counts other items",
    { totalOriginalConsiderationItems: 2 },
    "totalOriginalConsiderationItems is not the number of its consideration items",
  ],
  [
    "offers less with time",
    { offer: [{ ...item(itemTypes.erc1155, nft, 2n), endAmount: "1" }] },
    "its amounts change with time",
  ],
  [
    "asks for less with time",
    { consideration: [{ ...paid(5n), endAmount: "4" }] },
    "its amounts change with time",
  ],
  [
    "exchanges two tokens",
    { consideration: [paid(5n), { ...token, recipient: maker }] },
    "it is for 2 NFT items: only orders for one are supported",
  ],
  ["is for none", { offer: [item(itemTypes.erc20, coin, 1n)] }, "it is for 0 NFT items"],
  [
    "sells a token of the buyer's choice",
    { offer: [item(itemTypes.erc721WithCriteria, nft, 1n)] },
    "it sells a token of the buyer's choice",
  ],
  [
    "offers the native coin",
    { offer: [item(itemTypes.native, zeros(20), 5n)], consideration: [{ ...token, recipient: maker }] },
    "it offers no ERC-20, ERC-721 or ERC-1155 token",
  ],
  [
    "buys certain tokens",
    {
      offer: [item(itemTypes.erc20, coin, 5n)],
      consideration: [{ ...item(itemTypes.erc721WithCriteria, nft, 1n), recipient: maker }],
    },
    "it buys certain tokens of a collection",
  ],
  [
    "buys for someone else",
    { offer: [item(itemTypes.erc20, coin, 5n)], consideration: [{ ...token, recipient: other }] },
    "the token goes to an account other than its maker",
  ],
  [
    "pays fees in another currency",
    {
      offer: [item(itemTypes.erc20, coin, 5n)],
      consideration: [
        { ...token, recipient: maker },
        { ...item(itemTypes.erc20, other, 1n), recipient: other },
      ],
    },
    "its fees are in another currency",
  ],
  [
    "costs two currencies",
    { consideration: [paid(5n), { ...item(itemTypes.erc20, other, 1n), recipient: maker }] },
    "its payments are not all in one currency",
  ],
  [
    "costs coins of the chain and of a contract at the same address",
    { consideration: [paid(5n), { ...item(itemTypes.native, coin, 1n), recipient: maker }] },
    "its payments are not all in one currency",
  ],
  ["sells two alike", { offer: [item(itemTypes.erc1155, nft, 2n)] }, undefined],
])("an order that %s is accepted or rejected: %#", (_, fields, reason) => {
  const { order } = read(fields);
  if (reason === undefined) expect(termsOf(order, []).maker).toBe(maker);
  else expect(() => termsOf(order, [])).toThrow(reason);
});

test.each([2, 3])("an order of type %i is accepted if its zone is trusted", (orderType) => {
  const { order } = read({ orderType, zone: other });
  expect(termsOf(order, [String(other)]).isWhole).toBe(orderType === 2);
});

/** An offer for any token of a collection. */
const anyOf = (itemType: number, amount: bigint): object => ({
  offer: [item(itemTypes.erc20, coin, 5n)],
  consideration: [{ ...item(itemType, nft, amount), identifierOrCriteria: "0", recipient: maker }],
});

test.each<[object, object]>([
  [{}, { side: "listing", tokenId: 1n, isMultiToken: false, quantity: 1n, isWhole: true, pricePerToken: 5n }],
  [{ orderType: 1 }, { isWhole: false }],
  // Rounded in favor of the maker.
  [
    { offer: [item(itemTypes.erc1155, nft, 2n)] },
    { isMultiToken: true, quantity: 2n, total: 5n, pricePerToken: 3n },
  ],
  [
    anyOf(itemTypes.erc1155WithCriteria, 2n),
    { side: "offer", isMultiToken: true, pricePerToken: 2n, fees: [] },
  ],
  [anyOf(itemTypes.erc721WithCriteria, 1n), { tokenId: undefined, isMultiToken: false, quantity: 1n }],
  [
    { ...anyOf(itemTypes.erc721WithCriteria, 2n), orderType: 1 },
    { quantity: 2n, isWhole: false },
  ],
  [offer(10_000n, 3n), { side: "offer", tokenId: 1n, fees: [{ recipient: other, bps: 3 }], total: 10_000n }],
  [
    { consideration: [paid(9_000n), paid(499n, other), paid(501n, nft)] },
    {
      fees: [
        { recipient: other, bps: 499 },
        { recipient: nft, bps: 501 },
      ],
      total: 10_000n,
    },
  ],
  [
    { consideration: [paid(9_998n), paid(1n, other), paid(1n, other)] },
    { fees: [{ recipient: other, bps: 2 }] },
  ],
  [{ consideration: [paid(19_999n), paid(1n, other)] }, { fees: [{ recipient: other, bps: 0 }] }],
  [
    { startTime: 7, endTime: 8, conduitKey: `0x${"12".repeat(32)}` },
    { validFrom: 7n, validUntil: 8n, conduitKey: `0x${"12".repeat(32)}` },
  ],
])("the order %# has the terms %j", (fields, terms) => {
  expect(termsOf(read(fields).order, [])).toMatchObject(terms);
});

test("an ERC-721 offer for two tokens that can only be filled completely is rejected", () => {
  const { order } = read(anyOf(itemTypes.erc721WithCriteria, 2n));
  expect(() => termsOf(order, [])).toThrow("its quantity of an ERC-721 token is more than 1");
});

describe("the expiry of an order", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: 2_000_999 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    [1_999, "OrderRejection: it has expired"],
    [2_000, "OrderRejection: it has expired"],
    [2_001, "SubmitFailure: "],
  ])("is its last second: at 2,000, an order until %i gets %j", async (endTime, fault) => {
    // No host follows this chain, so a valid order fails later, with SubmitFailure.
    const dependencies = { database: { query: async () => [] }, chainId: 137, market: { zones: [] } };
    const submitted = submitOrder(dependencies as unknown as SubmitDependencies, read({ endTime }));
    const found = await submitted.then(String, String);
    expect(found).toContain(fault);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { itemTypes, type SignedOrder } from "../../../../server/market/indexer/seaport/order.ts";
import { parseSignedOrder } from "../../../../server/market/indexer/seaport/parse-signed-order.ts";
import { type SubmitPorts, submitOrder } from "../../../../server/market/indexer/seaport/submit.ts";
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
  ["the type 255", { orderType: 255 }, undefined],
  ["the type 256", { orderType: 256 }, "/parameters/orderType: expected a number from 0 to 255"],
])("a signed order with %s is parsed or rejected: %#", (_, fields, fault) => {
  if (fault === undefined) expect(read(fields).order.offerer).toBe(maker);
  else expect(() => read(fields)).toThrow(fault);
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
  ["sells two alike", { offer: [item(itemTypes.erc1155, nft, 2n)] }, undefined],
])("an order that %s is accepted or rejected: %#", (_, fields, reason) => {
  const { order } = read(fields);
  if (reason === undefined) expect(termsOf(order, []).maker).toBe(maker);
  else expect(() => termsOf(order, [])).toThrow(reason);
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
    const ports = { database: { query: async () => [] }, chainId: 137, market: { zones: [] } };
    const submitted = submitOrder(ports as unknown as SubmitPorts, read({ endTime }));
    const found = await submitted.then(String, String);
    expect(found).toContain(fault);
  });
});

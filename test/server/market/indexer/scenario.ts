/** A market with two new collections, and the responses that the host should give. */
import { setTimeout as sleep } from "node:timers/promises";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts } from "./market-world.ts";
import type { Collections, ModelOrder } from "./model-order.ts";
import { type Responses, responsesOf, responsesOfModel } from "./responses.ts";
import { seaportOrders } from "./seaport-model.ts";
import { sequenceOrders } from "./sequence-model.ts";
import { type SignedOrders, spendersOf } from "./signed-orders.ts";
import type { Trading } from "./trading.ts";

export interface Scenario {
  readonly trading: Trading;
  readonly collections: Collections;
  readonly fromBlock: number;
  readonly book: SignedOrders;
}

/** Tokens of a contract that accounts own. */
export const tokenIds: readonly string[] = ["1", "2", "3"];
export const farAway = 4_102_444_800n;
const untilMs = 120_000;
/** How long the model stays valid when orders expire. */
const modelMs = 1_500;

/** Creates two collections in which every account has tokens, approved for the markets. */
export async function createScenario(trading: Trading): Promise<Scenario> {
  const { world, coin } = trading;
  const collectible = await world.deploy(testContract("RoyaltyCollectible"));
  const multi = await world.deploy(testContract("TradedToken"));
  const fromBlock = await world.chain.head();
  for (const [index, account] of accounts.entries()) {
    const tokenId = tokenIds[index];
    if (tokenId !== undefined) await collectible.send(account, "mint", [account, BigInt(tokenId)]);
    for (const id of tokenIds) await multi.send(account, "mint", [account, BigInt(id), 12n]);
    for (const spender of spendersOf(trading)) {
      await collectible.send(account, "setApprovalForAll", [spender, true]);
      await multi.send(account, "setApprovalForAll", [spender, true]);
      await coin.send(account, "approve", [spender, 10n ** 9n]);
    }
  }
  await world.chain.mine();
  const story = { trading, collections: { collectible, multi }, fromBlock, book: new Map() };
  await nameTokens(story);
  return story;
}

/** Offers for any token apply to the tokens that the host knows, so each token gets an order, which is closed immediately. */
async function nameTokens({ trading, collections }: Scenario): Promise<void> {
  const [market] = trading.markets;
  if (market === undefined) throw new Error("there is a Sequence market");
  const first = (await market.read("nextRequestId")) as bigint;
  const named = Object.values(collections).flatMap(({ address }) =>
    tokenIds.map((tokenId, index) => ({ address, tokenId: BigInt(tokenId), owner: accounts[index] ?? "0x" })),
  );
  for (const { address, tokenId, owner } of named)
    await market.send(owner, "createRequest", [
      {
        isListing: true,
        isERC1155: address === collections.multi.address,
        tokenContract: address,
        tokenId,
        quantity: 1n,
        expiry: farAway,
        currency: trading.coin.address,
        pricePerToken: 1n,
      },
    ]);
  await trading.world.chain.mine();
  for (const [index, { owner }] of named.entries())
    await market.send(owner, "cancelRequest", [first + BigInt(index)]);
  await trading.world.chain.mine();
}

/** Waits until the host's responses equal the model's. Throws both after a timeout. */
export async function untilEqual(story: Scenario): Promise<readonly ModelOrder[]> {
  const { trading, collections } = story;
  const end = performance.now() + untilMs;
  for (;;) {
    // The contracts do not change, but an order may expire at any moment.
    const orders = await modelOrders(story);
    const shouldBe = responsesOfModel(collections, orders, tokenIds);
    const again = performance.now() + modelMs;
    while (performance.now() < again) {
      const is = await responsesOf(trading, collections, orders, tokenIds);
      if (is.join("\n") === shouldBe.join("\n")) return orders;
      if (performance.now() > end) throw new Error(difference(is, shouldBe));
      await sleep(10);
    }
  }
}

/** All orders for tokens of the two collections. */
async function modelOrders({
  trading,
  collections,
  fromBlock,
  book,
}: Scenario): Promise<readonly ModelOrder[]> {
  const [sequence, seaport] = await Promise.all([
    sequenceOrders(trading, collections, fromBlock),
    seaportOrders(trading, collections, fromBlock, book),
  ]);
  return [...sequence, ...seaport];
}

function difference(is: Responses, shouldBe: Responses): string {
  const missing = shouldBe.filter((line) => !is.includes(line));
  const surplus = is.filter((line) => !shouldBe.includes(line));
  if (missing.length + surplus.length === 0)
    return ["the contracts say, in this order:", ...shouldBe, "the host says:", ...is].join("\n");
  return ["the contracts say:", ...missing, "the host says:", ...surplus].join("\n");
}

/** Random histories of a market: what people do with orders and with what they hang on, and blocks that leave. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../support/random.ts";
import { testContract } from "../../support/test-contracts.ts";
import { type Answers, answersOf, answersOfModel } from "./answers.ts";
import { accounts } from "./market-world.ts";
import { type Collections, type ModelOrder, modelOrders } from "./order-model.ts";
import { noCurrency, type Trading, weiOfMicro } from "./trading.ts";

export interface Story {
  readonly trading: Trading;
  readonly collections: Collections;
  readonly fromBlock: number;
}

/** Tokens of a contract that somebody has. */
const tokenIds: readonly string[] = ["1", "2", "3"];
const farAway = 4_102_444_800n;
const untilMs = 30_000;
/** For how long the model holds where orders expire. */
const modelMs = 1_500;

/** Two new collections, in which everybody has tokens and lets the markets take them. */
export async function beginStory(trading: Trading): Promise<Story> {
  const { world, markets, coin } = trading;
  const collectible = await world.deploy(testContract("RoyaltyCollectible"));
  const multi = await world.deploy(testContract("TradedToken"));
  const fromBlock = await world.chain.head();
  for (const [index, account] of accounts.entries()) {
    const tokenId = tokenIds[index];
    if (tokenId !== undefined) await collectible.send(account, "mint", [account, BigInt(tokenId)]);
    for (const id of tokenIds) await multi.send(account, "mint", [account, BigInt(id), 12n]);
    for (const { address } of markets) {
      await collectible.send(account, "setApprovalForAll", [address, true]);
      await multi.send(account, "setApprovalForAll", [address, true]);
      await coin.send(account, "approve", [address, 10n ** 9n]);
    }
  }
  await world.chain.mine();
  return { trading, collections: { collectible, multi }, fromBlock };
}

/** Waits until the host answers what the model does; throws the two as they are if that takes too long. */
export async function untilEqual(story: Story): Promise<readonly ModelOrder[]> {
  const { trading, collections } = story;
  const end = performance.now() + untilMs;
  for (;;) {
    // The contracts stay as they are, but the time of an order may be up at any moment.
    const orders = await modelOrders(trading, collections, story.fromBlock);
    const shouldBe = answersOfModel(collections, orders, tokenIds);
    const again = performance.now() + modelMs;
    while (performance.now() < again) {
      const is = await answersOf(trading, collections, orders, tokenIds);
      if (is.join("\n") === shouldBe.join("\n")) return orders;
      if (performance.now() > end) throw new Error(difference(is, shouldBe));
      await sleep(10);
    }
  }
}

function difference(is: Answers, shouldBe: Answers): string {
  const missing = shouldBe.filter((line) => !is.includes(line));
  const surplus = is.filter((line) => !shouldBe.includes(line));
  return ["the contracts say:", ...missing, "the host says:", ...surplus].join("\n");
}

/** Some blocks with something in them; a fifth of them leave again. Equal after each, and how many times that was. */
export async function runHistory(trading: Trading, random: Random, steps: number): Promise<number> {
  const { chain } = trading.world;
  const story = await beginStory(trading);
  const snapshots: unknown[] = [];
  let heads = 0;
  for (let step = 0; step < steps; step++) {
    if (snapshots.length > 1 && random.chance(20)) {
      const back = random.below(Math.min(5, snapshots.length));
      const [snapshot] = snapshots.splice(snapshots.length - 1 - back);
      await chain.request("evm_revert", snapshot);
    }
    snapshots.push(await chain.request("evm_snapshot"));
    for (let count = random.below(4); count >= 0; count--) await act(story, random);
    await chain.mine();
    if (step < steps - 1 && random.chance(25)) continue;
    await untilEqual(story);
    heads++;
  }
  return heads;
}

/** One of the things that people do; some fail, as they do. */
async function act(story: Story, random: Random): Promise<void> {
  const { collections, trading } = story;
  const market = random.pick(trading.markets);
  const [account, other] = random.shuffle(accounts) as [(typeof accounts)[number], (typeof accounts)[number]];
  const { collectible, multi } = collections;
  const { coin } = trading;
  const isMulti = random.chance(50);
  const token = isMulti ? multi : collectible;
  const tokenId = BigInt(random.pick(tokenIds));
  const what = random.below(100);
  if (what < 34) {
    const isListing = random.chance(50);
    const currency = isListing && random.chance(25) ? noCurrency : coin.address;
    const micro = BigInt(1 + random.below(1_000));
    return market.send(account, "createRequest", [
      {
        isListing,
        isERC1155: isMulti,
        tokenContract: token.address,
        tokenId,
        quantity: isMulti ? BigInt(1 + random.below(20)) : 1n,
        expiry: random.chance(15)
          ? (await story.trading.world.chain.time()) + BigInt(1 + random.below(9))
          : farAway,
        currency,
        pricePerToken: currency === noCurrency ? micro * weiOfMicro : micro,
      },
    ]);
  }
  if (what < 52) {
    const requestId = await recentRequest(market, random);
    const { quantity, currency, pricePerToken } = (await market.read("getRequest", [requestId])) as OnChain;
    const units = BigInt(1 + random.below(Number(quantity) || 1));
    const value = currency === noCurrency ? units * pricePerToken : 0n;
    return market.send(account, "acceptRequest", [requestId, units, account, [], []], { value });
  }
  if (what < 57) {
    const requestId = await recentRequest(market, random);
    const { creator } = (await market.read("getRequest", [requestId])) as OnChain;
    return market.send(creator === noCurrency ? account : (creator as never), "cancelRequest", [requestId]);
  }
  if (what < 59) return market.send(account, "invalidateRequests", []);
  if (what < 61) return market.send(account, "invalidateRequests", [token.address]);
  if (what < 67) {
    const owner = (await collectible.read("ownerOf", [tokenId])) as typeof account;
    return collectible.send(owner, "safeTransferFrom", [owner, other, tokenId]);
  }
  if (what < 70) {
    const owner = (await collectible.read("ownerOf", [tokenId])) as typeof account;
    return collectible.send(owner, "approve", [random.chance(60) ? market.address : noCurrency, tokenId]);
  }
  if (what < 75)
    return multi.send(account, "safeTransferFrom", [
      account,
      other,
      tokenId,
      BigInt(1 + random.below(9)),
      "0x",
    ]);
  if (what < 78)
    return multi.send(account, "safeBatchTransferFrom", [account, other, [1n, 2n], [tokenId, 1n], "0x"]);
  if (what < 85) return token.send(account, "setApprovalForAll", [market.address, random.chance(60)]);
  if (what < 90) return coin.send(account, "approve", [market.address, BigInt(random.below(20_000))]);
  if (what < 96) {
    const balance = (await coin.read("balanceOf", [account])) as bigint;
    const left = BigInt(random.below(10_000));
    if (balance > left && random.chance(50)) return coin.send(account, "transfer", [other, balance - left]);
    return coin.send(account, "mint", [account, BigInt(random.below(10_000))]);
  }
  if (what < 98)
    return market.send(account, "setRoyalty", [token.address, other, BigInt(random.below(2_000))]);
  return token.send(account, "setRoyalty", [other, BigInt(random.below(2_000))]);
}

interface OnChain {
  readonly creator: string;
  readonly quantity: bigint;
  readonly currency: string;
  readonly pricePerToken: bigint;
}

/** One of the last that were made, or the next one, which nobody has made. */
async function recentRequest(market: Trading["markets"][number], random: Random): Promise<bigint> {
  const next = (await market.read("nextRequestId")) as bigint;
  const back = BigInt(random.below(12));
  return next > back ? next - back : 0n;
}

/** Random market histories: actions on orders and on the facts that they depend on, and reorganizations. */
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import type { Random } from "../../../support/random.ts";
import { accounts, noCurrency } from "./market-world.ts";
import { createScenario, farAway, type Scenario, tokenIds, untilEqual } from "./scenario.ts";
import { toldOrders } from "./seaport-model.ts";
import { itemTypes } from "./seaport-world.ts";
import { type SignedOrderEntry, signOrder, spendersOf, submitOrder, validateOrder } from "./signed-orders.ts";
import { type SequenceContract, type Trading, weiOfMicro } from "./trading.ts";

/**
 * Mines blocks with random actions, and reorganizes after a fifth of them. Compares host and model after each block, and returns the number
 * of comparisons.
 */
export async function runHistory(trading: Trading, random: Random, steps: number): Promise<number> {
  const { chain } = trading.world;
  const story = await createScenario(trading);
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
    if (random.chance(8) && (await submitOne(story, random))) await untilEqual(story);
  }
  await endStory(story);
  return heads;
}

/** Facts without events are reread in turn over all open orders of a chain, so orders of one scenario must not delay the next. */
async function endStory({ trading }: Scenario): Promise<void> {
  for (const account of accounts) {
    for (const market of trading.markets) await market.send(account, "invalidateRequests", []);
    await trading.seaport.contract.send(account, "incrementCounter", []);
  }
  await trading.world.chain.mine();
}

/** Runs a random action; some fail, as in reality. */
async function act(story: Scenario, random: Random): Promise<void> {
  const market = random.pick([...story.trading.markets, undefined]);
  const what = random.below(100);
  if (what < 34) return market === undefined ? sign(story, random) : request(story, market, random);
  if (what < 52) return market === undefined ? fill(story, random) : accept(market, random);
  if (what < 57) return market === undefined ? cancelSigned(story, random) : cancelRequest(market, random);
  if (what < 61) return market === undefined ? increment(story, random) : invalidate(story, market, random);
  if (what < 78) return move(story, random);
  if (what < 90) return allow(story, random);
  if (what < 96) return pay(story, random);
  const [account, other] = twoOf(random);
  const { address, send } = tokenOf(story, random);
  const royalty = BigInt(random.below(2_000));
  if (market !== undefined && what < 98) return market.send(account, "setRoyalty", [address, other, royalty]);
  return send(account, "setRoyalty", [other, royalty]);
}

function twoOf(random: Random): readonly [Hex, Hex] {
  const [one, other] = random.shuffle(accounts);
  if (one === undefined || other === undefined) throw new Error("there are four");
  return [one, other];
}

function tokenOf({ collections: { collectible, multi } }: Scenario, random: Random): typeof multi {
  return random.chance(50) ? multi : collectible;
}

function tokenIdOf(random: Random): bigint {
  return BigInt(random.pick(tokenIds));
}

/** Some orders expire during the run. */
async function endOf({ trading }: Scenario, random: Random): Promise<bigint> {
  return random.chance(15) ? (await trading.world.chain.time()) + BigInt(1 + random.below(9)) : farAway;
}

async function request(story: Scenario, market: SequenceContract, random: Random): Promise<void> {
  const token = tokenOf(story, random);
  const isERC1155 = token === story.collections.multi;
  const isListing = random.chance(50);
  const currency = isListing && random.chance(25) ? noCurrency : story.trading.coin.address;
  const micro = BigInt(1 + random.below(1_000));
  const about = { isListing, isERC1155, tokenContract: token.address, tokenId: tokenIdOf(random), currency };
  await market.send(random.pick(accounts), "createRequest", [
    {
      ...about,
      quantity: isERC1155 ? BigInt(1 + random.below(20)) : 1n,
      expiry: await endOf(story, random),
      pricePerToken: currency === noCurrency ? micro * weiOfMicro : micro,
    },
  ]);
}

async function accept(market: SequenceContract, random: Random): Promise<void> {
  const account = random.pick(accounts);
  const requestId = await recentRequest(market, random);
  const { quantity, currency, pricePerToken } = (await market.read("getRequest", [requestId])) as OnChain;
  const units = BigInt(1 + random.below(Number(quantity) || 1));
  const value = currency === noCurrency ? units * pricePerToken : 0n;
  await market.send(account, "acceptRequest", [requestId, units, account, [], []], { value });
}

async function cancelRequest(market: SequenceContract, random: Random): Promise<void> {
  const requestId = await recentRequest(market, random);
  const { creator } = (await market.read("getRequest", [requestId])) as OnChain;
  await market.send(creator === noCurrency ? random.pick(accounts) : creator, "cancelRequest", [requestId]);
}

function invalidate(story: Scenario, market: SequenceContract, random: Random): Promise<void> {
  const args = random.chance(50) ? [] : [tokenOf(story, random).address];
  return market.send(random.pick(accounts), "invalidateRequests", args);
}

interface OnChain {
  readonly creator: Hex;
  readonly quantity: bigint;
  readonly currency: string;
  readonly pricePerToken: bigint;
}

/** A recent request id, or the next one, which does not exist yet. */
async function recentRequest(market: SequenceContract, random: Random): Promise<bigint> {
  const next = (await market.read("nextRequestId")) as bigint;
  const back = BigInt(random.below(12));
  return next > back ? next - back : 0n;
}

/** Signs an order, and validates most of them on the chain. */
async function sign(story: Scenario, random: Random): Promise<void> {
  const entry = await signOne(story, random, BigInt(2 + random.below(999)));
  if (random.chance(80)) await validateOrder(story.trading, random.pick(accounts), entry);
}

async function signOne(story: Scenario, random: Random, price: bigint): Promise<SignedOrderEntry> {
  const { trading, collections, book } = story;
  const from = random.pick(accounts);
  const isMulti = random.chance(50);
  const isListing = random.chance(50);
  const isForAny = !isListing && random.chance(40);
  const isNative = isListing && random.chance(25);
  const isWhole = random.chance(30);
  // A full order for several ERC-721 tokens cannot be filled: it has room for one token id.
  const most = isMulti ? 20 : isForAny && !isWhole ? 2 : 1;
  const unit = isNative ? weiOfMicro : 1n;
  return signOrder(trading, collections, book, {
    from,
    isMulti,
    isListing,
    isNative,
    isWhole,
    tokenId: isForAny ? undefined : tokenIdOf(random),
    quantity: BigInt(1 + random.below(most)),
    price: price * unit,
    fee: random.chance(50) ? BigInt(random.below(Number(price))) * unit : 0n,
    byConduit: random.chance(30),
    endTime: await endOf(story, random),
  });
}

async function fill(story: Scenario, random: Random): Promise<void> {
  const { seaport } = story.trading;
  const entry = recentOrder(story, random);
  if (entry === undefined) return;
  const { offer, consideration } = entry.signed.parameters;
  const nft = [...offer, ...consideration].find(({ itemType }) => itemType >= itemTypes.erc721);
  const denominator = nft?.startAmount ?? 1n;
  const numerator = random.chance(40) ? denominator : 1n + BigInt(random.below(Number(denominator)));
  const by = random.chance(30) ? { conduitKey: seaport.conduitKey } : {};
  const part = { numerator, denominator, tokenId: tokenIdOf(random), ...by };
  await seaport.fill(random.pick(accounts), entry.signed, part);
}

async function cancelSigned(story: Scenario, random: Random): Promise<void> {
  const parameters = recentOrder(story, random)?.signed.parameters;
  if (parameters !== undefined)
    await story.trading.seaport.contract.send(parameters.offerer, "cancel", [[parameters]]);
}

/** Rare, because it voids all orders of an account. */
async function increment({ trading }: Scenario, random: Random): Promise<void> {
  if (random.chance(40)) await trading.seaport.contract.send(random.pick(accounts), "incrementCounter", []);
}

function recentOrder({ book }: Scenario, random: Random): SignedOrderEntry | undefined {
  const orders = [...book.values()];
  return orders.at(-1 - random.below(Math.min(8, orders.length || 1)));
}

/** Submits a long-lived order while the host is at the head: a new one, or one that the chain has validated. */
async function submitOne(story: Scenario, random: Random): Promise<boolean> {
  const { trading, collections, book, fromBlock } = story;
  if (random.chance(50)) {
    const entry = await signOne(story, random, BigInt(1_001 + book.size));
    if (entry.signed.parameters.endTime !== farAway) return false;
    await submitOrder(trading, collections, entry);
    return true;
  }
  const { contract } = trading.seaport;
  const told = await toldOrders(trading, fromBlock);
  for (const [hash, entry] of random.shuffle([...book])) {
    const { offerer, counter, endTime } = entry.signed.parameters;
    if (!told.has(hash) || endTime !== farAway) continue;
    if (counter !== (await contract.read("getCounter", [offerer]))) continue;
    const [, isCancelled, filled, size] = (await contract.read("getOrderStatus", [hash])) as Status;
    if (isCancelled || (size > 0n && filled === size)) continue;
    await submitOrder(trading, collections, entry, told.get(hash));
    return true;
  }
  return false;
}

type Status = readonly [isValidated: boolean, isCancelled: boolean, filled: bigint, size: bigint];

async function move({ collections }: Scenario, random: Random): Promise<void> {
  const { collectible, multi } = collections;
  const [account, other] = twoOf(random);
  const tokenId = tokenIdOf(random);
  const what = random.below(14);
  if (what < 6) {
    const owner = (await collectible.read("ownerOf", [tokenId])) as Hex;
    return collectible.send(owner, "safeTransferFrom", [owner, other, tokenId]);
  }
  const units = BigInt(1 + random.below(9));
  if (what < 11) return multi.send(account, "safeTransferFrom", [account, other, tokenId, units, "0x"]);
  return multi.send(account, "safeBatchTransferFrom", [account, other, [1n, 2n], [tokenId, 1n], "0x"]);
}

async function allow(story: Scenario, random: Random): Promise<void> {
  const { trading, collections } = story;
  const spender = random.pick(spendersOf(trading));
  const account = random.pick(accounts);
  const what = random.below(15);
  if (what < 3) {
    const tokenId = tokenIdOf(random);
    const owner = (await collections.collectible.read("ownerOf", [tokenId])) as Hex;
    const approved = random.chance(60) ? spender : noCurrency;
    return collections.collectible.send(owner, "approve", [approved, tokenId]);
  }
  if (what < 10)
    return tokenOf(story, random).send(account, "setApprovalForAll", [spender, random.chance(60)]);
  return trading.coin.send(account, "approve", [spender, BigInt(random.below(20_000))]);
}

async function pay({ trading: { coin } }: Scenario, random: Random): Promise<void> {
  const [account, other] = twoOf(random);
  const balance = (await coin.read("balanceOf", [account])) as bigint;
  const left = BigInt(random.below(10_000));
  if (balance > left && random.chance(50)) return coin.send(account, "transfer", [other, balance - left]);
  return coin.send(account, "mint", [account, BigInt(random.below(10_000))]);
}

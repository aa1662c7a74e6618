/** A model of Seaport orders that reads the state of Seaport and of the tokens one call at a time at the newest block. */
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { type Collections, type ModelOrder, moneyOf, mostOf, smaller, unitsOf } from "./model-order.ts";
import { type Components, type ConsiderationItem, itemTypes } from "./seaport-world.ts";
import type { SignedOrderEntry, SignedOrders } from "./signed-orders.ts";
import type { Trading } from "./trading.ts";

/** OrderValidated(bytes32,OrderParameters) */
const validated = "0xf280791efe782edcf06ce15c8f4dff17601db3b88eb3805a0db7d77faf757f04";

/** Returns when orders were validated since a block, in seconds, by hash. */
export async function toldOrders(
  { world, seaport }: Trading,
  fromBlock: number,
): Promise<ReadonlyMap<string, number>> {
  const logs = (await world.chain.request("eth_getLogs", {
    fromBlock: `0x${fromBlock.toString(16)}`,
    address: seaport.contract.address,
    topics: [validated],
  })) as readonly { readonly data: Hex; readonly blockNumber: Hex }[];
  const times = await Promise.all(
    logs.map(async ({ data, blockNumber }): Promise<[string, number]> => {
      const block = (await world.chain.request("eth_getBlockByNumber", blockNumber, false)) as {
        readonly timestamp: Hex;
      };
      return [data.slice(0, 66), Number(block.timestamp)];
    }),
  );
  return new Map(times);
}

/** Returns the signed orders that the chain has validated or the operator has submitted. */
export async function seaportOrders(
  trading: Trading,
  collections: Collections,
  fromBlock: number,
  book: SignedOrders,
): Promise<readonly ModelOrder[]> {
  const told = await toldOrders(trading, fromBlock);
  const known = [...book].filter(([hash, { submitted }]) => submitted !== undefined || told.has(hash));
  return Promise.all(
    known.map(([hash, entry]) => orderOf(trading, collections, hash, entry, told.get(hash))),
  );
}

async function orderOf(
  trading: Trading,
  collections: Collections,
  hash: Hex,
  { signed: { parameters }, submitted }: SignedOrderEntry,
  reportedAt: number | undefined,
): Promise<ModelOrder> {
  const { seaport } = trading;
  const { offerer, offer, consideration, endTime } = parameters;
  const [[, isCancelled, filled, size], counter] = (await Promise.all([
    seaport.contract.read("getOrderStatus", [hash]),
    seaport.contract.read("getCounter", [offerer]),
  ])) as [readonly [boolean, boolean, bigint, bigint], bigint];
  const isListing = (offer[0]?.itemType ?? 0) >= itemTypes.erc721;
  const nft = [...offer, ...consideration].find(({ itemType }) => itemType >= itemTypes.erc721);
  if (nft === undefined) throw new Error("an order is for a token");
  const payments = (isListing ? consideration : offer) as readonly ConsiderationItem[];
  const quantity = nft.startAmount;
  const total = payments.reduce((sum, { startAmount }) => sum + startAmount, 0n);
  const remaining = quantity - (size === 0n ? 0n : (quantity * filled) / size);
  const isGone = isCancelled || counter !== parameters.counter;
  const about = { nft, isListing, total, remaining };
  const available =
    remaining === 0n || isGone ? 0n : await availableOf(trading, collections, parameters, about);
  const isExpired = endTime <= BigInt(Math.floor(Date.now() / 1_000));
  const open = isExpired ? "expired" : available > 0n ? "active" : "inactive";
  return {
    marketplace: "opensea",
    orderId: hash,
    side: isListing ? "listing" : "offer",
    collection: nft.token,
    tokenId: nft.itemType >= itemTypes.anyErc721 ? undefined : String(nft.identifierOrCriteria),
    maker: offerer,
    currency: payments[0]?.token ?? "",
    price: isListing ? (total + quantity - 1n) / quantity : total / quantity,
    status: remaining === 0n ? "filled" : isGone ? "cancelled" : open,
    remaining,
    available,
    fees: consideration
      .filter((item) => item !== nft && item.recipient !== offerer)
      .map(({ recipient, startAmount }) => ({
        kind: recipient === submitted?.royaltyTo ? "royalty" : "marketplace",
        recipient,
        bps: Number((startAmount * 10_000n) / total),
      })),
    // Where only the host knows, it has a price of its own.
    madeAt: (submitted === undefined ? reportedAt : submitted.reportedAt) ?? 0,
  };
}

interface About {
  readonly nft: {
    readonly token: string;
    readonly identifierOrCriteria: bigint;
    readonly startAmount: bigint;
  };
  readonly isListing: boolean;
  readonly total: bigint;
  readonly remaining: bigint;
}

/** The most units that could be filled now. A full order counts as one unit of all its tokens. */
async function availableOf(
  { seaport, coin }: Trading,
  collections: Collections,
  { offerer: maker, conduitKey, orderType }: Components,
  { nft, isListing, total, remaining }: About,
): Promise<bigint> {
  const holder = {
    maker,
    spender: conduitKey === seaport.conduitKey ? seaport.conduit : seaport.contract.address,
  };
  const most = isListing
    ? smaller(remaining, await unitsOf(collections, nft.token, nft.identifierOrCriteria, holder))
    : await mostUnits(await moneyOf(coin, holder));
  return orderType === 0 && most < remaining ? 0n : most;

  function mostUnits(money: bigint): Promise<bigint> {
    return mostOf(remaining, (units) => units * total <= money * nft.startAmount);
  }
}

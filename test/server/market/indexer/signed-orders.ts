/** Orders of Seaport that people have signed, and how the host gets to know of them. */
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { operateOn } from "../../../support/operator.ts";
import { noCurrency } from "./market-world.ts";
import type { Collections } from "./model-order.ts";
import { type Components, item, itemTypes, type Signed, textOf } from "./seaport-world.ts";
import type { Trading } from "./trading.ts";

export interface SignedOrderEntry {
  readonly signed: Signed;
  /** Set once the operator has told the host: then it stays known whatever leaves the chain. */
  submitted: Submitted | undefined;
}

interface Submitted {
  /** When the chain had told of it, in seconds. Undefined: the operator was first, and nobody but the host knows the second. */
  readonly toldAt: number | undefined;
  /** Who was to have a royalty, by the contract, when the operator was first. */
  readonly royaltyTo: string | undefined;
}

/** By the hash of the order, as the market has it. */
export type SignedOrders = Map<Hex, SignedOrderEntry>;

export interface OrderTerms {
  readonly from: Hex;
  readonly isListing: boolean;
  readonly isMulti: boolean;
  /** Undefined: any of the collection. */
  readonly tokenId: bigint | undefined;
  readonly quantity: bigint;
  /** Of one unit, the fee included. */
  readonly price: bigint;
  /** Of one unit, in the same currency. */
  readonly fee?: bigint;
  readonly isNative?: boolean;
  readonly isWhole?: boolean;
  readonly byConduit?: boolean;
  readonly endTime?: bigint;
}

/** Has the fees of all orders. */
export const house: Hex = `0x${"fe".repeat(20)}`;

export async function signOrder(
  { seaport, coin }: Trading,
  { collectible, multi }: Collections,
  book: SignedOrders,
  terms: OrderTerms,
): Promise<SignedOrderEntry> {
  const { from, isListing, isMulti, tokenId, quantity, price, fee = 0n, isNative = false } = terms;
  const kinds = isMulti
    ? { one: itemTypes.erc1155, any: itemTypes.anyErc1155, token: multi.address }
    : { one: itemTypes.erc721, any: itemTypes.anyErc721, token: collectible.address };
  const nft = item(tokenId === undefined ? kinds.any : kinds.one, kinds.token, {
    ...{ id: tokenId ?? 0n, amount: quantity },
  });
  const money = (amount: bigint) =>
    isNative
      ? item(itemTypes.native, noCurrency, { amount })
      : item(itemTypes.erc20, coin.address, { amount });
  const fees = fee === 0n ? [] : [{ ...money(fee * quantity), recipient: house }];
  const parameters: Components = await seaport.components({
    offerer: from,
    offer: [isListing ? nft : money(price * quantity)],
    consideration: [{ ...(isListing ? money((price - fee) * quantity) : nft), recipient: from }, ...fees],
    orderType: terms.isWhole === true ? 0 : 1,
    ...(terms.byConduit === true ? { conduitKey: seaport.conduitKey } : {}),
    ...(terms.endTime === undefined ? {} : { endTime: terms.endTime }),
  });
  const signed = await seaport.sign(parameters);
  const entry: SignedOrderEntry = { signed, submitted: undefined };
  book.set(await seaport.hashOf(parameters), entry);
  return entry;
}

/** Has the chain tell of an order in full; it waits to be mined. */
export async function validateOrder(
  { seaport }: Trading,
  from: Hex,
  { signed }: SignedOrderEntry,
): Promise<void> {
  const { parameters, signature } = signed;
  const whole = { ...parameters, totalOriginalConsiderationItems: parameters.consideration.length };
  await seaport.contract.send(from, "validate", [[{ parameters: whole, signature }]]);
}

/** Hands an order to the host as its operator does. The host has to be at the head of the chain, which has told of it at `toldAt`. */
export async function submitOrder(
  { data }: Trading,
  collections: Collections,
  entry: SignedOrderEntry,
  toldAt?: number,
): Promise<void> {
  const { code, err } = await operateOn(data, textOf(entry.signed), "orders", "submit", "31337", "-");
  if (code !== 0) throw new Error(`orders submit: ${err}`);
  const royaltyTo =
    toldAt === undefined ? await royaltyToOf(collections, entry.signed.parameters) : undefined;
  entry.submitted ??= { toldAt, royaltyTo };
}

async function royaltyToOf(
  { collectible, multi }: Collections,
  { offer, consideration }: Components,
): Promise<string | undefined> {
  const nft = [...offer, ...consideration].find(({ itemType }) => itemType >= itemTypes.erc721);
  const token = nft?.token === multi.address ? multi : collectible;
  try {
    const [recipient] = (await token.read("royaltyInfo", [nft?.identifierOrCriteria, 10_000n])) as [string];
    return recipient.toLowerCase();
  } catch {
    return undefined;
  }
}

/** Who may take what somebody has, once allowed to. */
export function spendersOf({ markets, seaport }: Trading): readonly Hex[] {
  return [...markets.map(({ address }) => address), seaport.contract.address, seaport.conduit];
}

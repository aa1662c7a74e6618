/** Signed Seaport orders, and how the host learns of them. */
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { operateOn } from "../../../support/operator.ts";
import { noCurrency } from "./market-world.ts";
import type { Collections } from "./model-order.ts";
import { type Components, item, itemTypes, type Signed, textOf } from "./seaport-world.ts";
import type { Trading } from "./trading.ts";

export interface SignedOrderEntry {
  readonly signed: Signed;
  /** Set once the operator has submitted it: it then stays known, whatever is reorganized. */
  submitted: Submitted | undefined;
}

interface Submitted {
  /** When the chain validated it, in seconds. Undefined if the operator submitted it first; then only the host knows the second. */
  readonly reportedAt: number | undefined;
  /** The royalty receiver by the contract, when the operator submitted it first. */
  readonly royaltyTo: string | undefined;
}

/** By order hash, as in the market. */
export type SignedOrders = Map<Hex, SignedOrderEntry>;

export interface OrderTerms {
  readonly from: Hex;
  readonly isListing: boolean;
  readonly isMulti: boolean;
  /** Undefined for any token of the collection. */
  readonly tokenId: bigint | undefined;
  readonly quantity: bigint;
  /** Price of one unit, fee included. */
  readonly price: bigint;
  /** Fee of one unit, in the same currency. */
  readonly fee?: bigint;
  readonly isNative?: boolean;
  readonly isWhole?: boolean;
  readonly byConduit?: boolean;
  readonly endTime?: bigint;
}

/** Receives the fees of all orders. */
export const feeRecipient: Hex = `0x${"fe".repeat(20)}`;

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
    id: tokenId ?? 0n,
    amount: quantity,
  });
  const money = (amount: bigint) =>
    isNative
      ? item(itemTypes.native, noCurrency, { amount })
      : item(itemTypes.erc20, coin.address, { amount });
  const fees = fee === 0n ? [] : [{ ...money(fee * quantity), recipient: feeRecipient }];
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

/** Validates an order on the chain; it waits to be mined. */
export async function validateOrder(
  { seaport }: Trading,
  from: Hex,
  { signed }: SignedOrderEntry,
): Promise<void> {
  const { parameters, signature } = signed;
  const whole = { ...parameters, totalOriginalConsiderationItems: parameters.consideration.length };
  await seaport.contract.send(from, "validate", [[{ parameters: whole, signature }]]);
}

/**
 * Submits an order to the host as the operator does. The host must be at the head of the chain, which validated the order at `reportedAt`, if
 * at all.
 */
export async function submitOrder(
  { data }: Trading,
  collections: Collections,
  entry: SignedOrderEntry,
  reportedAt?: number,
): Promise<void> {
  const { code, err } = await operateOn(data, textOf(entry.signed), "orders", "submit", "31337", "-");
  if (code !== 0) throw new Error(`orders submit: ${err}`);
  const royaltyTo =
    reportedAt === undefined ? await royaltyToOf(collections, entry.signed.parameters) : undefined;
  entry.submitted ??= { reportedAt, royaltyTo };
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

/** Contracts that may take tokens once approved. */
export function spendersOf({ markets, seaport }: Trading): readonly Hex[] {
  return [...markets.map(({ address }) => address), seaport.contract.address, seaport.conduit];
}

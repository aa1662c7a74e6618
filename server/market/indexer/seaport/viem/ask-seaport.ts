/** What Seaport is asked about orders, all as of one block. */
import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, type Hex, toHex } from "viem";
import { CallReverted, type Chain } from "../../../../chain/rpc/chain.ts";
import type { Conduits } from "../conduits.ts";
import type { SignedOrder } from "../order.ts";
import { controllerAbi, royaltyAbi, seaportAbi } from "./abi.ts";

/** Of one question: signatures of contract wallets are checked by their own code. */
const gas = toHex(10_000_000);

export interface Asking {
  readonly chain: Chain;
  readonly seaport: string;
  /** Of the block that is asked about; undefined: the latest. */
  readonly blockHash: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Throws CallReverted for what is no Seaport. */
export async function askConduits(asking: Asking): Promise<Conduits & { readonly version: string }> {
  const [version, , controller] = (await ask(asking, asking.seaport, seaportAbi, "information")) as [
    string,
    Hex,
    Address,
  ];
  const [hash] = (await ask(asking, controller, controllerAbi, "getConduitCodeHashes")) as [Hex, Hex];
  return { version, controller: controller.toLowerCase(), creationCodeHash: hash };
}

export interface OrderState {
  readonly orderHash: Hex;
  readonly counter: bigint;
  readonly isValidated: boolean;
  readonly isCancelled: boolean;
  /** A fraction of the order. */
  readonly filled: bigint;
  readonly size: bigint;
}

export async function askOrder(asking: Asking, { order, counter }: SignedOrder): Promise<OrderState> {
  const components = { ...onWire(order), counter };
  const [hash, now] = await Promise.all([
    ask(asking, asking.seaport, seaportAbi, "getOrderHash", [components]),
    ask(asking, asking.seaport, seaportAbi, "getCounter", [order.offerer]),
  ]);
  const [isValidated, isCancelled, filled, size] = (await ask(
    asking,
    asking.seaport,
    seaportAbi,
    "getOrderStatus",
    [hash],
  )) as [boolean, boolean, bigint, bigint];
  return {
    ...{ orderHash: (hash as Hex).toLowerCase() as Hex, counter: now as bigint },
    ...{ isValidated, isCancelled, filled, size },
  };
}

/**
 * Whether Seaport takes the signature: of an account, whole or compact, of many orders at once, or of a contract (ERC-1271). It is asked
 * to make the order valid for everybody, which it does only if it is, and which nobody sends.
 */
export async function askIsSigned(asking: Asking, { order, signature }: SignedOrder): Promise<boolean> {
  const parameters = onWire(order);
  try {
    return (await ask(asking, asking.seaport, seaportAbi, "validate", [
      [{ parameters, signature }],
    ])) as boolean;
  } catch (err) {
    if (err instanceof CallReverted) return false;
    throw err;
  }
}

/** Whether a conduit is there, and lets Seaport use it. */
export async function askIsOpen(
  asking: Asking,
  { controller }: Conduits,
  conduitKey: string,
): Promise<boolean> {
  const [conduit, exists] = (await ask(asking, controller, controllerAbi, "getConduit", [conduitKey])) as [
    Address,
    boolean,
  ];
  if (!exists) return false;
  return (await ask(asking, controller, controllerAbi, "getChannelStatus", [
    conduit,
    asking.seaport,
  ])) as boolean;
}

/** To whom a collection wants a share of each sale (ERC-2981); undefined where it says nothing. */
export async function askRoyaltyTo(
  asking: Asking,
  collection: string,
  tokenId: bigint,
): Promise<string | undefined> {
  try {
    const [receiver] = (await ask(asking, collection, royaltyAbi, "royaltyInfo", [tokenId, 10_000n])) as [
      Address,
      bigint,
    ];
    return receiver.toLowerCase();
  } catch {
    return undefined;
  }
}

async function ask(
  { chain, blockHash, signal }: Asking,
  to: string,
  abi: Abi,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const data = encodeFunctionData({ abi, functionName, args });
  const block = blockHash === undefined ? "latest" : { blockHash };
  const answer = (await chain.request("eth_call", [{ to, data, gas }, block], signal)) as Hex;
  try {
    return decodeFunctionResult({ abi, functionName, data: answer });
  } catch (err) {
    throw new CallReverted("0x", err);
  }
}

function onWire(order: SignedOrder["order"]): object {
  const named = <One extends { readonly identifier: bigint }>({ identifier, ...item }: One): object => ({
    ...item,
    identifierOrCriteria: identifier,
  });
  return { ...order, offer: order.offer.map(named), consideration: order.consideration.map(named) };
}

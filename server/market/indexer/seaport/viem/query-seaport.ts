/** Calls to Seaport and related contracts, all as of one block. */
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toHex,
} from "viem";
import { CallReverted, type Chain, unlessReverted } from "../../../../chain/rpc/chain.ts";
import type { Conduits } from "../conduits.ts";
import type { SignedOrder } from "../order.ts";

/** Gas limit of a call. Contract wallets check their signatures with code of their own. */
const maxGas = toHex(10_000_000);

export interface SeaportQuery {
  readonly chain: Chain;
  readonly seaport: string;
  /** Hash of the queried block. Undefined: the latest. */
  readonly blockHash: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Throws CallReverted if the contract is not a Seaport. */
export async function queryConduits(query: SeaportQuery): Promise<Conduits & { readonly version: string }> {
  const [version, , controller] = (await call(query, query.seaport, seaportAbi, "information")) as [
    string,
    Hex,
    Address,
  ];
  const [hash] = (await call(query, controller, controllerAbi, "getConduitCodeHashes")) as [Hex, Hex];
  return { version, controller: controller.toLowerCase(), creationCodeHash: hash };
}

export interface OrderState {
  readonly orderHash: Hex;
  readonly counter: bigint;
  readonly isValidated: boolean;
  readonly isCancelled: boolean;
  /** The filled fraction of the order is `filled / size`. */
  readonly filled: bigint;
  readonly size: bigint;
}

export async function queryOrderState(
  query: SeaportQuery,
  { order, counter }: SignedOrder,
): Promise<OrderState> {
  const components = { ...abiOrder(order), counter };
  const [hash, currentCounter] = await Promise.all([
    call(query, query.seaport, seaportAbi, "getOrderHash", [components]),
    call(query, query.seaport, seaportAbi, "getCounter", [order.offerer]),
  ]);
  const [isValidated, isCancelled, filled, size] = (await call(
    query,
    query.seaport,
    seaportAbi,
    "getOrderStatus",
    [hash],
  )) as [boolean, boolean, bigint, bigint];
  return {
    orderHash: (hash as Hex).toLowerCase() as Hex,
    counter: currentCounter as bigint,
    isValidated,
    isCancelled,
    filled,
    size,
  };
}

/**
 * Whether Seaport accepts the signature: that of an account (64 or 65 bytes), that of a contract (ERC-1271), or a bulk signature. Simulates
 * a call of `validate`, which succeeds only for valid signatures; the transaction is never sent.
 */
export async function isSignatureValid(
  query: SeaportQuery,
  { order, signature }: SignedOrder,
): Promise<boolean> {
  const parameters = abiOrder(order);
  const result = call(query, query.seaport, seaportAbi, "validate", [[{ parameters, signature }]]);
  return (await unlessReverted(result, false)) as boolean;
}

/** Whether a conduit exists and lets Seaport use it. */
export async function isConduitOpen(
  query: SeaportQuery,
  { controller }: Conduits,
  conduitKey: string,
): Promise<boolean> {
  const [conduit, exists] = (await call(query, controller, controllerAbi, "getConduit", [conduitKey])) as [
    Address,
    boolean,
  ];
  if (!exists) return false;
  return (await call(query, controller, controllerAbi, "getChannelStatus", [
    conduit,
    query.seaport,
  ])) as boolean;
}

/** Returns the receiver of a collection's royalties (ERC-2981), or undefined if the collection does not report one. */
export async function queryRoyaltyRecipient(
  query: SeaportQuery,
  collection: string,
  tokenId: bigint,
): Promise<string | undefined> {
  try {
    const [receiver] = (await call(query, collection, royaltyAbi, "royaltyInfo", [tokenId, 10_000n])) as [
      Address,
      bigint,
    ];
    return receiver.toLowerCase();
  } catch (err) {
    if (err instanceof CallReverted) return undefined;
    throw err;
  }
}

async function call(
  { chain, blockHash, signal }: SeaportQuery,
  to: string,
  abi: Abi,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const data = encodeFunctionData({ abi, functionName, args });
  const block = blockHash === undefined ? "latest" : { blockHash };
  const response = (await chain.request("eth_call", [{ to, data, gas: maxGas }, block], signal)) as Hex;
  try {
    return decodeFunctionResult({ abi, functionName, data: response });
  } catch (err) {
    throw new CallReverted("0x", err);
  }
}

function abiOrder(order: SignedOrder["order"]): object {
  const named = <Item extends { readonly identifier: bigint }>({ identifier, ...item }: Item): object => ({
    ...item,
    identifierOrCriteria: identifier,
  });
  return { ...order, offer: order.offer.map(named), consideration: order.consideration.map(named) };
}

const items = [
  "struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }",
  "struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address recipient; }",
] as const;

const seaportAbi: Abi = parseAbi([
  ...items,
  "struct OrderComponents { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 counter; }",
  "struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }",
  "struct Order { OrderParameters parameters; bytes signature; }",
  "function information() view returns (string version, bytes32 domainSeparator, address conduitController)",
  "function getCounter(address offerer) view returns (uint256 counter)",
  "function getOrderHash(OrderComponents order) view returns (bytes32 orderHash)",
  "function getOrderStatus(bytes32 orderHash) view returns (bool isValidated, bool isCancelled, uint256 totalFilled, uint256 totalSize)",
  "function validate(Order[] orders) returns (bool validated)",
]);

const controllerAbi: Abi = parseAbi([
  "function getConduitCodeHashes() view returns (bytes32 creationCodeHash, bytes32 runtimeCodeHash)",
  "function getConduit(bytes32 conduitKey) view returns (address conduit, bool exists)",
  "function getChannelStatus(address conduit, address channel) view returns (bool isOpen)",
]);

const royaltyAbi: Abi = parseAbi([
  "function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 royaltyAmount)",
]);

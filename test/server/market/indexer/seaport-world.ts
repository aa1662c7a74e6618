/** Seaport 1.6 on a local chain, and functions to sign orders. */
import { createRequire } from "node:module";
import { encodeFunctionData, type Hex, keccak256, toHex, zeroAddress, zeroHash } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { Artifact } from "../../../../server/chain/sandbox/artifact.ts";
import { accounts, type Contract, type MarketWorld } from "./market-world.ts";

const require = createRequire(import.meta.url);
const artifactOf = (name: string): Artifact => require(`../../../contracts/seaport/${name}.json`) as Artifact;

const mnemonic = "test test test test test test test test test test test junk";
const signers = accounts.map((_, addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }));

export const itemTypes = { native: 0, erc20: 1, erc721: 2, erc1155: 3, anyErc721: 4, anyErc1155: 5 } as const;

export interface OfferItem {
  readonly itemType: number;
  readonly token: Hex;
  readonly identifierOrCriteria: bigint;
  readonly startAmount: bigint;
  readonly endAmount: bigint;
}

export interface ConsiderationItem extends OfferItem {
  readonly recipient: Hex;
}

/** Field names of the contract, as in seaport-js. */
export interface Components {
  readonly offerer: Hex;
  readonly zone: Hex;
  readonly offer: readonly OfferItem[];
  readonly consideration: readonly ConsiderationItem[];
  readonly orderType: number;
  readonly startTime: bigint;
  readonly endTime: bigint;
  readonly zoneHash: Hex;
  readonly salt: bigint;
  readonly conduitKey: Hex;
  readonly counter: bigint;
}

export interface Signed {
  readonly parameters: Components;
  readonly signature: Hex;
}

export function item(
  itemType: number,
  token: Hex,
  { id = 0n, amount = 1n }: { readonly id?: bigint; readonly amount?: bigint } = {},
): OfferItem {
  return { itemType, token, identifierOrCriteria: id, startAmount: amount, endAmount: amount };
}

const itemFields = [
  { name: "itemType", type: "uint8" },
  { name: "token", type: "address" },
  { name: "identifierOrCriteria", type: "uint256" },
  { name: "startAmount", type: "uint256" },
  { name: "endAmount", type: "uint256" },
] as const;
const types = {
  OrderComponents: [
    { name: "offerer", type: "address" },
    { name: "zone", type: "address" },
    { name: "offer", type: "OfferItem[]" },
    { name: "consideration", type: "ConsiderationItem[]" },
    { name: "orderType", type: "uint8" },
    { name: "startTime", type: "uint256" },
    { name: "endTime", type: "uint256" },
    { name: "zoneHash", type: "bytes32" },
    { name: "salt", type: "uint256" },
    { name: "conduitKey", type: "bytes32" },
    { name: "counter", type: "uint256" },
  ],
  OfferItem: itemFields,
  ConsiderationItem: [...itemFields, { name: "recipient", type: "address" }],
} as const;

/** How much of an order is filled, and which tokens if the order leaves a choice. */
export interface Part {
  readonly numerator?: bigint;
  readonly denominator?: bigint;
  readonly tokenId?: bigint;
  readonly conduitKey?: Hex;
}

export interface Seaport {
  readonly contract: Contract;
  readonly controller: Contract;
  /** Key of a conduit of the first account, through which Seaport may move tokens. */
  readonly conduitKey: Hex;
  readonly conduit: Hex;
  /** Terms default to those of most orders: open, partly fillable, without expiry, moved by Seaport itself. */
  components(
    terms: Pick<Components, "offerer" | "offer" | "consideration"> & Partial<Components>,
  ): Promise<Components>;
  /** Default: for the local chain. */
  sign(parameters: Components, domain?: { readonly chainId: number }): Promise<Signed>;
  hashOf(parameters: Components): Promise<Hex>;
  /** An action of a buyer or seller; it waits to be mined. */
  fill(from: Hex, order: Signed, part?: Part): Promise<void>;
}

export async function deploySeaport(world: MarketWorld): Promise<Seaport> {
  const controller = await world.deploy(artifactOf("LocalConduitController"));
  const contract = await world.deploy(artifactOf("Seaport"), [controller.address]);
  const [owner = zeroAddress] = accounts;
  const conduitKey = `${owner}${"0".repeat(23)}1` as Hex;
  const { abi } = artifactOf("LocalConduitController");
  const data = encodeFunctionData({ abi, functionName: "createConduit", args: [conduitKey, owner] });
  await world.chain.request("eth_sendTransaction", {
    from: owner,
    to: controller.address,
    data,
    gas: "0x2dc6c0",
  });
  await world.chain.mine();
  const [conduit] = (await controller.read("getConduit", [conduitKey])) as [Hex, boolean];
  await controller.send(owner, "updateChannel", [conduit, contract.address, true]);
  await world.chain.mine();
  let salt = 0;
  return {
    contract,
    controller,
    conduitKey,
    conduit,
    async components(terms) {
      return {
        zone: zeroAddress,
        orderType: 1,
        startTime: 0n,
        endTime: 4_102_444_800n,
        zoneHash: zeroHash,
        salt: BigInt(keccak256(toHex(++salt))),
        conduitKey: zeroHash,
        // Seaport validates orders with the current counter.
        counter: (await contract.readPending("getCounter", [terms.offerer])) as bigint,
        ...terms,
      };
    },
    async sign(parameters, { chainId } = { chainId: 31_337 }) {
      const signer = signers[accounts.indexOf(parameters.offerer)];
      if (signer === undefined) throw new Error(`nobody has the key of ${parameters.offerer}`);
      const signature = await signer.signTypedData({
        domain: { name: "Seaport", version: "1.6", chainId, verifyingContract: contract.address },
        types,
        primaryType: "OrderComponents",
        message: parameters,
      });
      return { parameters, signature };
    },
    hashOf: async (parameters) => (await contract.read("getOrderHash", [parameters])) as Hex,
    async fill(from, { parameters, signature }, part = {}) {
      const { numerator = 1n, denominator = 1n, tokenId, conduitKey: fulfiller = zeroHash } = part;
      const order = {
        parameters: { ...parameters, totalOriginalConsiderationItems: parameters.consideration.length },
        numerator,
        denominator,
        signature,
        extraData: "0x",
      };
      const any = parameters.consideration.findIndex(({ itemType }) => itemType >= itemTypes.anyErc721);
      const resolvers =
        any === -1
          ? []
          : [{ orderIndex: 0, side: 1, index: any, identifier: tokenId ?? 1n, criteriaProof: [] }];
      const value = parameters.consideration
        .filter(({ itemType }) => itemType === itemTypes.native)
        .reduce((sum, { startAmount }) => sum + (startAmount * numerator) / denominator, 0n);
      await contract.send(from, "fulfillAdvancedOrder", [order, resolvers, fulfiller, zeroAddress], {
        value,
      });
    },
  };
}

/** The JSON text of a signed order, as it is exchanged. */
export function textOf({ parameters, signature }: Signed): string {
  const whole = { ...parameters, totalOriginalConsiderationItems: parameters.consideration.length };
  return JSON.stringify({ parameters: whole, signature }, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

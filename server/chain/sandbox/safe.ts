/** Deploys Safes: real multi-owner wallets that sign by ERC-1271. The code comes from Safe's package. */
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  zeroAddress,
} from "viem";
import { type Artifact, readArtifact } from "./artifact.ts";
import type { TransactionBatch } from "./transaction-batch.ts";

export interface SafeContracts {
  readonly singleton: Address;
  readonly factory: Address;
  readonly fallbackHandler: Address;
}

export interface SafePlan {
  readonly owners: readonly Address[];
  readonly threshold: number;
  /** Distinguishes Safes of the same owners. */
  readonly saltNonce: bigint;
}

/** A wallet that may not be deployed yet: its address, and the call that deploys it. */
export interface PlannedSafe {
  readonly address: Address;
  readonly factory: Address;
  readonly factoryData: Hex;
}

const builds = "@safe-global/safe-smart-account/build/artifacts/contracts";

export function deploySafeContracts(batch: TransactionBatch): SafeContracts {
  return {
    singleton: batch.deploy(safeArtifact("Safe.sol/Safe")),
    factory: batch.deploy(safeArtifact("proxies/SafeProxyFactory.sol/SafeProxyFactory")),
    fallbackHandler: batch.deploy(
      safeArtifact("handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler"),
    ),
  };
}

export function planSafe(
  { singleton, factory, fallbackHandler }: SafeContracts,
  { owners, threshold, saltNonce }: SafePlan,
): PlannedSafe {
  const initializer = encodeFunctionData({
    abi: safeArtifact("Safe.sol/Safe").abi,
    functionName: "setup",
    args: [owners, BigInt(threshold), zeroAddress, "0x", fallbackHandler, zeroAddress, 0n, zeroAddress],
  });
  const proxy = safeArtifact("proxies/SafeProxy.sol/SafeProxy");
  const address = getCreate2Address({
    from: factory,
    salt: keccak256(encodePacked(["bytes32", "uint256"], [keccak256(initializer), saltNonce])),
    bytecode: concat([proxy.bytecode, encodeAbiParameters([{ type: "address" }], [singleton])]),
  });
  const factoryData = encodeFunctionData({
    abi: safeArtifact("proxies/SafeProxyFactory.sol/SafeProxyFactory").abi,
    functionName: "createProxyWithNonce",
    args: [singleton, initializer, saltNonce],
  });
  return { address: address.toLowerCase() as Address, factory, factoryData };
}

export function deploySafe(batch: TransactionBatch, contracts: SafeContracts, plan: SafePlan): PlannedSafe {
  const planned = planSafe(contracts, plan);
  batch.add({ label: "a wallet", to: planned.factory, data: planned.factoryData });
  return planned;
}

/** `Safe.sol/Safe`. */
export function safeArtifact(path: string): Artifact {
  return readArtifact(`${builds}/${path}.json`);
}

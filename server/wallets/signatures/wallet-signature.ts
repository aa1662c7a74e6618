/** Signatures that only a wallet's contract can verify. */
import { type Chain, type Hex, unlessReverted } from "../../chain/rpc/chain.ts";
import type { WalletClaim } from "./viem/counterfactual.ts";

/**
 * Verifies in the order of ERC-6492: a signature with its suffix may be of a wallet that is not deployed yet; any other goes to
 * the deployed contract (ERC-1271). Returns a result whatever the contract does. Throws ChainFailure.
 * https://eips.ethereum.org/EIPS/eip-6492, https://eips.ethereum.org/EIPS/eip-1271
 */
export async function isWalletSignature(
  chain: Chain,
  claim: WalletClaim,
  signal?: AbortSignal,
): Promise<boolean> {
  if (claim.signature.endsWith(erc6492Suffix)) {
    const { validatorCode } = await import("./viem/counterfactual.ts");
    return (await unlessReverted(chain.call({ data: validatorCode(claim), signal }), "0x")) === "0x01";
  }
  if (BigInt(claim.wallet) < firstNonPrecompile) return false;
  const data = encodeIsValidSignature(claim);
  // `callMany` cuts results, because the contract decides how much it returns.
  const [result] = await chain.callMany({ calls: [{ to: claim.wallet, data }], signal });
  return result?.slice(0, validResult.length) === validResult;
}

const erc6492Suffix = "6492".repeat(16);

const selector = "1626ba7e";

/** Lower addresses are reserved for precompiled contracts. None is a wallet, and nodes report their failures in different ways. */
const firstNonPrecompile = 0x1_0000n;

/**
 * `isValidSignature` returns its own selector for a valid signature, as a word of 32 bytes. Anything after the first word is
 * ignored, as contracts on chain do.
 */
const validResult = `0x${selector}${"0".repeat(56)}`;

/** `isValidSignature(bytes32,bytes)`: the hash, the offset and length of the bytes, and the bytes padded to whole words. */
function encodeIsValidSignature({ hash, signature }: WalletClaim): Hex {
  const bytes = signature.slice(2);
  const words = Math.ceil(bytes.length / 64);
  return `0x${selector}${hash.slice(2)}${word(64)}${word(bytes.length / 2)}${bytes.padEnd(64 * words, "0")}`;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

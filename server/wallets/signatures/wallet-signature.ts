/** Signatures that only a wallet's contract can judge. */
import { CallReverted, type Chain, type Hex } from "../../chain/rpc/chain.ts";
import type { WalletClaim } from "./wallet-claim.ts";

/**
 * In the order of ERC-6492: a signature with its mark is one of a wallet that may not be deployed yet, and all others are asked of
 * the contract that is there (ERC-1271). Whatever a contract does, the answer is a verdict. Throws ChainFailure.
 * https://eips.ethereum.org/EIPS/eip-6492, https://eips.ethereum.org/EIPS/eip-1271
 */
export async function isWalletSignature(
  chain: Chain,
  claim: WalletClaim,
  signal?: AbortSignal,
): Promise<boolean> {
  if (claim.signature.endsWith(mark)) {
    const { validatorCode } = await import("./viem/counterfactual.ts");
    return (await verdict(chain.call({ data: validatorCode(claim), signal }))) === "0x01";
  }
  if (BigInt(claim.wallet) < firstAccount) return false;
  const data = encodeIsValidSignature(claim);
  // A contract decides how much it answers: the chain hands over a few kilobytes at most.
  const [answer] = await chain.callMany({ calls: [{ to: claim.wallet, data }], signal });
  return answer?.slice(0, yes.length) === yes;
}

/** Ends every signature of ERC-6492. */
const mark = "6492".repeat(16);

const selector = "1626ba7e";

/** Below are contracts that are built into chains: none is a wallet, and each node has its own words for what they will not take. */
const firstAccount = 0x1_0000n;

/** `isValidSignature` answers its own selector for yes, as a word of 32 bytes. What follows that word is read by nobody on a chain. */
const yes = `0x${selector}${"0".repeat(56)}`;

/** `isValidSignature(bytes32,bytes)`: the hash, where the bytes start, how many, and the bytes filled up to whole words. */
function encodeIsValidSignature({ hash, signature }: WalletClaim): Hex {
  const bytes = signature.slice(2);
  const words = Math.ceil(bytes.length / 64);
  return `0x${selector}${hash.slice(2)}${word(64)}${word(bytes.length / 2)}${bytes.padEnd(64 * words, "0")}`;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

/** What the contract answered, or nothing at all. */
async function verdict(call: Promise<Hex>): Promise<Hex> {
  try {
    return await call;
  } catch (err) {
    if (err instanceof CallReverted) return "0x";
    throw err;
  }
}

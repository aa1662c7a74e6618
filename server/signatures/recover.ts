import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

/**
 * The account that made a signature of 65 bytes over a digest of 32, as the chain's `ecrecover` finds it: `r ‖ s ‖ v` with v 27, 28,
 * 0 or 1, high s included. Lower case with 0x; undefined if it is no such signature.
 */
export function recoverAddress(digest: Uint8Array, signature: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
  const bytes = hexToBytes(signature.slice(2));
  const v = bytes[64] ?? 0;
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery > 1) return undefined;
  try {
    const parsed = secp256k1.Signature.fromCompact(bytes.subarray(0, 64)).addRecoveryBit(recovery);
    const key = parsed.recoverPublicKey(digest).toRawBytes(false);
    return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`;
  } catch {
    // r or s out of range, or no point of the curve: signed by nobody.
    return undefined;
  }
}

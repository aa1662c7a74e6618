import { type Keccak, loadKeccak } from "../../base/keccak.ts";

/**
 * The account that made a signature of 65 bytes over a digest of 32, as the chain's `ecrecover` finds it: `r ‖ s ‖ v` with v 27, 28,
 * 0 or 1, high s included. Lower case with 0x; undefined if it is no such signature.
 */
export type RecoverAddress = (digest: Uint8Array, signature: string) => string | undefined;

/** Public key, 65 bytes, from 64 bytes of signature and a recovery bit. Throws if there is none. */
export type RecoverKey = (compact: Uint8Array, recovery: number, digest: Uint8Array) => Uint8Array;

let loading: Promise<RecoverAddress> | undefined;

/** Loaded when first asked for: libsecp256k1, or where its binary cannot be loaded, JavaScript at a twentieth of its rate. */
export function loadRecoverAddress(): Promise<RecoverAddress> {
  loading ??= Promise.all([loadKeccak(), loadRecoverKey()]).then(([keccak, key]) => recoverWith(keccak, key));
  return loading;
}

/** The first of the ways that can be loaded here. */
export async function loadRecoverKey(
  ways: readonly (() => Promise<RecoverKey>)[] = [loadNative, loadPure],
): Promise<RecoverKey> {
  for (const load of ways.slice(0, -1)) {
    try {
      return await load();
    } catch {
      // An optional package: not installed, or without a binary for this machine.
    }
  }
  return (ways.at(-1) ?? loadPure)();
}

export async function loadNative(): Promise<RecoverKey> {
  // Not the package's main file, which falls back to a library that has known faults.
  const { default: native } = await import("secp256k1/bindings.js");
  return (compact, recovery, digest) => native.ecdsaRecover(compact, recovery, digest, false);
}

export async function loadPure(): Promise<RecoverKey> {
  const { secp256k1 } = await import("@noble/curves/secp256k1");
  return (compact, recovery, digest) => {
    const signature = secp256k1.Signature.fromCompact(compact).addRecoveryBit(recovery);
    return signature.recoverPublicKey(digest).toRawBytes(false);
  };
}

export function recoverWith(keccak: Keccak, recoverKey: RecoverKey): RecoverAddress {
  return (digest, signature) => {
    if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
    const bytes = Buffer.from(signature.slice(2), "hex");
    const v = bytes[64] ?? 0;
    const recovery = v >= 27 ? v - 27 : v;
    if (recovery > 1) return undefined;
    let key: Uint8Array;
    try {
      key = recoverKey(bytes.subarray(0, 64), recovery, digest);
    } catch {
      // r or s out of range, or no point of the curve: signed by nobody.
      return undefined;
    }
    return `0x${Buffer.from(keccak(key.subarray(1)).subarray(12)).toString("hex")}`;
  };
}

import { type Keccak, loadKeccak } from "../../base/keccak.ts";

/**
 * Recovers the account that signed a digest of 32 bytes, like the EVM's `ecrecover`. The signature is `r ‖ s ‖ v`, 65 bytes,
 * with v 27, 28, 0 or 1; a high s is accepted. Returns lower case hex with 0x, or undefined if the signature is invalid.
 */
export type RecoverAddress = (digest: Uint8Array, signature: string) => string | undefined;

/** Recovers a public key of 65 bytes from a signature of 64 bytes and a recovery bit. Returns null or throws if there is none. */
export type RecoverKey = (compact: Uint8Array, recovery: 0 | 1, digest: Uint8Array) => Uint8Array | null;

let loading: Promise<RecoverAddress> | undefined;

export function loadRecoverAddress(): Promise<RecoverAddress> {
  loading ??= Promise.all([loadKeccak(), loadRecoverKey()]).then(([keccak, key]) => recoverWith(keccak, key));
  return loading;
}

/** Loads libsecp256k1 as a native binary, or, where there is none, as WebAssembly at a quarter of the speed. */
export async function loadRecoverKey(native: () => Promise<RecoverKey> = loadNative): Promise<RecoverKey> {
  try {
    return await native();
  } catch {
    // The optional package is not installed, or has no binary for this machine.
    return loadWasm();
  }
}

export async function loadNative(): Promise<RecoverKey> {
  // Not the package's main file, which falls back to a library with known bugs.
  const { default: native } = await import("secp256k1/bindings.js");
  return (compact, recovery, digest) => native.ecdsaRecover(compact, recovery, digest, false);
}

export async function loadWasm(): Promise<RecoverKey> {
  const { recover } = await import("tiny-secp256k1");
  return (compact, recovery, digest) => recover(digest, compact, recovery, false);
}

export function recoverWith(keccak: Keccak, recoverKey: RecoverKey): RecoverAddress {
  return (digest, signature) => {
    if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
    const bytes = Buffer.from(signature.slice(2), "hex");
    const v = bytes[64] ?? 0;
    const recovery = v >= 27 ? v - 27 : v;
    if (recovery !== 0 && recovery !== 1) return undefined;
    let key: Uint8Array | null;
    try {
      key = recoverKey(bytes.subarray(0, 64), recovery, digest);
    } catch {
      // r or s is out of range, or there is no such point on the curve.
      return undefined;
    }
    if (key === null) return undefined;
    return `0x${Buffer.from(keccak(key.subarray(1)).subarray(12)).toString("hex")}`;
  };
}

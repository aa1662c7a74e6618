import { readSigningKeys, type SigningKeys } from "../../server/base/credentials/signing-key.ts";

/** Base64 of 32 equal bytes. */
export function signingKeyText(byte: number): string {
  return Buffer.alloc(32, byte).toString("base64");
}

/** The keys of a host with SIGNING_KEY and SIGNING_KEY_FALLBACKS of these bytes. */
export function signingKeysOf(byte: number, ...fallbacks: readonly number[]): SigningKeys {
  return readSigningKeys({
    signingAlgorithm: "HS256",
    signingKey: signingKeyText(byte),
    signingKeyFallbacks: fallbacks.map(signingKeyText),
    dataDir: "/nowhere",
  });
}

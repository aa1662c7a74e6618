import { hash } from "node:crypto";
import { readSecretKey, type SecretKeyClaims, type SecretKeyReading, skewSeconds } from "./secret-key.ts";
import type { SigningKey } from "./signing-key.ts";

/** Tokens whose signature was found good lately, at most; the oldest go first. */
const maxTokens = 10_000;

/** Checks each token's signature once: a hash of the token finds its claims again. Only their expiry changes with time. */
export function verifiedTokens(signingKey: SigningKey): (token: string) => Promise<SecretKeyReading> {
  const known = new Map<string, { readonly claims: SecretKeyClaims }>();
  return async (token) => {
    const digest = hash("sha256", token, "base64");
    const earlier = known.get(digest);
    if (earlier !== undefined) return isExpired(earlier.claims.expiresAt) ? { fault: "expired" } : earlier;
    const reading = await readSecretKey(signingKey, token);
    if ("claims" in reading) {
      known.set(digest, reading);
      const [oldest] = known.keys();
      if (known.size > maxTokens && oldest !== undefined) known.delete(oldest);
    }
    return reading;
  };
}

function isExpired(expiresAt: number | undefined): boolean {
  return expiresAt !== undefined && Date.now() / 1000 >= expiresAt + skewSeconds;
}

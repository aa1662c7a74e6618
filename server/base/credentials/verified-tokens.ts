import { hash } from "node:crypto";
import { readSecretKey, type SecretKeyClaims, type SecretKeyReading, skewSeconds } from "./secret-key.ts";
import type { SigningKey } from "./signing-key.ts";

/** Most verified tokens in the cache; the oldest are evicted first. */
const maxTokens = 10_000;

/** Verifies each token's signature once, and caches its claims by a hash of the token. The expiry is checked every time. */
export function createTokenVerifier(signingKey: SigningKey): (token: string) => Promise<SecretKeyReading> {
  const verified = new Map<string, { readonly claims: SecretKeyClaims }>();
  return async (token) => {
    const digest = hash("sha256", token, "base64");
    const cached = verified.get(digest);
    if (cached !== undefined) return isExpired(cached.claims.expiresAt) ? { fault: "expired" } : cached;
    const reading = await readSecretKey(signingKey, token);
    if ("claims" in reading) {
      verified.set(digest, reading);
      const [oldest] = verified.keys();
      if (verified.size > maxTokens && oldest !== undefined) verified.delete(oldest);
    }
    return reading;
  };
}

function isExpired(expiresAt: number | undefined): boolean {
  return expiresAt !== undefined && Date.now() / 1000 >= expiresAt + skewSeconds;
}

import { hash } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { listen } from "../storage/listen.ts";
import { type Attempt, authorize, type Verdict } from "./authorize.ts";
import { cacheCredentials } from "./credential-cache.ts";
import { databaseLookups } from "./credential-lookups.ts";
import { readSecretKey, type SecretKeyClaims, type SecretKeyReading, skewSeconds } from "./secret-key.ts";
import type { SigningKey } from "./signing-key.ts";

export interface Credentials extends AsyncDisposable {
  /** Throws DatabaseFault if a query was needed and the database did not respond. */
  authorize(attempt: Attempt): Promise<Verdict>;
}

export interface CredentialsOptions {
  readonly signingKey: SigningKey;
  /** False behind a pooler in transaction mode: then nothing is cached, and each call queries the database. */
  readonly canListen: boolean;
}

/**
 * Caches credentials between calls, and invalidates them when the database reports a change, within milliseconds on all replicas.
 * A replica whose connection is broken queries the database for each call. A replica whose connection went silent notices within
 * four seconds.
 */
export function openCredentials(
  database: Database,
  { signingKey, canListen }: CredentialsOptions,
): Credentials {
  const cache = cacheCredentials(databaseLookups(database), () => listener?.isLive === true);
  const listener = canListen
    ? listen({
        connection: database.connection,
        channel: "credential_change",
        onMessage: (projectId) => cache.invalidateProject(Number(projectId)),
        onGap: () => cache.invalidateAll(),
      })
    : undefined;
  const dependencies = { lookups: cache, readSecretKey: createTokenVerifier(signingKey) };
  return {
    authorize: (attempt) => authorize(attempt, dependencies),
    [Symbol.asyncDispose]: async () => listener?.[Symbol.asyncDispose](),
  };
}

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

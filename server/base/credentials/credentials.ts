import type { Database } from "../storage/database.ts";
import { listen } from "../storage/listen.ts";
import { type Attempt, authorize, type Verdict } from "./authorize.ts";
import { cacheCredentials } from "./credential-cache.ts";
import { databaseLookups } from "./credential-lookups.ts";
import type { SigningKey } from "./signing-key.ts";
import { verifiedTokens } from "./verified-tokens.ts";

/** Who may call. */
export interface Credentials extends AsyncDisposable {
  /** Throws DatabaseFault if the database had to be asked and does not answer. */
  authorize(attempt: Attempt): Promise<Verdict>;
}

export interface CredentialsOptions {
  readonly signingKey: SigningKey;
  /** False behind a pooler in transaction mode: then nothing is remembered, and each call asks the database. */
  readonly canListen: boolean;
}

/**
 * Credentials that are remembered between calls, and forgotten as soon as the database tells of a change: within milliseconds on
 * all replicas. A replica whose connection broke asks the database on each call; one whose connection went silent notices within
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
  const ports = { lookups: cache, readSecretKey: verifiedTokens(signingKey) };
  return {
    authorize: (attempt) => authorize(attempt, ports),
    [Symbol.asyncDispose]: async () => listener?.[Symbol.asyncDispose](),
  };
}

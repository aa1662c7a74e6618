import type { Database } from "../storage/database.ts";
import { listen } from "../storage/listen.ts";
import { type Attempt, authorize, type Verdict } from "./authorize.ts";
import { databaseLookUps } from "./look-ups.ts";
import { remember } from "./memory.ts";
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
  const memory = remember(databaseLookUps(database), () => listener?.isLive === true);
  const listener = canListen
    ? listen({
        connection: database.connection,
        channel: "credential_change",
        onMessage: (projectId) => memory.forget(Number(projectId)),
        onGap: () => memory.forgetAll(),
      })
    : undefined;
  const ports = { lookUps: memory, readSecretKey: verifiedTokens(signingKey) };
  return {
    authorize: (attempt) => authorize(attempt, ports),
    [Symbol.asyncDispose]: async () => listener?.[Symbol.asyncDispose](),
  };
}

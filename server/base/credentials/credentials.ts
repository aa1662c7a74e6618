import { hash } from "node:crypto";
import { type Database, hostReads, type Queries } from "../storage/database.ts";
import { listen } from "../storage/listen.ts";
import { readAccessKey } from "./access-key.ts";
import { readSecretKey, type SecretKeyClaims, type SecretKeyReading, skewSeconds } from "./secret-key.ts";
import type { SigningKeys } from "./signing-key.ts";

export interface Credentials extends AsyncDisposable {
  /** Throws DatabaseFault if a query was needed and the database did not respond. */
  authorize(attempt: Attempt): Promise<Verdict>;
}

interface CredentialsOptions {
  readonly signingKeys: SigningKeys;
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
  { signingKeys, canListen }: CredentialsOptions,
): Credentials {
  const cache = cacheCredentials(databaseLookups(hostReads(database)), () => listener?.isLive === true);
  const listener = canListen
    ? listen({
        connection: database.connection,
        channel: "credential_change",
        onMessage: (projectId) => cache.invalidateProject(Number(projectId)),
        onGap: () => cache.invalidateAll(),
      })
    : undefined;
  const dependencies = { lookups: cache, readSecretKey: createTokenVerifier(signingKeys) };
  return {
    authorize: (attempt) => authorize(attempt, dependencies),
    [Symbol.asyncDispose]: async () => listener?.[Symbol.asyncDispose](),
  };
}

/** Most verified tokens in the cache; the oldest are evicted first. */
const maxTokens = 10_000;

/** Verifies each token's signature once, and caches its claims by a hash of the token. The expiry is checked every time. */
export function createTokenVerifier(signingKeys: SigningKeys): (token: string) => Promise<SecretKeyReading> {
  const verified = new Map<string, { readonly claims: SecretKeyClaims }>();
  return async (token) => {
    const digest = hash("sha256", token, "base64");
    const cached = verified.get(digest);
    if (cached !== undefined) return isExpired(cached.claims.expiresAt) ? { fault: "expired" } : cached;
    const reading = await readSecretKey(signingKeys, token);
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

/* Caches keys. When a key is disabled or revoked, the database notifies all replicas, which stop accepting it within milliseconds. */

export interface CredentialCache extends CredentialLookups {
  /** Credentials of this project have changed. */
  invalidateProject(projectId: number): void;
  /** Any credentials may have changed. */
  invalidateAll(): void;
}

/** Most rows in each cache; the oldest are evicted first. About 10 MB. */
const maxRows = 20_000;

/** How long a row is trusted, in milliseconds, in case a change notification is lost. */
const maxAgeMs = 30_000;

/**
 * Caches credentials, so that calls need no round trip to the database. Uses the cache only while `isNotified` returns true, that
 * is, while changes are reported. Does not cache missing rows.
 */
export function cacheCredentials(lookups: CredentialLookups, isNotified: () => boolean): CredentialCache {
  const accessKeys = new Map<string, CachedRow<AccessKeyRow>>();
  const secretKeys = new Map<string, CachedRow<SecretKeyRow>>();
  /** Counts changes. A row that was requested before a change may be older than the change. */
  let changes = 0;

  async function find<Row extends { readonly projectId: number }>(
    cache: Map<string, CachedRow<Row>>,
    key: string,
    load: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const isTrusted = isNotified();
    const known = isTrusted ? cache.get(key) : undefined;
    if (known !== undefined && performance.now() < known.until) return known.row;
    const before = changes;
    const row = await load();
    if (row !== undefined && isTrusted && changes === before) {
      cache.delete(key);
      cache.set(key, { row, until: performance.now() + maxAgeMs });
      if (cache.size > maxRows) dropOldest(cache);
    }
    return row;
  }

  return {
    accessKey: (hash) => find(accessKeys, hash.toString("latin1"), () => lookups.accessKey(hash)),
    secretKey: (id) => find(secretKeys, id, () => lookups.secretKey(id)),
    invalidateProject(projectId) {
      changes++;
      for (const cache of [accessKeys, secretKeys])
        for (const [key, { row }] of cache) if (row.projectId === projectId) cache.delete(key);
    },
    invalidateAll() {
      changes++;
      accessKeys.clear();
      secretKeys.clear();
    },
  };
}

interface CachedRow<Row> {
  readonly row: Row;
  readonly until: number;
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

export interface AccessKeyRow {
  readonly projectId: number;
  /** First characters of the key, as `platform keys list` shows them. */
  readonly prefix: string;
  readonly isDisabled: boolean;
  readonly isProjectDisabled: boolean;
  /** Milliseconds since 1970. Null: never. */
  readonly expiresAt: number | null;
  /** Empty: all services. */
  readonly services: readonly string[];
  /** Empty: any page, and calls without a page. */
  readonly origins: readonly string[];
}

export interface SecretKeyRow {
  readonly projectId: number;
  readonly account: string;
  readonly access: "READ" | "WRITE";
  readonly isRevoked: boolean;
  readonly isAccountDisabled: boolean;
  /** Milliseconds since 1970. Null: never, apart from the expiry in the key itself. */
  readonly expiresAt: number | null;
  /** Origins of pages that may send the project's secret keys. */
  readonly origins: readonly string[];
}

interface CredentialLookups {
  accessKey(hash: Buffer): Promise<AccessKeyRow | undefined>;
  secretKey(id: string): Promise<SecretKeyRow | undefined>;
}

export function databaseLookups(database: Queries): CredentialLookups {
  return {
    async accessKey(hash) {
      const [row] = await database.query<AccessKeyRow & { projectId: string }>(findAccessKeySql, [hash]);
      return row === undefined ? undefined : { ...row, projectId: Number(row.projectId) };
    },
    async secretKey(id) {
      const [row] = await database.query<SecretKeyRow & { projectId: string }>(findSecretKeySql, [id]);
      return row === undefined ? undefined : { ...row, projectId: Number(row.projectId) };
    },
  };
}

function milliseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}

/** Whether a row allows calls. Its expiry is checked each time, because rows are cached. */
export function isValid(row: AccessKeyRow | SecretKeyRow): boolean {
  return faultOf(row) === undefined;
}

function faultOf(row: AccessKeyRow | SecretKeyRow): Rejection | undefined {
  const hasExpired = row.expiresAt !== null && row.expiresAt <= Date.now();
  if ("isRevoked" in row) {
    if (row.isRevoked) return unauthorized("the secret key was revoked");
    if (row.isAccountDisabled) return unauthorized("the service account is disabled");
    return hasExpired ? { kind: "SessionExpired", cause: "the secret key has expired" } : undefined;
  }
  if (row.isProjectDisabled) return unauthorized("the project is disabled");
  if (row.isDisabled) return unauthorized("the access key is disabled");
  return hasExpired ? unauthorized("the access key has expired") : undefined;
}

const findAccessKeySql = {
  name: "access-key-by-hash",
  text: `select project_id as "projectId", prefix, key.disabled_at is not null as "isDisabled",
                project.disabled_at is not null as "isProjectDisabled", ${milliseconds("key.expires_at")} as "expiresAt", services, origins
         from access_key key join project on project.id = project_id where hash = $1`,
};

const findSecretKeySql = {
  name: "secret-key-by-id",
  text: `select account.project_id as "projectId", account.address as account, account.access,
                key.revoked_at is not null as "isRevoked", account.disabled_at is not null as "isAccountDisabled",
                ${milliseconds("key.expires_at")} as "expiresAt",
                array(select origin from project_origin where project_id = account.project_id) as origins
         from secret_key key join service_account account on account.address = key.account
         where key.id = $1`,
};

export interface Attempt {
  readonly service: string;
  readonly method: string;
  readonly needsSecretKey: boolean;
  readonly accessKey: string | undefined;
  readonly authorization: string | undefined;
  /** Sent by browsers only. */
  readonly origin: string | undefined;
  /** Whether an origin belongs to the host or was allowed by its operator. */
  readonly isOwnOrigin: (origin: string) => boolean;
}

export interface Caller {
  readonly projectId: number;
  /** The prefix of the access key. */
  readonly keyPrefix: string;
  /** The service account of the secret key; undefined without a secret key. */
  readonly account: { readonly address: string; readonly access: "READ" | "WRITE" } | undefined;
}

type RejectionKind = "Unauthorized" | "PermissionDenied" | "SessionExpired";

interface Rejection {
  readonly kind: RejectionKind;
  /** For the caller: what is missing. Never describes the expected secret. */
  readonly cause: string;
}

type Verdict =
  | { readonly caller: Caller; readonly rejection?: undefined }
  /** The caller is undefined if the access key is unknown, and has no account if the secret key is unknown. */
  | { readonly caller: Caller | undefined; readonly rejection: Rejection };

interface AuthorizeDependencies {
  readonly lookups: CredentialLookups;
  readonly readSecretKey: (token: string) => Promise<SecretKeyReading>;
}

/** Checks the credentials of a call: the access key, then the secret key if one was sent, then the needs of the method. */
export async function authorize(attempt: Attempt, dependencies: AuthorizeDependencies): Promise<Verdict> {
  const key = await findAccessKey(attempt.accessKey, dependencies.lookups);
  if ("kind" in key) return { caller: undefined, rejection: key };
  const caller: Caller = { projectId: key.projectId, keyPrefix: key.prefix, account: undefined };
  const fault = faultOf(key) ?? misuseOf(key, attempt);
  if (fault !== undefined) return { caller, rejection: fault };
  if (attempt.authorization === undefined) {
    const cause = "this method also needs a secret key: Authorization: BEARER <secret key>";
    return attempt.needsSecretKey ? { caller, rejection: denied(cause) } : { caller };
  }
  const secret = await findSecretKey(attempt.authorization, dependencies);
  if ("kind" in secret) return { caller, rejection: secret };
  if (secret.projectId !== caller.projectId)
    return { caller, rejection: faultOf(secret) ?? denied("the two keys belong to different projects") };
  const { account: address, access } = secret;
  const ofAccount: Caller = { ...caller, account: { address, access } };
  const secretFault = faultOf(secret) ?? misuseOfSecretKey(secret, attempt);
  return secretFault === undefined ? { caller: ofAccount } : { caller: ofAccount, rejection: secretFault };
}

/** Whether a web page may send a key: its origin is one of those to which the key is restricted. */
function isAllowedOrigin(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin);
}

async function findAccessKey(
  text: string | undefined,
  lookups: CredentialLookups,
): Promise<AccessKeyRow | Rejection> {
  if (text === undefined || text === "")
    return unauthorized("the header X-Access-Key with the project's access key is missing");
  const hash = readAccessKey(text);
  const key = hash === undefined ? undefined : await lookups.accessKey(hash);
  if (key === undefined)
    return unauthorized("unknown access key: it is mistyped, or belongs to another host");
  return key;
}

function misuseOf({ services, origins }: AccessKeyRow, { service, origin }: Attempt): Rejection | undefined {
  if (services.length > 0 && !services.includes(service))
    return denied(`the access key is not valid for the service ${service}`);
  if (origins.length > 0 && (origin === undefined || !isAllowedOrigin(origin, origins)))
    return denied("the access key is restricted to other web pages");
  return undefined;
}

async function findSecretKey(
  authorization: string,
  { lookups, readSecretKey }: AuthorizeDependencies,
): Promise<SecretKeyRow | Rejection> {
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined)
    return unauthorized("the header Authorization must have the form BEARER <secret key>");
  const reading = await readSecretKey(token);
  if ("fault" in reading)
    return reading.fault === "expired"
      ? { kind: "SessionExpired", cause: "the secret key has expired" }
      : unauthorized("unknown secret key: it is mistyped, or belongs to another host");
  const { projectId, account, id } = reading.claims;
  const row = await lookups.secretKey(id);
  if (row === undefined) return unauthorized("the secret key was revoked");
  // Signed by this host, but different from the stored record: the account was changed, or the signing key has leaked.
  if (row.account !== account || row.projectId !== projectId)
    return unauthorized("unknown secret key: it is mistyped, or belongs to another host");
  return row;
}

function misuseOfSecretKey(
  { origins, access }: SecretKeyRow,
  { origin, isOwnOrigin, needsSecretKey, method }: Attempt,
): Rejection | undefined {
  if (origin !== undefined && !isOwnOrigin(origin) && !isAllowedOrigin(origin, origins))
    return denied(`secret keys are not accepted from the page ${origin}`);
  if (needsSecretKey && access === "READ" && !method.startsWith("Get"))
    return denied("this account may only read");
  return undefined;
}

function unauthorized(cause: string): Rejection {
  return { kind: "Unauthorized", cause };
}

function denied(cause: string): Rejection {
  return { kind: "PermissionDenied", cause };
}

import { readAccessKey } from "./access-key.ts";
import type { AccessKeyRow, CredentialLookups, SecretKeyRow } from "./credential-lookups.ts";
import type { SecretKeyReading } from "./secret-key.ts";

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
  /** The service account of the secret key; undefined without a secret key. */
  readonly account: { readonly address: string; readonly access: "READ" | "WRITE" } | undefined;
}

export type RejectionKind = "Unauthorized" | "PermissionDenied" | "SessionExpired";

export interface Rejection {
  readonly kind: RejectionKind;
  /** For the caller: what is missing. Never describes the expected secret. */
  readonly cause: string;
}

export type Verdict =
  | { readonly caller: Caller; readonly rejection?: undefined }
  | { readonly rejection: Rejection };

export interface AuthorizeDependencies {
  readonly lookups: CredentialLookups;
  readonly readSecretKey: (token: string) => Promise<SecretKeyReading>;
}

/** Checks the credentials of a call: the access key, then the secret key if one was sent, then the needs of the method. */
export async function authorize(attempt: Attempt, dependencies: AuthorizeDependencies): Promise<Verdict> {
  const key = await findAccessKey(attempt.accessKey, dependencies.lookups);
  if ("kind" in key) return { rejection: key };
  const misuse = misuseOf(key, attempt);
  if (misuse !== undefined) return { rejection: misuse };
  if (attempt.authorization === undefined) {
    return attempt.needsSecretKey
      ? denied("this method also needs a secret key: Authorization: BEARER <secret key>")
      : { caller: { projectId: key.projectId, account: undefined } };
  }
  const secret = await findSecretKey(attempt.authorization, dependencies);
  if ("kind" in secret) return { rejection: secret };
  if (secret.projectId !== key.projectId) return denied("the two keys belong to different projects");
  const { origin } = attempt;
  if (origin !== undefined && !attempt.isOwnOrigin(origin) && !isAllowedOrigin(origin, secret.origins))
    return denied(`secret keys are not accepted from the page ${origin}`);
  if (attempt.needsSecretKey && secret.access === "READ" && !attempt.method.startsWith("Get"))
    return denied("this account may only read");
  const { account: address, access } = secret;
  return { caller: { projectId: key.projectId, account: { address, access } } };
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
  return key.isDisabled ? unauthorized("the access key is disabled") : key;
}

function misuseOf({ services, origins }: AccessKeyRow, { service, origin }: Attempt): Rejection | undefined {
  if (services.length > 0 && !services.includes(service))
    return { kind: "PermissionDenied", cause: `the access key is not valid for the service ${service}` };
  if (origins.length > 0 && (origin === undefined || !isAllowedOrigin(origin, origins)))
    return { kind: "PermissionDenied", cause: "the access key is restricted to other web pages" };
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
  if (row === undefined || row.isRevoked) return unauthorized("the secret key was revoked");
  // Signed by this host, but different from the stored record: the account was changed, or the signing key has leaked.
  if (row.account !== account || row.projectId !== projectId)
    return unauthorized("unknown secret key: it is mistyped, or belongs to another host");
  return row;
}

function unauthorized(cause: string): Rejection {
  return { kind: "Unauthorized", cause };
}

function denied(cause: string): Verdict {
  return { rejection: { kind: "PermissionDenied", cause } };
}

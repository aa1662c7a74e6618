import { readAccessKey } from "./access-key.ts";
import type { AccessKeyRow, CredentialLookups, SecretKeyRow } from "./credential-lookups.ts";
import type { SecretKeyReading } from "./secret-key.ts";

/** What a call brings, and what it wants. */
export interface Attempt {
  readonly service: string;
  readonly method: string;
  readonly needsSecretKey: boolean;
  readonly accessKey: string | undefined;
  /** The header Authorization. */
  readonly authorization: string | undefined;
  /** Sent by browsers only. */
  readonly origin: string | undefined;
  /** Whether the host itself or its operator answers for the page. */
  readonly isOwnOrigin: (origin: string) => boolean;
}

/** Who is calling. */
export interface Caller {
  readonly projectId: number;
  /** The holder of a secret key of the project; undefined without one. */
  readonly account: { readonly address: string; readonly access: "READ" | "WRITE" } | undefined;
}

export type RejectionKind = "Unauthorized" | "PermissionDenied" | "SessionExpired";

export interface Rejection {
  readonly kind: RejectionKind;
  /** For the caller: what is missing, never what a secret should have been. */
  readonly cause: string;
}

export type Verdict =
  | { readonly caller: Caller; readonly rejection?: undefined }
  | { readonly rejection: Rejection };

export interface AuthorizePorts {
  readonly lookups: CredentialLookups;
  readonly readSecretKey: (token: string) => Promise<SecretKeyReading>;
}

/** Judges the credentials of a call: first the access key, then the secret key if one was sent, then what the method needs. */
export async function authorize(attempt: Attempt, ports: AuthorizePorts): Promise<Verdict> {
  const key = await findAccessKey(attempt.accessKey, ports.lookups);
  if ("kind" in key) return { rejection: key };
  const misuse = misuseOf(key, attempt);
  if (misuse !== undefined) return { rejection: misuse };
  if (attempt.authorization === undefined) {
    return attempt.needsSecretKey
      ? denied("this method needs a secret key too: Authorization: BEARER <secret key>")
      : { caller: { projectId: key.projectId, account: undefined } };
  }
  const secret = await findSecretKey(attempt.authorization, ports);
  if ("kind" in secret) return { rejection: secret };
  if (secret.projectId !== key.projectId) return denied("the two keys belong to different projects");
  const { origin } = attempt;
  if (origin !== undefined && !attempt.isOwnOrigin(origin) && !secret.origins.includes(origin))
    return denied(`secret keys are not taken from the page ${origin}`);
  if (attempt.needsSecretKey && secret.access === "READ" && !attempt.method.startsWith("Get"))
    return denied("this account may only read");
  const { account: address, access } = secret;
  return { caller: { projectId: key.projectId, account: { address, access } } };
}

async function findAccessKey(
  text: string | undefined,
  lookups: CredentialLookups,
): Promise<AccessKeyRow | Rejection> {
  if (text === undefined || text === "")
    return unauthorized("the header X-Access-Key is missing: it has the key of a project");
  const hash = readAccessKey(text);
  const key = hash === undefined ? undefined : await lookups.accessKey(hash);
  if (key === undefined)
    return unauthorized("the access key is none of this host: it is mistyped, or another host's");
  return key.isDisabled ? unauthorized("the access key is disabled") : key;
}

/** A key that is bound to services or pages is good for those only. */
function misuseOf({ services, origins }: AccessKeyRow, { service, origin }: Attempt): Rejection | undefined {
  if (services.length > 0 && !services.includes(service))
    return { kind: "PermissionDenied", cause: `the access key is not for the service ${service}` };
  if (origins.length > 0 && (origin === undefined || !origins.includes(origin)))
    return { kind: "PermissionDenied", cause: "the access key is bound to other pages" };
  return undefined;
}

async function findSecretKey(
  authorization: string,
  { lookups, readSecretKey }: AuthorizePorts,
): Promise<SecretKeyRow | Rejection> {
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) return unauthorized("the header Authorization is not BEARER <secret key>");
  const reading = await readSecretKey(token);
  if ("fault" in reading)
    return reading.fault === "expired"
      ? { kind: "SessionExpired", cause: "the secret key has expired" }
      : unauthorized("the secret key is none of this host: it is mistyped, or another host's");
  const { projectId, account, id } = reading.claims;
  const row = await lookups.secretKey(id);
  if (row === undefined || row.isRevoked) return unauthorized("the secret key was revoked");
  // Signed by us, and yet not what was given out: the account moved, or the signing key is in other hands.
  if (row.account !== account || row.projectId !== projectId)
    return unauthorized("the secret key is none of this host: it is mistyped, or another host's");
  return row;
}

function unauthorized(cause: string): Rejection {
  return { kind: "Unauthorized", cause };
}

function denied(cause: string): Verdict {
  return { rejection: { kind: "PermissionDenied", cause } };
}

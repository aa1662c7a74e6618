import type { SigningKey, SigningKeys } from "./signing-key.ts";

/** The claims of a secret key, which is a JWT of a service account. */
export interface SecretKeyClaims {
  readonly projectId: number;
  readonly account: string;
  /** The key's own id, a UUID. */
  readonly id: string;
  /** Seconds since 1970; undefined: never. */
  readonly expiresAt: number | undefined;
}

/** Signs a token with the claims project, account, iat, jti, and exp if it expires. */
export async function signSecretKey(
  { id: kid, algorithm, sign }: SigningKey,
  { projectId, account, id, expiresAt }: SecretKeyClaims,
): Promise<string> {
  const { SignJWT } = await import("jose");
  const token = new SignJWT({ project: projectId, account })
    .setProtectedHeader({ alg: algorithm, typ: "JWT", kid })
    .setJti(id)
    .setIssuedAt();
  if (expiresAt !== undefined) token.setExpirationTime(expiresAt);
  return token.sign(sign);
}

/** Tolerated difference between clocks, in seconds. */
export const skewSeconds = 120;

export type SecretKeyReading =
  | { readonly claims: SecretKeyClaims }
  | { readonly fault: "expired" }
  /** `why` is for the log. */
  | { readonly fault: "unreadable"; readonly why: string };

/**
 * Checks the signature and the form of the claims. The database knows whether the key was revoked. Tries all signing keys, because
 * a token must not choose the key that verifies it.
 */
export async function readSecretKey(keys: SigningKeys, token: string): Promise<SecretKeyReading> {
  if (!token.split(".").every(isCanonical)) return { fault: "unreadable", why: "not canonical base64url" };
  let reading: SecretKeyReading = { fault: "unreadable", why: "no signing key" };
  for (const key of keys) {
    reading = await readSignedWith(key, token);
    if (!("fault" in reading) || reading.fault === "expired") return reading;
  }
  return reading;
}

async function readSignedWith({ algorithm, verify }: SigningKey, token: string): Promise<SecretKeyReading> {
  // Imported with the first secret key: most calls send none.
  const { errors, jwtVerify } = await import("jose");
  try {
    const { payload } = await jwtVerify(token, verify, {
      algorithms: [algorithm],
      clockTolerance: skewSeconds,
      requiredClaims: ["project", "account", "iat", "jti"],
    });
    const { project, account, jti, exp, iat } = payload;
    if (typeof project !== "number" || !Number.isSafeInteger(project) || typeof account !== "string")
      return { fault: "unreadable", why: "a claim has the wrong form" };
    if (jti === undefined || !uuid.test(jti)) return { fault: "unreadable", why: "jti is not a UUID" };
    if ((iat ?? 0) > Date.now() / 1000 + skewSeconds)
      return { fault: "unreadable", why: "issued in the future" };
    return { claims: { projectId: project, account, id: jti, expiresAt: exp } };
  } catch (err) {
    if (err instanceof errors.JWTExpired) return { fault: "expired" };
    if (err instanceof errors.JOSEError) return { fault: "unreadable", why: err.message };
    throw err;
  }
}

/**
 * jose also accepts padding, other alphabets, and other bits after the last byte. A key has one text only, so that a log and a list of
 * revoked texts find it.
 */
function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

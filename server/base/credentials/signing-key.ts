import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SigningAlgorithm } from "../config/config.ts";
import { StartFault } from "../start-fault.ts";

/** Signs and verifies secret keys. The algorithm comes from the configuration, never from the token. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  readonly sign: KeyObject;
  readonly verify: KeyObject;
}

export interface SigningOptions {
  readonly signingAlgorithm: SigningAlgorithm;
  /** Undefined: created once, and stored in the data folder. */
  readonly signingKey: string | undefined;
  readonly dataDir: string;
}

export function readSigningKey({ signingAlgorithm, signingKey, dataDir }: SigningOptions): SigningKey {
  if (signingAlgorithm === "HS256" && signingKey === undefined) return storedKey(dataDir);
  const read = readConfigured(signingAlgorithm, signingKey);
  if (typeof read === "string") throw new StartFault(read);
  return read;
}

/** Returns what is wrong with the configured key, if anything. Never quotes the key. */
export function faultOfSigningKey({
  signingAlgorithm,
  signingKey,
}: Omit<SigningOptions, "dataDir">): string | undefined {
  if (signingAlgorithm === "HS256" && signingKey === undefined) return undefined;
  const read = readConfigured(signingAlgorithm, signingKey);
  return typeof read === "string" ? read : undefined;
}

export function keyFileWarning({
  signingAlgorithm,
  signingKey,
  dataDir,
}: SigningOptions): string | undefined {
  // Windows has no file modes.
  if (signingAlgorithm !== "HS256" || signingKey !== undefined || process.platform === "win32")
    return undefined;
  const path = keyPath(dataDir);
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  return `${path} has mode ${mode.toString(8).padStart(4, "0")}, so other users can access the key; run: chmod 600 ${path}`;
}

function keyPath(dataDir: string): string {
  return join(dataDir, "signing-key");
}

function readConfigured(algorithm: SigningAlgorithm, key: string | undefined): SigningKey | string {
  if (algorithm === "HS256")
    return (
      readSecret(key ?? "") ??
      `SIGNING_KEY: expected base64 of at least ${secretMinBytes} bytes; create a key with: openssl rand -base64 32`
    );
  return key === undefined
    ? `SIGNING_KEY: ${algorithm} requires a private key as PKCS #8 PEM; ${recipes[algorithm]}`
    : (readPrivateKey(key, algorithm) ??
        `SIGNING_KEY: not a private key for ${algorithm}; ${recipes[algorithm]}`);
}

function readSecret(text: string): SigningKey | undefined {
  const secret = Buffer.from(text, "base64");
  if (secret.length < secretMinBytes) return undefined;
  const key = createSecretKey(secret);
  return { algorithm: "HS256", sign: key, verify: key };
}

/** The hash length of HS256 (RFC 7518, section 3.2). */
const secretMinBytes = 32;

const recipes = {
  ES256: "create one with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
  EdDSA: "create one with: openssl genpkey -algorithm ED25519",
} as const;

function readPrivateKey(pem: string, algorithm: "ES256" | "EdDSA"): SigningKey | undefined {
  try {
    // In environment variables, line breaks are often written as a backslash and an n.
    const sign = createPrivateKey(pem.replaceAll("\\n", "\n"));
    const isMatching =
      algorithm === "EdDSA"
        ? sign.asymmetricKeyType === "ed25519"
        : sign.asymmetricKeyType === "ec" && sign.asymmetricKeyDetails?.namedCurve === "prime256v1";
    return isMatching ? { algorithm, sign, verify: createPublicKey(sign) } : undefined;
  } catch {
    return undefined;
  }
}

/** Created once: another key would invalidate all secret keys. */
function storedKey(dataDir: string): SigningKey {
  const path = keyPath(dataDir);
  const key = readSecret(storedText(path));
  if (key === undefined)
    throw new StartFault(
      `${path} is damaged: restore it from a backup, or delete it and create all secret keys again`,
    );
  return key;
}

function storedText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== "ENOENT") throw err;
  }
  writeOnce(path, randomBytes(secretMinBytes).toString("base64"));
  return readFileSync(path, "utf8");
}

/** Creates the file atomically, readable by its owner only. Never overwrites an existing file. */
function writeOnce(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  try {
    linkSync(unfinished, path);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
  } finally {
    rmSync(unfinished);
  }
}

import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SigningAlgorithm } from "../config/config.ts";
import { StartFault } from "../start-fault.ts";

/** Signs secret keys and checks them. The algorithm is ours to say, never the token's. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  readonly sign: KeyObject;
  readonly verify: KeyObject;
}

export interface SigningOptions {
  readonly signingAlgorithm: SigningAlgorithm;
  /** Undefined: one that is made once and kept in the data folder. */
  readonly signingKey: string | undefined;
  readonly dataDir: string;
}

/** The configured key, or the one of this machine. */
export function readSigningKey({ signingAlgorithm, signingKey, dataDir }: SigningOptions): SigningKey {
  if (signingAlgorithm === "HS256" && signingKey === undefined) return storedKey(dataDir);
  const read = readConfigured(signingAlgorithm, signingKey);
  if (typeof read === "string") throw new StartFault(read);
  return read;
}

/** What is wrong with the configured key, if anything is; nothing of the key is told. */
export function faultOfSigningKey({
  signingAlgorithm,
  signingKey,
}: Omit<SigningOptions, "dataDir">): string | undefined {
  if (signingAlgorithm === "HS256" && signingKey === undefined) return undefined;
  const read = readConfigured(signingAlgorithm, signingKey);
  return typeof read === "string" ? read : undefined;
}

/** What an operator should change about the file of the kept key, if anything: other users of the machine must not read it. */
export function keyFileWarning({
  signingAlgorithm,
  signingKey,
  dataDir,
}: SigningOptions): string | undefined {
  // Windows has no such modes.
  if (signingAlgorithm !== "HS256" || signingKey !== undefined || process.platform === "win32")
    return undefined;
  const path = keyPath(dataDir);
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  return `${path} has mode ${mode.toString(8).padStart(4, "0")}, and other users can reach the key; run: chmod 600 ${path}`;
}

function keyPath(dataDir: string): string {
  return join(dataDir, "signing-key");
}

function readConfigured(algorithm: SigningAlgorithm, key: string | undefined): SigningKey | string {
  if (algorithm === "HS256")
    return (
      readSecret(key ?? "") ??
      `SIGNING_KEY: base64 of ${secretMinBytes} bytes or more is needed; make one with: openssl rand -base64 32`
    );
  return key === undefined
    ? `SIGNING_KEY: ${algorithm} needs a private key as PKCS #8 PEM; ${recipes[algorithm]}`
    : (readPrivateKey(key, algorithm) ??
        `SIGNING_KEY: this is no private key for ${algorithm}; ${recipes[algorithm]}`);
}

function readSecret(text: string): SigningKey | undefined {
  const secret = Buffer.from(text, "base64");
  if (secret.length < secretMinBytes) return undefined;
  const key = createSecretKey(secret);
  return { algorithm: "HS256", sign: key, verify: key };
}

/** As long as the hash of HS256 (RFC 7518, section 3.2). */
const secretMinBytes = 32;

const recipes = {
  ES256: "make one with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
  EdDSA: "make one with: openssl genpkey -algorithm ED25519",
} as const;

function readPrivateKey(pem: string, algorithm: "ES256" | "EdDSA"): SigningKey | undefined {
  try {
    // In a variable of the environment the line breaks are often spelt out.
    const sign = createPrivateKey(pem.replaceAll("\\n", "\n"));
    const isRight =
      algorithm === "EdDSA"
        ? sign.asymmetricKeyType === "ed25519"
        : sign.asymmetricKeyType === "ec" && sign.asymmetricKeyDetails?.namedCurve === "prime256v1";
    return isRight ? { algorithm, sign, verify: createPublicKey(sign) } : undefined;
  } catch {
    return undefined;
  }
}

/** Made once: with another key all secret keys that were given out are worthless. */
function storedKey(dataDir: string): SigningKey {
  const path = keyPath(dataDir);
  const key = readSecret(storedText(path));
  if (key === undefined)
    throw new StartFault(
      `${path} is no signing key any more: put it back from a copy, or remove it and make all secret keys anew`,
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

/** Appears whole or not at all, readable by its owner alone; an existing file stays as it is. */
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

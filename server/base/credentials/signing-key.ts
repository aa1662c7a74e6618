import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SigningAlgorithm } from "../config/config.ts";
import { StartFault } from "../start-fault.ts";

/** Signs and verifies secret keys. The algorithm comes from the configuration, never from the token. */
export interface SigningKey {
  /** 16 hex digits of a hash of the algorithm and the key. */
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly sign: KeyObject;
  readonly verify: KeyObject;
}

/** The first key signs and encrypts. All of them verify and decrypt. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

export interface SigningOptions {
  readonly signingAlgorithm: SigningAlgorithm;
  /** Undefined: created once, and stored in the data folder. */
  readonly signingKey: string | undefined;
  readonly signingKeyFallbacks: readonly string[];
  readonly dataDir: string;
}

export function readSigningKeys(options: SigningOptions): SigningKeys {
  const { signingAlgorithm: algorithm, signingKey, signingKeyFallbacks, dataDir } = options;
  const first = isStored(options) ? storedKey(dataDir) : orThrow(readConfigured(algorithm, signingKey));
  return [first, ...signingKeyFallbacks.map((text, index) => orThrow(readFallback(text, index)))];
}

/** Returns what is wrong with the configured keys. Never quotes a key. */
export function faultsOfSigningKeys(options: Omit<SigningOptions, "dataDir">): readonly string[] {
  const { signingAlgorithm, signingKey, signingKeyFallbacks } = options;
  const first = isStored(options) ? [] : [readConfigured(signingAlgorithm, signingKey)];
  return [...first, ...signingKeyFallbacks.map(readFallback)].filter((read) => typeof read === "string");
}

function isStored({ signingAlgorithm, signingKey }: Omit<SigningOptions, "dataDir">): boolean {
  return signingAlgorithm === "HS256" && signingKey === undefined;
}

function orThrow(read: SigningKey | string): SigningKey {
  if (typeof read === "string") throw new StartFault(read);
  return read;
}

export function keyFileWarning({
  signingAlgorithm,
  signingKey,
  dataDir,
}: Omit<SigningOptions, "signingKeyFallbacks">): string | undefined {
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
  if (algorithm === "HS256" && key?.startsWith(pemStart))
    return "SIGNING_KEY: a private key in PEM; set SIGNING_ALGORITHM to ES256 or EdDSA";
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

/** A fallback may have another algorithm than SIGNING_KEY, so that a rotation can change the algorithm. */
function readFallback(text: string, index: number): SigningKey | string {
  return (
    (text.startsWith(pemStart)
      ? (readPrivateKey(text, "ES256") ?? readPrivateKey(text, "EdDSA"))
      : readSecret(text)) ??
    `SIGNING_KEY_FALLBACKS: key ${index + 1} is neither base64 of at least ${secretMinBytes} bytes nor a private key for ES256 or EdDSA`
  );
}

const pemStart = "-----BEGIN";

/** Node skips what is not base64, so that a placeholder would be a key. */
function readSecret(text: string): SigningKey | undefined {
  const digits = text
    .trim()
    .replace(/={1,2}$/, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const secret = Buffer.from(digits, "base64");
  const isCanonical = secret.toString("base64").replace(/=+$/, "") === digits;
  if (!isCanonical || secret.length < secretMinBytes) return undefined;
  const key = createSecretKey(secret);
  return identified({ algorithm: "HS256", sign: key, verify: key });
}

function identified(key: Omit<SigningKey, "id">): SigningKey {
  const { algorithm, verify } = key;
  const bytes = verify.type === "secret" ? verify.export() : verify.export({ type: "spki", format: "der" });
  return { ...key, id: createHash("sha256").update(algorithm).update(bytes).digest("hex").slice(0, 16) };
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
    return isMatching ? identified({ algorithm, sign, verify: createPublicKey(sign) }) : undefined;
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

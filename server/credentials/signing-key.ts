import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  if (signingAlgorithm === "HS256") {
    const secret = Buffer.from(signingKey ?? keptSecret(dataDir), "base64");
    if (secret.length < secretMinBytes)
      throw new StartFault(
        `SIGNING_KEY: base64 of ${secretMinBytes} bytes or more is needed; make one with: openssl rand -base64 32`,
      );
    const key = createSecretKey(secret);
    return { algorithm: "HS256", sign: key, verify: key };
  }
  if (signingKey === undefined)
    throw new StartFault(
      `SIGNING_KEY: ${signingAlgorithm} needs a private key as PKCS #8 PEM; ${recipes[signingAlgorithm]}`,
    );
  return readPrivateKey(signingKey, signingAlgorithm);
}

/** As long as the hash of HS256 (RFC 7518, section 3.2). */
const secretMinBytes = 32;

const recipes = {
  ES256: "make one with: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
  EdDSA: "make one with: openssl genpkey -algorithm ED25519",
} as const;

function readPrivateKey(pem: string, algorithm: "ES256" | "EdDSA"): SigningKey {
  try {
    // In a variable of the environment the line breaks are often spelt out.
    const sign = createPrivateKey(pem.replaceAll("\\n", "\n"));
    const isRight =
      algorithm === "EdDSA"
        ? sign.asymmetricKeyType === "ed25519"
        : sign.asymmetricKeyType === "ec" && sign.asymmetricKeyDetails?.namedCurve === "prime256v1";
    if (isRight) return { algorithm, sign, verify: createPublicKey(sign) };
  } catch {
    // What is wrong with it is told below, without a word of what was read.
  }
  throw new StartFault(`SIGNING_KEY: this is no private key for ${algorithm}; ${recipes[algorithm]}`);
}

/** Made once: with another key all secret keys that were given out are worthless. */
function keptSecret(dataDir: string): string {
  const path = join(dataDir, "signing-key");
  try {
    return readFileSync(path, "utf8");
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== "ENOENT")
      throw new StartFault(`${path} cannot be read: ${err}`);
  }
  writeOnce(path, randomBytes(secretMinBytes).toString("base64"), dataDir);
  return readFileSync(path, "utf8");
}

/** Appears whole or not at all, readable by its owner alone; an existing file stays as it is. */
function writeOnce(path: string, text: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
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

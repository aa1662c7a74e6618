import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/**
 * Encrypts listeners' secrets, which are `whsec_` and the base64 of 32 random bytes, as Standard Webhooks requires. The
 * database stores them encrypted, so that a copy of the database cannot be used to sign.
 */
export interface SecretBox {
  seal(secret: string, listenerId: number): Buffer;
  /** Returns undefined if the secret was encrypted with another key. */
  open(sealed: Buffer, listenerId: number): string | undefined;
}

const secretBytes = 32;

export function generateSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

/**
 * AES-256-GCM with a random nonce of 96 bits (NIST SP 800-38D, section 8.2.2). The listener's id is authenticated, so that a
 * secret cannot be moved to another listener.
 */
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The key is derived from the key that signs secret keys, so that the operator manages a single secret. */
export function createSecretBox(signingKey: KeyObject): SecretBox {
  const material =
    signingKey.type === "secret" ? signingKey.export() : signingKey.export({ type: "pkcs8", format: "der" });
  const key = Buffer.from(hkdfSync("sha256", material, "", "platform webhook secrets", 32));
  return {
    seal(secret, listenerId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(listenerContext(listenerId));
      return Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, listenerId) {
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
      decipher.setAAD(listenerContext(listenerId)).setAuthTag(sealed.subarray(-tagBytes));
      try {
        const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

function listenerContext(listenerId: number): Buffer {
  return Buffer.from(`listener ${listenerId}`);
}

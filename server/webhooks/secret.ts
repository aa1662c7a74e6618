import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/**
 * Secrets of listeners: `whsec_` and the base64 of 32 random bytes, as Standard Webhooks writes them. In the database they stand
 * encrypted, so that whoever reads a copy of it can sign nothing.
 */
export interface SecretBox {
  seal(secret: string, listenerId: number): Buffer;
  /** Undefined: it was sealed with another signing key. */
  open(sealed: Buffer, listenerId: number): string | undefined;
}

const secretBytes = 32;

export function makeSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

/** AES-256-GCM with a nonce of 96 random bits (NIST SP 800-38D, section 8.2.2); bound to its listener. */
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The key is derived from the one that signs secret keys: whoever runs the host keeps one secret, not two. */
export function createSecretBox(signingKey: KeyObject): SecretBox {
  const material =
    signingKey.type === "secret" ? signingKey.export() : signingKey.export({ type: "pkcs8", format: "der" });
  const key = Buffer.from(hkdfSync("sha256", material, "", "platform webhook secrets", 32));
  return {
    seal(secret, listenerId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(listenerId));
      return Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, listenerId) {
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
      decipher.setAAD(boundTo(listenerId)).setAuthTag(sealed.subarray(-tagBytes));
      try {
        const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

function boundTo(listenerId: number): Buffer {
  return Buffer.from(`listener ${listenerId}`);
}

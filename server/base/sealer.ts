import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/** Encrypts texts for the database, so that a copy of the database does not reveal them. */
export interface Sealer {
  /** The context names the row. It is authenticated, so that a text cannot be moved to another row. */
  seal(text: string, context: string): Buffer;
  /** Returns undefined if the text was encrypted with another key, or for another context. */
  open(sealed: Buffer, context: string): string | undefined;
}

/** AES-256-GCM with a random nonce of 96 bits (NIST SP 800-38D, section 8.2.2). */
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The key is derived from the key that signs secret keys, so that the operator manages a single secret. */
export function createSealer(signingKey: KeyObject, purpose: string): Sealer {
  const material =
    signingKey.type === "secret" ? signingKey.export() : signingKey.export({ type: "pkcs8", format: "der" });
  const key = Buffer.from(hkdfSync("sha256", material, "", purpose, 32));
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes));
      try {
        const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

import { randomBytes } from "node:crypto";
import { createSealer, type SealingKeys, unknownKeyId } from "../base/sealer.ts";

/**
 * Encrypts listeners' secrets, which are `whsec_` and the base64 of 32 random bytes, as Standard Webhooks requires. The
 * database stores them encrypted, so that a copy of the database cannot be used to sign.
 */
export interface SecretBox {
  /** Ids of the signing keys with which it can decrypt. */
  readonly keyIds: readonly string[];
  seal(secret: string, listenerId: number): Buffer;
  /** Returns undefined if the secret was encrypted with another key. */
  open(sealed: Buffer, listenerId: number): string | undefined;
}

const secretBytes = 32;

export function generateSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

export function createSecretBox(signingKeys: SealingKeys): SecretBox {
  const { seal, open } = createSealer(signingKeys, "platform webhook secrets");
  return {
    keyIds: [unknownKeyId, ...signingKeys.map(({ id }) => id)],
    seal: (secret, listenerId) => seal(secret, `listener ${listenerId}`),
    open: (sealed, listenerId) => open(sealed, `listener ${listenerId}`),
  };
}

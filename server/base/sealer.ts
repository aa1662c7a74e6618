import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/** Encrypts texts for the database, so that a copy of the database does not reveal them. */
export interface Sealer {
  /** The context names the row. It is authenticated, so that a text cannot be moved to another row. */
  seal(text: string, context: string): Buffer;
  /** Returns undefined if the text was encrypted with another key, or for another context. */
  open(sealed: Buffer, context: string): string | undefined;
}

export interface SealingKey {
  /** 16 hex digits. */
  readonly id: string;
  readonly sign: KeyObject;
}

/** The first key encrypts. All of them decrypt. */
export type SealingKeys = readonly [SealingKey, ...SealingKey[]];

/** A sealed text starts with this mark and the id of its key. Texts without the mark are from before keys had ids. */
const mark = Buffer.from("key1");
const idBytes = 8;
const headBytes = mark.length + idBytes;

/** Of sealed texts without an id. */
export const unknownKeyId: string = "00".repeat(idBytes);

/** SQL for the id of the key with which a column was encrypted. */
export function sealedWith(column: string): string {
  return `case when substr(${column}, 1, ${mark.length}) = '${mark}'
    then encode(substr(${column}, ${mark.length + 1}, ${idBytes}), 'hex')
    when ${column} is not null then '${unknownKeyId}' end`;
}

/** AES-256-GCM with a random nonce of 96 bits (NIST SP 800-38D, section 8.2.2). */
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The keys are derived from those that sign secret keys, so that the operator manages a single secret. */
export function createSealer(signingKeys: SealingKeys, purpose: string): Sealer {
  const keys = signingKeys.map(({ id, sign }) => ({
    id: Buffer.from(id, "hex"),
    key: deriveKey(sign, purpose),
  }));
  const [newest] = keys;
  if (newest === undefined) throw new Error("a sealer needs a key");
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, newest.key, nonce).setAAD(Buffer.from(context));
      const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat([mark, newest.id, ...parts]);
    },
    open(sealed, context) {
      if (!sealed.subarray(0, mark.length).equals(mark))
        return firstDefined(keys, ({ key }) => decrypt(key, sealed, context));
      const sealedBy = keys.find(({ id }) => id.equals(sealed.subarray(mark.length, headBytes)));
      return sealedBy && decrypt(sealedBy.key, sealed.subarray(headBytes), context);
    },
  };
}

function firstDefined<Item, Result>(
  items: readonly Item[],
  resultOf: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const result = resultOf(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

function deriveKey(signingKey: KeyObject, purpose: string): Buffer {
  const material =
    signingKey.type === "secret" ? signingKey.export() : signingKey.export({ type: "pkcs8", format: "der" });
  return Buffer.from(hkdfSync("sha256", material, "", purpose, 32));
}

function decrypt(key: Buffer, sealed: Buffer, context: string): string | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes));
    const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

import { hash, randomBytes } from "node:crypto";

/** A new access key, which is shown once, and the values that are stored. */
export interface NewAccessKey {
  readonly key: string;
  readonly hash: Buffer;
  /** The first characters, which tell the keys of a project apart. */
  readonly prefix: string;
}

const version = 1;
const idBytes = 8;
/** 136 random bits cannot be guessed, so a plain SHA-256 of the key is safe to store. */
const randomLength = 17;
const keyBytes = 1 + idBytes + randomLength;

/** Version and project id take 12 characters. Four more leave 112 bits unknown. */
const prefixLength = 16;

/**
 * Creates a key: base64url of the version byte 1, the project id in eight bytes, big endian, and 17 random bytes. 35 characters.
 */
export function generateAccessKey(projectId: number): NewAccessKey {
  const bytes = Buffer.alloc(keyBytes);
  bytes[0] = version;
  bytes.writeBigUInt64BE(BigInt(projectId), 1);
  randomBytes(randomLength).copy(bytes, 1 + idBytes);
  const key = bytes.toString("base64url");
  return { key, hash: hashOf(key), prefix: key.slice(0, prefixLength) };
}

/** Returns the hash by which a key is looked up; undefined if the text is not an access key and needs no lookup. */
export function readAccessKey(text: string): Buffer | undefined {
  if (!/^AQ[A-Za-z0-9_-]{33}$/.test(text)) return undefined;
  return hashOf(text);
}

function hashOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

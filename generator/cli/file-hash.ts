import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { algorithmOf, isHashOf } from "../write/manifest.ts";

/** As much as the cache of a processor core holds: a file that is read whole is fetched from memory twice. */
const chunkBytes = 131_072;

let chunk: Buffer | undefined;

/** Whether a file is the one that a hash was made of; undefined: it cannot be read. */
export function isFileOf(path: string, hash: string): boolean | undefined {
  try {
    const found = digestOfFile(path, algorithmOf(hash));
    // A file with a carriage return in it may have the line ends of Windows.
    return found === undefined ? isHashOf(readFileSync(path), hash) : found === hash;
  } catch {
    return undefined;
  }
}

/** Undefined for a file with a carriage return. */
function digestOfFile(path: string, algorithm: string): string | undefined {
  chunk ??= Buffer.allocUnsafeSlow(chunkBytes);
  const descriptor = openSync(path, "r");
  try {
    const hash = createHash(algorithm);
    for (;;) {
      const part = chunk.subarray(0, readSync(descriptor, chunk, 0, chunkBytes, null));
      if (part.length === 0) return hash.digest("hex");
      if (part.includes(13)) return undefined;
      hash.update(part);
    }
  } finally {
    closeSync(descriptor);
  }
}

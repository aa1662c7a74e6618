import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { checksumText, isHashOf, legacyAlgorithmOf } from "../../../codegen/write/manifest.ts";

/** As much as the cache of a processor core holds: a file that is read whole is fetched from memory twice. */
const chunkBytes = 131_072;

let chunk: Buffer | undefined;

/** Whether a file is the one that a hash was made of; undefined: it cannot be read. */
export function fileMatchesHash(path: string, hash: string): boolean | undefined {
  try {
    const found = legacyAlgorithmOf(hash) === undefined ? checksumUnlessCrlf(path) : undefined;
    // A file with a carriage return in it may have the line ends of Windows.
    return found === undefined ? isHashOf(readFileSync(path), hash) : found === hash;
  } catch {
    return undefined;
  }
}

/** Undefined for a file with a carriage return. */
function checksumUnlessCrlf(path: string): string | undefined {
  chunk ??= Buffer.allocUnsafeSlow(chunkBytes);
  const descriptor = openSync(path, "r");
  try {
    for (let crc = 0, length = 0; ; ) {
      const part = chunk.subarray(0, readSync(descriptor, chunk, 0, chunkBytes, null));
      if (part.length === 0) return checksumText(crc, length);
      if (part.includes(13)) return undefined;
      crc = crc32(part, crc);
      length += part.length;
    }
  } finally {
    closeSync(descriptor);
  }
}

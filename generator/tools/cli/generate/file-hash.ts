import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { checksumText, isHashOf } from "../../../codegen/write/manifest.ts";

/** Fits into the cache of a processor core, so that the checksum does not fetch the file from memory again. */
const chunkBytes = 131_072;

let chunk: Buffer | undefined;

/** Whether a file has this hash. Undefined if it cannot be read. */
export function fileMatchesHash(path: string, hash: string): boolean | undefined {
  try {
    const found = checksumUnlessCrlf(path);
    // Git may have converted the line ends to those of Windows; `isHashOf` allows for that.
    return found === undefined ? isHashOf(readFileSync(path), hash) : found === hash;
  } catch {
    return undefined;
  }
}

/** Returns undefined if the file contains a carriage return. */
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

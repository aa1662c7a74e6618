import { readFileSync, type Stats, statSync } from "node:fs";
import { hashOf } from "../../../codegen/write/manifest.ts";

/** A file that was changed so shortly before it was read may change again without looking changed: milliseconds. FAT counts in twos. */
const youngMs = 2_000;

interface KnownFile {
  readonly looks: string;
  readonly bytes: Uint8Array;
}

/** Files as they were read, for a process that reads the same ones many times: one that looks as it did is not read again. */
export class FileMemory {
  readonly #files = new Map<string, KnownFile>();
  readonly #texts = new WeakMap<Uint8Array, string>();
  readonly #hashes = new WeakMap<Uint8Array, string>();
  readonly #made = new Map<string, { readonly text: string; readonly hash: string }>();

  /** Throws what reading throws. `path` is absolute. The bytes may not be changed. */
  read(path: string): Uint8Array {
    const stats = statSync(path);
    const looks = looksOf(stats);
    const known = this.#files.get(path);
    if (known?.looks === looks) return known.bytes;
    const readAt = Date.now();
    const bytes = readFileSync(path);
    if (readAt - Math.max(stats.mtimeMs, stats.ctimeMs) > youngMs) this.#files.set(path, { looks, bytes });
    else this.#files.delete(path);
    return bytes;
  }

  readText(path: string): string {
    const bytes = this.read(path);
    const known = this.#texts.get(bytes);
    if (known !== undefined) return known;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    this.#texts.set(bytes, text);
    return text;
  }

  /** Of a file that was read from here. */
  hashOf(bytes: Uint8Array): string {
    const hash = this.#hashes.get(bytes) ?? hashOf(bytes);
    this.#hashes.set(bytes, hash);
    return hash;
  }

  /** Of a text that is to stand at a path. */
  hashOfText(path: string, text: string): string {
    const known = this.#made.get(path);
    if (known?.text === text) return known.hash;
    const hash = hashOf(text);
    this.#made.set(path, { text, hash });
    return hash;
  }
}

function looksOf({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

import type { Patch } from "../retouch/retouch.ts";
import { hashOf, type Manifest } from "../write/manifest.ts";
import type { OutputFolder } from "./output-folder.ts";

/** Files of a folder as they were written, and what some of them are to be instead. */
export class Standing {
  readonly #folder: OutputFolder;
  readonly #hashes: Manifest["files"];
  /** Those that were read, by path. */
  readonly #contents = new Map<string, Uint8Array>();

  constructor(folder: OutputFolder, { files }: Manifest) {
    this.#folder = folder;
    this.#hashes = files;
  }

  /** Undefined for a file that is not as it was written. */
  content(path: string): Uint8Array | undefined {
    const known = this.#contents.get(path);
    if (known !== undefined) return known;
    const content = this.#folder.plainFile(path);
    if (content === undefined || hashOf(content) !== this.#hashes[path]) return undefined;
    this.#contents.set(path, content);
    return content;
  }

  /** Puts one text in the place of another, which must stand in one of the files just once. */
  patch({ at, before, now }: Patch): boolean {
    if (before === now) return true;
    const old = Buffer.from(before);
    for (const path of this.#pathsAt(at)) {
      const content = this.content(path);
      if (content === undefined) return false;
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      const place = bytes.indexOf(old);
      if (place === -1) continue;
      if (bytes.indexOf(old, place + 1) !== -1) return false;
      const parts = [bytes.subarray(0, place), Buffer.from(now), bytes.subarray(place + old.length)];
      this.#contents.set(path, Buffer.concat(parts));
      return true;
    }
    return false;
  }

  /** Gives a file that stands another text. */
  write(path: string, text: string): boolean {
    if (this.content(path) === undefined) return false;
    this.#contents.set(path, Buffer.from(text));
    return true;
  }

  /** Whether the files that nobody looked into are as they were written. */
  isAsWritten(): boolean {
    return Object.entries(this.#hashes).every(
      ([path, hash]) => this.#contents.has(path) || this.#folder.isFileOf(path, hash) === true,
    );
  }

  /** The files that are others now. */
  changed(): readonly { readonly path: string; readonly text: Uint8Array; readonly hash: string }[] {
    const all = [...this.#contents].map(([path, text]) => ({ path, text, hash: hashOf(text) }));
    return all.filter(({ path, hash }) => hash !== this.#hashes[path]);
  }

  #pathsAt(at: readonly string[]): readonly string[] {
    const found = at.flatMap((path) =>
      path.endsWith("/") ? Object.keys(this.#hashes).filter((file) => file.startsWith(path)) : [path],
    );
    return [...new Set(found)].filter((path) => this.#hashes[path] !== undefined);
  }
}

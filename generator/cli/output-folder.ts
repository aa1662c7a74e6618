import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Change } from "../write/diff.ts";
import { manifestName } from "../write/manifest.ts";
import { systemReason } from "./reader.ts";

/** Why a folder could not be written, and where. */
export interface WriteFault {
  readonly path: string;
  readonly reason: string;
}

/** One folder of generated files on disk. `root` is absolute. */
export class OutputFolder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The content of a file; undefined if there is none that can be read. */
  read(path: string): Uint8Array | undefined {
    try {
      return readFileSync(join(this.#root, path));
    } catch {
      return undefined;
    }
  }

  readText(path: string): string | undefined {
    const content = this.read(path);
    return content === undefined ? undefined : Buffer.from(content).toString("utf8");
  }

  /**
   * Carries changes out: everything new is written beside its place first and moved there only when all of it is on disk, so that a
   * full disk or a folder without permission leaves the old files as they were. The manifest comes last.
   */
  apply(changes: readonly Change[], manifest: string): WriteFault | undefined {
    const wanted = changes.filter((change) => change.kind === "add" || change.kind === "change");
    const texts = [...wanted, { path: manifestName, text: manifest }];
    const written: string[] = [];
    let at = "";
    try {
      for (const { path, text } of texts) {
        at = path;
        mkdirSync(dirname(join(this.#root, path)), { recursive: true });
        written.push(path);
        writeFileSync(this.#temporary(path), text);
      }
      for (const { path } of texts) {
        at = path;
        renameSync(this.#temporary(path), join(this.#root, path));
        written.shift();
      }
      for (const change of changes) if (change.kind === "delete") this.#delete(change.path);
      return undefined;
    } catch (err) {
      for (const path of written) rmSync(this.#temporary(path), { force: true });
      return { path: join(this.#root, at), reason: systemReason(err) };
    }
  }

  #temporary(path: string): string {
    return join(this.#root, `${path}.${process.pid}.ridlkit-tmp`);
  }

  /** The file, and the folders that it leaves empty. */
  #delete(path: string): void {
    rmSync(join(this.#root, path), { force: true });
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.#root, folder));
      } catch {
        return;
      }
    }
  }
}

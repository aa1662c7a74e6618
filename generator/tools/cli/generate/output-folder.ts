import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Change, ExistingFile } from "../../../codegen/write/diff.ts";
import { type Manifest, manifestName, readManifest } from "../../../codegen/write/manifest.ts";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { makeFolder } from "../files/make-folder.ts";
import { fileMatchesHash } from "./file-hash.ts";

/** The path that could not be written, and the reason. */
export interface WriteFault {
  readonly path: string;
  readonly reason: string;
}

/** The changes of a run, the manifest after them, and the journal: a manifest that is valid while they are applied. */
export interface FolderUpdate {
  readonly changes: readonly Change[];
  readonly manifest: string;
  readonly journal: string;
}

const temporarySuffix = ".ridlkit-tmp";

/** A folder of generated files on disk. `root` is absolute. `FolderLock` ensures that a single run writes it. */
export class OutputFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Returns undefined if the file cannot be read. */
  read(path: string): Uint8Array | undefined {
    try {
      return readFileSync(join(this.root, path));
    } catch {
      return undefined;
    }
  }

  /** Whether a file has this hash. Undefined if it cannot be read. */
  matchesHash(path: string, hash: string): boolean | undefined {
    return fileMatchesHash(join(this.root, path), hash);
  }

  readText(path: string): string | undefined {
    try {
      return readFileSync(join(this.root, path), "utf8");
    } catch {
      return undefined;
    }
  }

  manifest(): Manifest {
    return readManifest(this.readText(manifestName));
  }

  /** What exists at a path. Opens regular files only, and never follows links. */
  contentAt(path: string): ExistingFile {
    return this.#obstacleAt(path) ?? { kind: "text", text: this.readText(path) ?? "" };
  }

  #obstacleAt(path: string): Exclude<ExistingFile, { readonly kind: "text" }> | undefined {
    const segments = path.split("/");
    for (const [index] of segments.entries()) {
      const at = segments.slice(0, index + 1).join("/");
      const stats = lstatSync(join(this.root, at), { throwIfNoEntry: false });
      if (stats === undefined) return { kind: "nothing" };
      const isLast = index === segments.length - 1;
      if (isLast ? stats.isFile() : stats.isDirectory()) continue;
      const what = stats.isDirectory()
        ? "a folder"
        : stats.isSymbolicLink()
          ? "a symbolic link"
          : "not a folder";
      return {
        kind: "other",
        path: at,
        what: isLast && what === "not a folder" ? "not a regular file" : what,
      };
    }
    return undefined;
  }

  /** Sorted paths of all files. Skips subfolders that have a manifest of their own. */
  list(): readonly string[] {
    const paths: string[] = [];
    const walk = (folder: string): void => {
      const entries = entriesOf(join(this.root, folder));
      if (folder !== "" && entries.some(({ name }) => name === manifestName)) return;
      for (const entry of entries) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && entry.name !== "node_modules") walk(path);
        else if (entry.isFile()) paths.push(path);
      }
    };
    walk("");
    return paths.sort();
  }

  /** The real path, with symbolic links resolved, so that two paths of the same folder compare equal. */
  realRoot(): string {
    return realFolder(this.root);
  }

  /** Removes temporary files that a killed run left next to these paths. */
  removeTemporaryFiles(paths: readonly string[]): void {
    for (const path of paths)
      try {
        rmSync(this.#temporary(path), { force: true });
      } catch {
        // A file may be in the place of a folder. Writing reports it.
      }
  }

  /**
   * Applies changes. All new files are written to temporary files first and renamed once all are on disk, so that a full disk or a
   * missing permission leaves the old files unchanged. The journal is written first: if the process is killed at any point, the next
   * run knows that each file is generated, old or new. The manifest is written last.
   */
  apply({ changes, manifest, journal }: FolderUpdate): WriteFault | undefined {
    const before = this.readText(manifestName);
    const texts = changes.filter((change) => change.kind === "add" || change.kind === "change");
    if (texts.length === 0 && manifest === before) return undefined;
    const staged: string[] = [];
    let at = manifestName;
    let isMoved = false;
    try {
      this.#stage(manifestName, journal);
      this.#move(manifestName);
      for (const { path, text } of [...texts, { path: manifestName, text: manifest }]) {
        at = path;
        staged.push(path);
        this.#stage(path, text);
      }
      for (const { path } of texts) {
        at = path;
        this.#move(path);
        isMoved = true;
      }
      for (const change of changes) if (change.kind === "delete") this.#delete(change.path);
      at = manifestName;
      this.#move(manifestName);
      return undefined;
    } catch (err) {
      this.#undo(staged, before, isMoved);
      return { path: join(this.root, at), reason: writeReason(err) };
    }
  }

  #stage(path: string, text: string | Uint8Array): void {
    makeFolder(dirname(join(this.root, path)));
    writeFileSync(this.#temporary(path), text);
  }

  #move(path: string): void {
    renameSync(this.#temporary(path), join(this.root, path));
  }

  /** Restores the old state. If a file was already renamed, keeps the journal instead, which lists old and new files. */
  #undo(staged: readonly string[], before: string | undefined, isMoved: boolean): void {
    this.removeTemporaryFiles([...staged, manifestName]);
    for (const path of staged) this.#removeEmptyAbove(path);
    if (isMoved) return;
    try {
      if (before === undefined) rmSync(join(this.root, manifestName), { force: true });
      else {
        this.#stage(manifestName, before);
        this.#move(manifestName);
      }
    } catch {
      // The disk may be full. The journal stays; it contains everything that the manifest did.
      this.removeTemporaryFiles([manifestName]);
    }
  }

  #temporary(path: string): string {
    return join(this.root, `${path}${temporarySuffix}`);
  }

  /** Deletes a file and the folders that it leaves empty. */
  #delete(path: string): void {
    rmSync(join(this.root, path), { force: true });
    this.#removeEmptyAbove(path);
  }

  #removeEmptyAbove(path: string): void {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.root, folder));
      } catch {
        return;
      }
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The real path of a folder that may not exist yet. */
function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realFolder(above), basename(path));
  }
}

import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasHeader } from "../../../codegen/emit/text.ts";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { makeFolder } from "./folders.ts";

/** The file of an output folder that lists the generated files: a sorted path on each line. */
export const manifestName = ".ridlkit.manifest";

/** How a run changes one file: its text before and after, which is undefined if the file does not exist. */
export type FileChange =
  | { readonly kind: "added"; readonly path: string; readonly before: undefined; readonly after: string }
  | { readonly kind: "changed"; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: "deleted"; readonly path: string; readonly before: string; readonly after: undefined };

/** Something in the place of a generated file. `what`: a folder or a link; undefined for a file that was not generated. */
export interface Obstacle {
  readonly path: string;
  readonly what?: string;
}

/** What differs between generated files and the files on disk. */
export interface FolderDifference {
  readonly changes: readonly FileChange[];
  readonly unchanged: number;
  /** The change of the manifest; undefined if it lists the generated files, in any order. */
  readonly manifest: Exclude<FileChange, { kind: "deleted" }> | undefined;
  readonly obstacles: readonly Obstacle[];
}

/** Whether nothing was generated into the folder yet. */
export function isUnwritten({ changes, unchanged, manifest }: FolderDifference): boolean {
  return manifest?.kind === "added" && unchanged === 0 && changes.every(({ kind }) => kind === "added");
}

/** The path that could not be written, and the reason. */
export interface WriteFault {
  readonly path: string;
  readonly reason: string;
}

/** Holds the new files of a run until all are complete. */
const stagingName = ".ridlkit-tmp";

type ExistingFile =
  | { readonly kind: "nothing" }
  | { readonly kind: "text"; readonly text: string }
  /** Not a regular file, or a parent that is not a folder. */
  | { readonly kind: "other"; readonly path: string; readonly what: string };

/** A folder of generated files on disk. `root` is absolute. `FolderLock` ensures that a single run writes it. */
export class OutputFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /**
   * Compares generated files with those on disk. A file belongs to ridlkit if the manifest lists it or if it has the header; any other
   * file is an obstacle, unless its text is the same. A listed file that is no longer generated is deleted, unless its header is missing:
   * a merge may have listed a file that was not generated.
   */
  compare(files: ReadonlyMap<string, string>): FolderDifference {
    const manifest = this.#readText(manifestName);
    const listed = listedPaths(manifest);
    const changes: FileChange[] = [];
    const obstacles = new Map<string, Obstacle>();
    for (const [path, after] of files) {
      const old = this.contentAt(path);
      if (old.kind === "nothing") changes.push({ kind: "added", path, before: undefined, after });
      // A symbolic link above several files is reported once.
      else if (old.kind === "other") obstacles.set(old.path, old);
      else if (old.text === after) continue;
      else if (listed.has(path) || hasHeader(old.text))
        changes.push({ kind: "changed", path, before: old.text, after });
      else obstacles.set(path, { path });
    }
    const unchanged = files.size - changes.length - obstacles.size;
    for (const path of listed) {
      const old = files.has(path) ? undefined : this.contentAt(path);
      if (old?.kind === "text" && (hasHeader(old.text) || mayLackHeader(path)))
        changes.push({ kind: "deleted", path, before: old.text, after: undefined });
    }
    return {
      changes,
      unchanged,
      manifest: manifestChange(manifest, listed, files),
      obstacles: [...obstacles.values()],
    };
  }

  /** What exists at a path. Opens regular files only, and never follows links. */
  contentAt(path: string): ExistingFile {
    const segments = path.split("/");
    for (const [index] of segments.entries()) {
      const at = segments.slice(0, index + 1).join("/");
      const stats = statsOf(join(this.root, at));
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
    return { kind: "text", text: this.#readText(path) ?? "" };
  }

  /** Git may check files out with Windows line ends, which is not an edit. Generated files have none. */
  #readText(path: string): string | undefined {
    try {
      return readFileSync(join(this.root, path), "utf8").replaceAll("\r\n", "\n");
    } catch {
      return undefined;
    }
  }

  /** The real path, with symbolic links resolved, so that two paths of the same folder compare equal. */
  realRoot(): string {
    return realFolder(this.root);
  }

  /** The first folder of a changed file that does not permit changes. Moving and deleting need no permission of the file itself. */
  denied({ changes }: Pick<FolderDifference, "changes">): WriteFault | undefined {
    const folders = new Set(changes.map(({ path }) => existingFolder(dirname(join(this.root, path)))));
    for (const path of folders) {
      try {
        accessSync(path, constants.W_OK | constants.X_OK);
      } catch (err) {
        return { path, reason: writeReason(err) };
      }
    }
    return undefined;
  }

  /**
   * Writes what differs. All new files are written into a folder next to them and moved once all are on disk, so that a full disk leaves
   * the old files unchanged, and a killed run no incomplete file. The manifest lists new files before they are moved and old ones until
   * they are deleted, so that the run after a killed one knows them all.
   */
  write({ changes, manifest }: Pick<FolderDifference, "changes" | "manifest">): WriteFault | undefined {
    let at = manifestName;
    try {
      this.#clearStaging();
      for (const { path, after } of changes) {
        if (after === undefined) continue;
        at = path;
        this.#stage(path, after);
      }
      at = manifestName;
      if (manifest !== undefined) {
        const { before, after } = manifest;
        this.#stage(at, manifestText([...listedPaths(before), ...listedPaths(after)]));
        this.#move(at);
      }
      for (const { path, after } of changes) {
        at = path;
        if (after === undefined) this.#delete(path);
        else this.#move(path);
      }
      at = manifestName;
      if (manifest !== undefined) {
        this.#stage(at, manifest.after);
        this.#move(at);
      }
      return undefined;
    } catch (err) {
      return { path: join(this.root, at), reason: writeReason(err) };
    } finally {
      this.#clearStaging();
    }
  }

  #stage(path: string, text: string): void {
    const staged = join(this.root, stagingName, path);
    makeFolder(dirname(staged));
    writeFileSync(staged, text);
  }

  #move(path: string): void {
    makeFolder(dirname(join(this.root, path)));
    renameSync(join(this.root, stagingName, path), join(this.root, path));
  }

  #clearStaging(): void {
    rmSync(join(this.root, stagingName), { recursive: true, force: true });
  }

  /** Deletes a file and the folders that it leaves empty. */
  #delete(path: string): void {
    rmSync(join(this.root, path), { force: true });
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.root, folder));
      } catch {
        return;
      }
    }
  }
}

/** Undefined for what cannot be found. Writing reports why. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether generated files of this name have no header: copies of the runtime, the IR, and the files of the explorer's page. */
function mayLackHeader(path: string): boolean {
  return /^runtime\/[^/]+$/.test(path) || !/[.](ts|ya?ml)$/.test(path);
}

/** Ignores paths outside of the folder. Other lines that are no paths, such as conflict markers, name files that do not exist. */
function listedPaths(manifest: string | undefined): ReadonlySet<string> {
  return new Set(manifest?.split("\n").filter(isInside));
}

function isInside(path: string): boolean {
  return path.split("/").every((segment) => !/^(|[.]|[.][.])$|[\\:]/.test(segment));
}

function manifestText(paths: Iterable<string>): string {
  return [...new Set(paths)]
    .sort()
    .map((path) => `${path}\n`)
    .join("");
}

/** Ignores the order of lines and duplicates, which a merge of two branches may leave. */
function manifestChange(
  before: string | undefined,
  listed: ReadonlySet<string>,
  files: ReadonlyMap<string, string>,
): FolderDifference["manifest"] {
  const after = manifestText(files.keys());
  if (before === undefined) return { kind: "added", path: manifestName, before, after };
  return manifestText(listed) === after ? undefined : { kind: "changed", path: manifestName, before, after };
}

/** The folder, or the nearest one above it that exists. */
function existingFolder(path: string): string {
  return existsSync(path) ? path : existingFolder(dirname(path));
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

import { posix, relative } from "node:path";
import { hasGeneratedMark } from "../../../codegen/check/orphans.ts";
import { type Change, diffFiles, type Obstacle } from "../../../codegen/write/diff.ts";
import { hashOf, type Manifest, manifestName, writeManifest } from "../../../codegen/write/manifest.ts";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { FolderLock } from "./folder-lock.ts";
import type { FolderUpdate, OutputFolder, WriteFault } from "./output-folder.ts";

/** The generated files of a schema, and their folder. */
export interface Output {
  readonly folder: OutputFolder;
  /** The folder as the user named it. */
  readonly out: string;
  readonly schemaPath: string;
  readonly files: ReadonlyMap<string, string>;
  /** Fingerprint of everything that the files were generated from. */
  readonly fingerprint: Omit<Manifest, "files" | "next">;
}

export type FileChanges = readonly Pick<Change, "kind" | "path">[];

export interface WriteResult {
  readonly faults: readonly Diagnostic[];
  /** Changes of each output, in the same order; empty if nothing was written. */
  readonly changes: readonly FileChanges[];
}

/** Locks all folders, then compares and writes them. If a file is in the way, nothing is written. */
export async function writeFolders(outputs: readonly Output[], force: boolean): Promise<WriteResult> {
  const locks: FolderLock[] = [];
  try {
    // Locks are taken in sorted order, so that two runs cannot deadlock.
    for (const output of outputs.toSorted((a, b) => (a.folder.root < b.folder.root ? -1 : 1))) {
      const lock = await FolderLock.acquire(output.folder.root);
      if (!(lock instanceof FolderLock)) return { faults: [writeError(lock, output)], changes: [] };
      locks.push(lock);
    }
    return writeLocked(outputs, force);
  } finally {
    for (const lock of locks) lock.release();
  }
}

function writeLocked(outputs: readonly Output[], force: boolean): WriteResult {
  const updates = outputs.map((output) => updateFor(output, force));
  const obstacles = updates.flatMap((update) => update.obstacles);
  if (obstacles.length > 0) return { faults: obstacles, changes: [] };
  const faults = outputs.flatMap((output, index) => {
    const fault = output.folder.apply(updates[index] as FolderUpdate);
    return fault === undefined ? [] : [writeError(fault, output)];
  });
  return { faults, changes: updates.map(({ changes }) => changes) };
}

/** Reports the path from the working directory. */
function writeError({ path, reason }: WriteFault, { folder, out }: Output): Diagnostic {
  const shown = posix.join(out, relative(folder.root, path).replaceAll("\\", "/"));
  return diagnose("cannot-write", { path: shown, reason }, { path: shown });
}

/** Compares the generated files with the folder and its current manifest. */
function updateFor(
  { folder, out, files, fingerprint }: Output,
  force: boolean,
): FolderUpdate & { readonly obstacles: readonly Diagnostic[] } {
  const known = folder.manifest();
  folder.removeTemporaryFiles([manifestName, ...Object.keys(known.next ?? {})]);
  const { changes, obstacles } = diffFiles(files, (path) => folder.contentAt(path), known, force);
  const hashes = Object.fromEntries([...files].map(([path, text]) => [path, hashOf(text)]));
  return {
    changes,
    obstacles: obstacles.map((obstacle) => obstacleDiagnostic(obstacle, out, folder)),
    manifest: writeManifest({ ...fingerprint, files: hashes }),
    journal: writeManifest({ ...known, next: { ...known.next, ...hashes } }),
  };
}

function obstacleDiagnostic(obstacle: Obstacle, out: string, folder: OutputFolder): Diagnostic {
  const place = { path: posix.join(out, obstacle.path) };
  switch (obstacle.reason) {
    case "edited":
      return diagnose("edited-file", place, place);
    case "foreign":
      return diagnose(
        hasGeneratedMark(folder.read(obstacle.path)) ? "unlisted-file" : "foreign-file",
        place,
        place,
      );
    case "other":
      return diagnose("taken-place", { ...place, what: obstacle.what }, place);
  }
}

/** The paths that a schema generates, whether or not they are written now. */
export interface PathClaim extends Pick<Output, "folder" | "out" | "schemaPath"> {
  readonly paths: Iterable<string>;
}

/** Finds files that two schemas generate. Their folders may be nested, but must not share a file. */
export function pathConflicts(claims: readonly PathClaim[]): readonly Diagnostic[] {
  const owners = new Map<string, string>();
  return claims.flatMap(({ folder, out, schemaPath, paths }) => {
    const root = folder.realRoot();
    return [...paths].flatMap((path) => {
      const real = posix.join(root, path);
      const first = owners.get(real);
      owners.set(real, schemaPath);
      const place = { path: posix.join(out, path) };
      return first === undefined
        ? []
        : [diagnose("two-targets", { ...place, first, second: schemaPath }, place)];
    });
  });
}

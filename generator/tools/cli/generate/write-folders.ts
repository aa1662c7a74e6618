import { posix } from "node:path";
import { type Change, diffFiles, type Obstacle } from "../../../codegen/write/diff.ts";
import { hashOf, type Manifest, manifestName, writeManifest } from "../../../codegen/write/manifest.ts";
import { type Diagnostic, diagnose } from "../../../language/diagnostics/diagnostic.ts";
import { FolderLock } from "./folder-lock.ts";
import type { FolderUpdate, OutputFolder, WriteFault } from "./output-folder.ts";

export interface Output {
  readonly folder: OutputFolder;
  /** The folder as the user named it. */
  readonly out: string;
  readonly schemaPath: string;
  readonly files: ReadonlyMap<string, string>;
  /** Inputs and options of the generation, for the manifest. */
  readonly basis: Omit<Manifest, "files" | "next">;
}

export interface WriteResult {
  readonly faults: readonly Diagnostic[];
  /** Changes of each output, in order; empty if nothing was written. */
  readonly changes: readonly (readonly Pick<Change, "kind" | "path">[])[];
}

/** Locks all folders, then checks and writes them. Writes nothing if any folder has an error. */
export async function writeFolders(outputs: readonly Output[], force: boolean): Promise<WriteResult> {
  const locks: FolderLock[] = [];
  try {
    // All runs lock in the same order, which prevents deadlocks.
    for (const root of outputs.map(({ folder }) => folder.root).sort()) {
      const lock = await FolderLock.acquire(root);
      if (!(lock instanceof FolderLock)) return { faults: [writeError(lock)], changes: [] };
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
  const faults = outputs.flatMap(({ folder }, index) => {
    const fault = folder.apply(updates[index] as FolderUpdate);
    return fault === undefined ? [] : [writeError(fault)];
  });
  return { faults, changes: updates.map(({ changes }) => changes) };
}

function writeError(fault: WriteFault): Diagnostic {
  return diagnose("cannot-write", { ...fault }, { path: fault.path });
}

function updateFor(
  { folder, out, files, basis }: Output,
  force: boolean,
): FolderUpdate & { readonly obstacles: readonly Diagnostic[] } {
  const known = folder.manifest();
  folder.removeTemporaryFiles([manifestName, ...Object.keys(known.next ?? {})]);
  const { changes, obstacles } = diffFiles(files, (path) => folder.contentAt(path), known, force);
  const hashes = Object.fromEntries([...files].map(([path, text]) => [path, hashOf(text)]));
  return {
    changes,
    obstacles: obstacles.map((obstacle) => obstacleDiagnostic(obstacle, out)),
    manifest: writeManifest({ ...basis, files: hashes }),
    journal: writeManifest({ ...known, next: { ...known.next, ...hashes } }),
  };
}

function obstacleDiagnostic(obstacle: Obstacle, out: string): Diagnostic {
  const place = { path: posix.join(out, obstacle.path) };
  switch (obstacle.reason) {
    case "edited":
      return diagnose("edited-file", place, place);
    case "foreign":
      return diagnose("foreign-file", place, place);
    case "other":
      return diagnose("taken-place", { ...place, what: obstacle.what }, place);
  }
}

export interface PathClaim extends Pick<Output, "folder" | "out" | "schemaPath"> {
  readonly paths: Iterable<string>;
}

/** Output folders may be nested, but two schemas may not write the same file. */
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

import { type GeneratorFingerprint, isHashOf, type Manifest } from "../write/manifest.ts";

/** Why a folder has to be generated again. */
export type StaleReason =
  /** Nothing was generated yet, or the manifest is missing. */
  | { readonly kind: "unwritten" }
  /** A run was interrupted, or two branches were merged. */
  | { readonly kind: "unfinished" }
  /** Schema files were changed or removed. Paths are relative to the output folder. */
  | { readonly kind: "stale"; readonly inputs: readonly string[] }
  | { readonly kind: "tool"; readonly before: string; readonly now: string }
  | { readonly kind: "template" }
  | { readonly kind: "configuration" };

/** A generated file that was changed since the last run. */
export interface ChangedFile {
  readonly path: string;
  readonly state: "edited" | "missing";
}

/** Reads a file. Returns undefined if it cannot be read. */
export type ReadFile = (path: string) => Uint8Array | undefined;

/** Returns the reasons to generate again, by comparing hashes. Nothing is parsed. */
export function staleReasons(
  manifest: Manifest,
  basis: GeneratorFingerprint,
  readInput: ReadFile,
): readonly StaleReason[] {
  const { inputs, files, next, tool, options, templates } = manifest;
  if (Object.keys(inputs).length + Object.keys(files).length === 0) return [{ kind: "unwritten" }];
  const causes: StaleReason[] = [];
  if (next !== undefined) causes.push({ kind: "unfinished" });
  const changed = Object.keys(inputs).filter((path) => !isUnchanged(readInput(path), inputs[path]));
  if (changed.length > 0) causes.push({ kind: "stale", inputs: changed });
  if (tool !== basis.tool) causes.push({ kind: "tool", before: tool, now: basis.tool });
  if (templates !== basis.templates) causes.push({ kind: "template" });
  if (options !== basis.options) causes.push({ kind: "configuration" });
  return causes;
}

/** Whether a file has a hash. Undefined if it cannot be read. */
export type IsFileOf = (path: string, hash: string) => boolean | undefined;

/** Returns files that were edited or removed since they were written. */
export function changedFiles({ files, next = {} }: Manifest, isFileOf: IsFileOf): readonly ChangedFile[] {
  return Object.entries(files).flatMap(([path, hash]): ChangedFile[] => {
    const hasHash = isFileOf(path, hash);
    if (hasHash === undefined) return [{ path, state: "missing" }];
    const planned = next[path];
    if (hasHash || (planned !== undefined && isFileOf(path, planned))) return [];
    return [{ path, state: "edited" }];
  });
}

function isUnchanged(content: Uint8Array | undefined, hash: string | undefined): boolean {
  return content !== undefined && isHashOf(content, hash);
}

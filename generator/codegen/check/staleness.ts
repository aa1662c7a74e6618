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
  fingerprint: GeneratorFingerprint,
  readInput: ReadFile,
): readonly StaleReason[] {
  const { inputs, files, next, tool, options, templates } = manifest;
  if (Object.keys(inputs).length + Object.keys(files).length === 0) return [{ kind: "unwritten" }];
  const reasons: StaleReason[] = [];
  if (next !== undefined) reasons.push({ kind: "unfinished" });
  const changed = Object.keys(inputs).filter((path) => !isUnchanged(readInput(path), inputs[path]));
  if (changed.length > 0) reasons.push({ kind: "stale", inputs: changed });
  if (tool !== fingerprint.tool) reasons.push({ kind: "tool", before: tool, now: fingerprint.tool });
  if (templates !== fingerprint.templates) reasons.push({ kind: "template" });
  if (options !== fingerprint.options) reasons.push({ kind: "configuration" });
  return reasons;
}

/** Whether a file has the given hash. Undefined if the file cannot be read. */
export type MatchesHash = (path: string, hash: string) => boolean | undefined;

/** Returns files that were edited or removed since they were written. */
export function changedFiles(
  { files, next = {} }: Manifest,
  matchesHash: MatchesHash,
): readonly ChangedFile[] {
  return Object.entries(files).flatMap(([path, hash]): ChangedFile[] => {
    const isCurrent = matchesHash(path, hash);
    if (isCurrent === undefined) return [{ path, state: "missing" }];
    const planned = next[path];
    if (isCurrent || (planned !== undefined && matchesHash(path, planned))) return [];
    return [{ path, state: "edited" }];
  });
}

function isUnchanged(content: Uint8Array | undefined, hash: string | undefined): boolean {
  return content !== undefined && isHashOf(content, hash);
}

import { type GeneratorFingerprint, isHashOf, type Manifest } from "../write/manifest.ts";

/** Why the files of a folder may have to be made anew. */
export type StaleReason =
  /** No run ever wrote there, or what it noted is lost. */
  | { readonly kind: "unwritten" }
  /** A run was cut short, or two branches were merged. */
  | { readonly kind: "unfinished" }
  /** Schema files that are others now, or gone; by their path from the output folder. */
  | { readonly kind: "stale"; readonly inputs: readonly string[] }
  | { readonly kind: "tool"; readonly before: string; readonly now: string }
  | { readonly kind: "template" }
  | { readonly kind: "configuration" };

/** A file that is not as the last run left it. */
export interface ChangedFile {
  readonly path: string;
  readonly state: "edited" | "missing";
}

/** How a path is read; undefined: it cannot be. */
export type Read = (path: string) => Uint8Array | undefined;

/** Why a run would have something to do, told from hashes alone: nothing is parsed. */
export function staleReasons(
  manifest: Manifest,
  basis: GeneratorFingerprint,
  readInput: Read,
): readonly StaleReason[] {
  const { inputs, files, next, tool, options, templates } = manifest;
  if (Object.keys(inputs).length + Object.keys(files).length === 0) return [{ kind: "unwritten" }];
  const causes: StaleReason[] = [];
  if (next !== undefined) causes.push({ kind: "unfinished" });
  const changed = Object.keys(inputs).filter((path) => !isAsWritten(readInput(path), inputs[path]));
  if (changed.length > 0) causes.push({ kind: "stale", inputs: changed });
  if (tool !== basis.tool) causes.push({ kind: "tool", before: tool, now: basis.tool });
  if (templates !== basis.templates) causes.push({ kind: "template" });
  if (options !== basis.options) causes.push({ kind: "configuration" });
  return causes;
}

/** Whether the file of a path is the one that a hash was made of; undefined: it cannot be read. */
export type IsFileOf = (path: string, hash: string) => boolean | undefined;

/** Files that somebody edited or removed since they were written. */
export function changedFiles({ files, next = {} }: Manifest, isFileOf: IsFileOf): readonly ChangedFile[] {
  return Object.entries(files).flatMap(([path, hash]): ChangedFile[] => {
    const isAsLeft = isFileOf(path, hash);
    if (isAsLeft === undefined) return [{ path, state: "missing" }];
    const planned = next[path];
    if (isAsLeft || (planned !== undefined && isFileOf(path, planned))) return [];
    return [{ path, state: "edited" }];
  });
}

function isAsWritten(content: Uint8Array | undefined, hash: string | undefined): boolean {
  return content !== undefined && isHashOf(content, hash);
}

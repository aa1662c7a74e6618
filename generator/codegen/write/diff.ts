import { isHashOf, type Manifest } from "./manifest.ts";

/** How a run changes one file. */
export type Change =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "change"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "same"; readonly path: string };

/** What exists at a path. `other`: not a regular file, or a parent that is not a folder. */
export type ExistingFile =
  | { readonly kind: "nothing" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "other"; readonly path: string; readonly what: string };

/** A file that must not be overwritten or deleted. */
export type Obstacle =
  /** `edited`: a generated file that was changed. `foreign`: a file that was not generated. */
  | { readonly path: string; readonly reason: "edited" | "foreign" }
  | { readonly path: string; readonly reason: "other"; readonly what: string };

export interface Difference {
  readonly changes: readonly Change[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * Compares the planned files with the existing ones. With `force`, edited and foreign files are overwritten. A
 * generated file that is no longer planned is deleted only if it is unchanged. Foreign files are never deleted.
 */
export function diffFiles(
  wanted: ReadonlyMap<string, string>,
  existing: (path: string) => ExistingFile,
  manifest: Manifest,
  force = false,
): Difference {
  const changes: Change[] = [];
  const obstacles: Obstacle[] = [];
  for (const [path, text] of wanted) {
    const old = existing(path);
    if (old.kind === "nothing") changes.push({ kind: "add", path, text });
    else if (old.kind === "other") obstacles.push({ path: old.path, reason: "other", what: old.what });
    else if (withoutCarriageReturns(old.text) === text) changes.push({ kind: "same", path });
    else if (force || isGenerated(path, old.text, manifest)) changes.push({ kind: "change", path, text });
    else obstacles.push({ path, reason: isKnown(path, manifest) ? "edited" : "foreign" });
  }
  for (const path of new Set([...Object.keys(manifest.files), ...Object.keys(manifest.next ?? {})])) {
    if (wanted.has(path)) continue;
    const old = existing(path);
    if (old.kind !== "text") continue;
    if (force || isGenerated(path, old.text, manifest)) changes.push({ kind: "delete", path });
    else obstacles.push({ path, reason: "edited" });
  }
  return { changes, obstacles: distinct(obstacles) };
}

/** Whether a file's text comes from the last run, from an interrupted run, or from Git's merge of two generated files. */
function isGenerated(path: string, text: string, { files, next, merged }: Manifest): boolean {
  return isHashOf(text, files[path]) || isHashOf(text, next?.[path]) || merged?.has(path) === true;
}

function isKnown(path: string, { files, next }: Manifest): boolean {
  return files[path] !== undefined || next?.[path] !== undefined;
}

/** Git may check files out with Windows line ends, which is not an edit. Generated files have none. */
export function withoutCarriageReturns(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** A symbolic link above several files is reported once. */
function distinct(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  return [...new Map(obstacles.map((obstacle) => [obstacle.path, obstacle])).values()];
}

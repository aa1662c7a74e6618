import { isHashOf, type Manifest } from "./manifest.ts";

/** What writing would do to one file. */
export type Change =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "change"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "same"; readonly path: string };

/** What stands where a file is to be written. `other` is no plain file, or something on the way that is no folder. */
export type ExistingFile =
  | { readonly kind: "nothing" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "other"; readonly path: string; readonly what: string };

/** A file that we may not touch, and why. */
export type Obstacle =
  /** `edited`: we wrote it and somebody changed it. `foreign`: it stands where ours should, and we never wrote it. */
  | { readonly path: string; readonly reason: "edited" | "foreign" }
  | { readonly path: string; readonly reason: "other"; readonly what: string };

export interface Difference {
  readonly changes: readonly Change[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * Holds what is to be written against what is there. With `force` edited and foreign files count as ours. A file of
 * ours that is no longer made is deleted only as we left it; a foreign one never.
 */
export function diffFiles(
  wanted: ReadonlyMap<string, string>,
  standing: (path: string) => ExistingFile,
  manifest: Manifest,
  force = false,
): Difference {
  const changes: Change[] = [];
  const obstacles: Obstacle[] = [];
  for (const [path, text] of wanted) {
    const old = standing(path);
    if (old.kind === "nothing") changes.push({ kind: "add", path, text });
    else if (old.kind === "other") obstacles.push({ path: old.path, reason: "other", what: old.what });
    else if (withoutCarriageReturns(old.text) === text) changes.push({ kind: "same", path });
    else if (force || isOurs(path, old.text, manifest)) changes.push({ kind: "change", path, text });
    else obstacles.push({ path, reason: isKnown(path, manifest) ? "edited" : "foreign" });
  }
  for (const path of new Set([...Object.keys(manifest.files), ...Object.keys(manifest.next ?? {})])) {
    if (wanted.has(path)) continue;
    const old = standing(path);
    if (old.kind !== "text") continue;
    if (force || isOurs(path, old.text, manifest)) changes.push({ kind: "delete", path });
    else obstacles.push({ path, reason: "edited" });
  }
  return { changes, obstacles: distinct(obstacles) };
}

/** As the last run left it, as one that was cut short was about to, or as Git left it. */
function isOurs(path: string, text: string, { files, next, merged }: Manifest): boolean {
  return isHashOf(text, files[path]) || isHashOf(text, next?.[path]) || merged?.has(path) === true;
}

function isKnown(path: string, { files, next }: Manifest): boolean {
  return files[path] !== undefined || next?.[path] !== undefined;
}

/** Git may check texts out with the line ends of Windows, which is no edit. We write none. */
export function withoutCarriageReturns(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** One link on the way to many files is one obstacle. */
function distinct(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  return [...new Map(obstacles.map((obstacle) => [obstacle.path, obstacle])).values()];
}

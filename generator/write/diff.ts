import { hashOf, type Manifest } from "./manifest.ts";

/** What writing would do to one file. */
export type Change =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "change"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "same"; readonly path: string };

/** A file that we may not touch, and why. */
export interface Obstacle {
  readonly path: string;
  /** `edited`: we wrote it and somebody changed it. `foreign`: it stands where ours should, and we never wrote it. */
  readonly reason: "edited" | "foreign";
}

export interface Difference {
  readonly changes: readonly Change[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * Holds what is to be written against what is there. `present` answers the text of a file, undefined if there is none. A file of
 * ours that is no longer made is deleted only as we left it; a foreign one never.
 */
export function diffFiles(
  wanted: ReadonlyMap<string, string>,
  present: (path: string) => string | undefined,
  manifest: Manifest,
): Difference {
  const changes: Change[] = [];
  const obstacles: Obstacle[] = [];
  for (const [path, text] of wanted) {
    const old = present(path);
    if (old === undefined) changes.push({ kind: "add", path, text });
    else if (old === text) changes.push({ kind: "same", path });
    else {
      const known = manifest.files[path];
      if (known === hashOf(old)) changes.push({ kind: "change", path, text });
      else obstacles.push({ path, reason: known === undefined ? "foreign" : "edited" });
    }
  }
  for (const [path, hash] of Object.entries(manifest.files)) {
    if (wanted.has(path)) continue;
    const old = present(path);
    if (old === undefined) continue;
    if (hashOf(old) === hash) changes.push({ kind: "delete", path });
    else obstacles.push({ path, reason: "edited" });
  }
  return { changes, obstacles };
}

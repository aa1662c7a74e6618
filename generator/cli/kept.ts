import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeptBefore } from "../retouch/before.ts";
import { type Basis, hashOf } from "../write/manifest.ts";
import { writeWhole } from "./write-whole.ts";

/** What is kept of a generation beside the files, so that the next one need not make all of it again. */
export interface Kept {
  /** The text of the manifest that stands in the folder: of any other generation nothing is known. */
  readonly manifest: string;
  readonly basis: Basis;
  readonly before: KeptBefore;
  /** Schema files by path, as the run named them. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Most generations that a project keeps; the one that was not written for longest goes first. */
const maxKept = 16;

/** A larger one is not worth its place on the disk, in bytes: a schema of 4,000 types takes one million. */
const maxBytes = 16 * 1_048_576;

/**
 * The place for what is kept of a folder, below the packages of the project that `cwd` is in: nobody misses it. A project without
 * packages has none.
 */
export function keptPath(cwd: string, outputRoot: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) return join(packages, ".cache", "ridlkit", `generated-${hashOf(outputRoot)}`);
    if (dirname(folder) === folder) return undefined;
  }
}

interface Head {
  /** Of all that follows the first line. */
  readonly hash: string;
  readonly manifest: string;
  readonly basis: Basis;
  readonly texts: readonly { readonly path: string; readonly length: number }[];
}

/** Undefined if there is none, or none that is whole. */
export function readKept(path: string): Kept | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const lineEnd = text.indexOf("\n");
    const { hash, ...head } = JSON.parse(text.slice(0, lineEnd)) as Head;
    const body = text.slice(lineEnd + 1);
    if (hashOf(body) !== hash) return undefined;
    const beforeEnd = body.indexOf("\n");
    const texts = new Map<string, string>();
    let start = beforeEnd + 1;
    for (const { path: file, length } of head.texts) {
      texts.set(file, body.slice(start, start + length));
      start += length;
    }
    const before = JSON.parse(body.slice(0, beforeEnd)) as KeptBefore;
    return { manifest: head.manifest, basis: head.basis, before, texts };
  } catch {
    return undefined;
  }
}

/** A reader finds the one file or the other whole. What fails is no loss. */
export function writeKept(path: string, { manifest, basis, before, texts }: Kept): void {
  const body = `${JSON.stringify(before)}\n${[...texts.values()].join("")}`;
  const lengths = [...texts].map(([file, { length }]) => ({ path: file, length }));
  const head: Head = { hash: hashOf(body), manifest, basis, texts: lengths };
  try {
    if (body.length > maxBytes) rmSync(path, { force: true });
    else if (writeWhole("/", path, `${JSON.stringify(head)}\n${body}`) === undefined) prune(dirname(path));
  } catch {
    // Somebody else deletes the folder meanwhile, which may be done at any time.
  }
}

function prune(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.startsWith("generated-"));
  if (names.length <= maxKept) return;
  const byAge = names
    .map((name) => ({ path: join(folder, name), age: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.age - a.age);
  for (const { path } of byAge.slice(maxKept)) rmSync(path, { force: true });
}

import { createHash } from "node:crypto";

/** Name of the manifest in an output folder. */
export const manifestName = ".ridlkit.json";

/**
 * What we wrote into an output folder, and what it was made of: SHA-256 in hex by path. It tells our files from foreign ones, ours
 * as we left them from ours that somebody edited, and whether there is anything to do at all.
 */
export interface Manifest {
  /** Which build of ridlkit wrote it. */
  readonly tool: string;
  /** Hash of the options that the files depend on. */
  readonly options: string;
  /** The schema files, by their path from the output folder. */
  readonly inputs: Hashes;
  /** The files written, by their path in the output folder. */
  readonly files: Hashes;
  /** Only while a run writes, and after one that was killed: the files as they would have been in the end. */
  readonly next?: Hashes;
}

export type Hashes = Readonly<Record<string, string>>;

/** Of a folder that we never wrote into: nothing in it is ours, so nothing will be overwritten or deleted. */
const noManifest: Manifest = { tool: "", options: "", inputs: {}, files: {} };

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** With sorted paths, so that the same files give the same bytes. */
export function writeManifest({ tool, options, inputs, files, next }: Manifest): string {
  const unfinished = next === undefined ? {} : { next: sorted(next) };
  const ordered = { tool, options, inputs: sorted(inputs), files: sorted(files), ...unfinished };
  return `${JSON.stringify(ordered, null, 1)}\n`;
}

/** An unreadable manifest is none, and so is one with a path that leads out of its folder: nothing out there is ours. */
export function readManifest(text: string | undefined): Manifest {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (isManifest(value)) return value;
  } catch {
    // Falls through: not JSON.
  }
  return noManifest;
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null) return false;
  const { tool, options, inputs, files, next = {} } = value as Readonly<Record<string, unknown>>;
  if (typeof tool !== "string" || typeof options !== "string" || !isHashes(inputs)) return false;
  return [files, next].every((hashes) => isHashes(hashes) && Object.keys(hashes).every(isInside));
}

function isInside(path: string): boolean {
  return path.split("/").every((step) => !/^(|[.]|[.][.])$|[\\:]/.test(step));
}

function isHashes(value: unknown): value is Hashes {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((hash) => typeof hash === "string")
  );
}

function sorted(hashes: Hashes): Hashes {
  return Object.fromEntries(Object.entries(hashes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

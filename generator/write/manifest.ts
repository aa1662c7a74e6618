import { createHash } from "node:crypto";

/** Name of the manifest in an output folder. */
export const manifestName = ".ridlkit.json";

/**
 * What we wrote into an output folder: SHA-256 by path. It tells our files from foreign ones, and ours as we left them from ours
 * that somebody edited.
 */
export interface Manifest {
  readonly files: Readonly<Record<string, string>>;
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** With sorted paths, so that the same files give the same bytes. */
export function writeManifest(files: ReadonlyMap<string, string>): string {
  const entries = [...files].map(([path, text]) => [path, hashText(text)] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ files: Object.fromEntries(entries) }, null, 1)}\n`;
}

/** An unreadable manifest is none: nothing is then known to be ours, and nothing will be deleted. */
export function readManifest(text: string | undefined): Manifest {
  if (text === undefined) return { files: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isManifest(value)) return value;
  } catch {
    // Falls through: not JSON.
  }
  return { files: {} };
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null || !("files" in value)) return false;
  const { files } = value;
  return (
    typeof files === "object" &&
    files !== null &&
    Object.values(files).every((hash) => typeof hash === "string")
  );
}

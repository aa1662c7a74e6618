/** What the demo must know again at its next start, beside the keys of its project. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Kept {
  readonly projectId: number;
  readonly audienceId: number;
  /** Calls the sandbox's receiver; undefined where there is no chain to be told of. */
  readonly listener: KeptListener | undefined;
}

export interface KeptListener {
  readonly id: number;
  readonly url: string;
}

export const keptName = "demo.json";

export function readKept(dataDir: string): Kept | undefined {
  try {
    return (JSON.parse(readFileSync(join(dataDir, keptName), "utf8")) as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeKept(dataDir: string, kept: Kept): void {
  const path = join(dataDir, keptName);
  writeFileSync(`${path}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The saved state of a local chain: a file that is complete or absent. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";

export interface SavedState {
  readonly path: string;
  /** The path, if a saved state exists. */
  readonly existing: string | undefined;
}

/**
 * Returns the state file for a chain whose first block has this fingerprint. Deletes the states of other first blocks, which
 * are useless.
 */
export function prepareStateFile(folder: string, fingerprint: string): SavedState {
  const name = `${prefix}${fingerprint}.json`;
  for (const other of listStateFiles(folder))
    if (other !== name) rmSync(join(folder, other), { force: true });
  const path = join(folder, name);
  return { path, existing: existsSync(path) ? path : undefined };
}

export function listStateFiles(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix)) : [];
}

const prefix = "sandbox-chain-";

/** Replaces the file in one step. */
export async function writeState(path: string, state: Buffer): Promise<void> {
  const temporary = `${path}.new`;
  {
    await using file = await open(temporary, "w", 0o600);
    await file.writeFile(state);
    // Otherwise a power failure after the rename could leave an empty file.
    await file.sync();
  }
  await rename(temporary, path);
}

/** The saved state of a local chain: a file that is complete or absent. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { StartFault } from "../../base/start-fault.ts";

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

/** Saves the chain's current state. If the chain does not respond, the previous file stays. */
export async function saveState(rpcUrl: string, path: string): Promise<void> {
  const state = await dump(rpcUrl);
  if (state === undefined) return;
  try {
    writeFileSync(`${path}.new`, gunzipSync(Buffer.from(state.slice(2), "hex")), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (err) {
    throw new StartFault(
      `the state of the local chain cannot be saved to ${path}: ${(err as Error).message}; the next start continues from the previous state`,
    );
  }
}

async function dump(rpcUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_dumpState", params: [] }),
      signal: AbortSignal.timeout(dumpTimeoutMs),
    });
    const { result } = (await response.json()) as { readonly result?: string };
    return result;
  } catch {
    return undefined;
  }
}

/** Time-out in milliseconds. A dump takes a fifth of a second, and a stopping host has five seconds in total. */
const dumpTimeoutMs = 3_000;

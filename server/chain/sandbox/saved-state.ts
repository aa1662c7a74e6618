/** The state of a local chain between two starts: a file that is whole or not there. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { StartFault } from "../../base/start-fault.ts";

export interface SavedState {
  readonly path: string;
  /** The path, if there is one to begin with. */
  readonly existing: string | undefined;
}

/** @param fingerprint Of what every chain begins with: where that is another, the old chain is of no use, and removed. */
export function prepareStateFile(folder: string, fingerprint: string): SavedState {
  const name = `${prefix}${fingerprint}.json`;
  for (const other of listStateFiles(folder))
    if (other !== name) rmSync(join(folder, other), { force: true });
  const path = join(folder, name);
  return { path, existing: existsSync(path) ? path : undefined };
}

/** Names of the files of a folder that hold the state of a chain. */
export function listStateFiles(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix)) : [];
}

const prefix = "sandbox-chain-";

/** Writes what the chain is now. A chain that does not answer any more keeps what was written before. */
export async function saveState(rpcUrl: string, path: string): Promise<void> {
  const state = await dump(rpcUrl);
  if (state === undefined) return;
  try {
    writeFileSync(`${path}.new`, gunzipSync(Buffer.from(state.slice(2), "hex")), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (err) {
    throw new StartFault(
      `the local chain cannot be kept in ${path}: ${(err as Error).message}; the next start goes on from what was kept before`,
    );
  }
}

async function dump(rpcUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_dumpState", params: [] }),
      signal: AbortSignal.timeout(dumpMaxMs),
    });
    const { result } = (await response.json()) as { readonly result?: string };
    return result;
  } catch {
    return undefined;
  }
}

/** In milliseconds; it takes a fifth of a second, and a host that stops has five in all. */
const dumpMaxMs = 3_000;

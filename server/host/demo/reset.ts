import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { StartFault } from "../../base/start-fault.ts";
import { findRunning, hasDatabase } from "../../base/storage/embedded/embedded.ts";
import { listStateFiles } from "../../chain/sandbox/saved-state.ts";
import { demoStateName } from "./state-file.ts";

/**
 * Removes the files of sandboxes in a data folder, and nothing else. Throws StartFault if the folder belongs to no sandbox or is
 * in use.
 */
export function resetDataFolder(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  const folder = resolve(dataDir);
  const isSandboxFolder =
    existsSync(join(dataDir, "sandbox.json")) || existsSync(join(dataDir, demoStateName));
  if (!isSandboxFolder)
    throw new StartFault(
      `--reset: ${folder} is not a sandbox's data folder and was not changed; choose another with --data-dir`,
    );
  if (hasDatabase(dataDir) && findRunning(dataDir) !== undefined)
    throw new StartFault(`--reset: a host is using ${folder}; stop it first`);
  const postgres = join(dataDir, "postgres");
  // When the host runs as root, this may be a link to a folder that the Postgres user can reach.
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  for (const name of ["postgres", "signing-key", "sandbox.json", demoStateName, ...listStateFiles(dataDir)])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}

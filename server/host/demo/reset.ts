import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { StartFault } from "../../base/start-fault.ts";
import { findRunning, hasDatabase } from "../../base/storage/embedded/embedded.ts";
import { keptStates } from "../../chain/sandbox/kept-state.ts";
import { demoStateName } from "./state-file.ts";

/** Removes what sandboxes keep in a data folder, and nothing else. Throws StartFault where it is no sandbox's, or in use. */
export function resetDataFolder(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  const folder = resolve(dataDir);
  const isSandboxes = existsSync(join(dataDir, "sandbox.json")) || existsSync(join(dataDir, demoStateName));
  if (!isSandboxes)
    throw new StartFault(`--reset: ${folder} is not a sandbox's, and stays as it is; choose with --data-dir`);
  if (hasDatabase(dataDir) && findRunning(dataDir) !== undefined)
    throw new StartFault(`--reset: a host runs on ${folder}; stop it first`);
  const postgres = join(dataDir, "postgres");
  // As root it may be a link to where the other user can get.
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
  for (const name of ["postgres", "signing-key", "sandbox.json", demoStateName, ...keptStates(dataDir)])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}

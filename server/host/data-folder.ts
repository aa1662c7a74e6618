import { resolve, sep } from "node:path";
import { writeReason } from "../../generator/language/diagnostics/system-reason.ts";
import { makeFolder } from "../../generator/tools/cli/files/folders.ts";
import { StartFault } from "../base/start-fault.ts";

/**
 * Creates the data folder if it is missing; only its owner can list it. When the host runs as root, Postgres runs as another
 * user, who must be able to pass through to its own subfolder.
 */
export function openDataFolder(dataDir: string): void {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (err) {
    throw faultOf(folder, err as Error);
  }
}

/**
 * An error of the file system in the data folder, for the operator to fix: a volume that is read-only, full, or owned by another
 * user.
 */
export function faultOfDataFolder(err: unknown, dataDir: string): StartFault | undefined {
  if (!(err instanceof Error) || !("syscall" in err) || !("path" in err)) return undefined;
  const folder = resolve(dataDir);
  const path = resolve(String(err.path));
  return path === folder || path.startsWith(folder + sep) ? faultOf(folder, err) : undefined;
}

function faultOf(folder: string, err: Error & { readonly code?: unknown }): StartFault {
  const reason = err.code === "EEXIST" ? "a file with this name exists" : writeReason(err);
  return new StartFault(
    `the data folder ${folder}: ${reason}; fix this, or choose another folder with --data-dir`,
  );
}

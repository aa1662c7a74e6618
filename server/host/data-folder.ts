import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { StartFault } from "../base/start-fault.ts";

/**
 * The data folder, made if it is not there: nobody but its owner looks into it. As root Postgres runs as another user, who has
 * to walk through to its own part.
 */
export function openDataFolder(dataDir: string): void {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
  } catch (err) {
    throw faultOf(folder, err as Error);
  }
}

/** What the file system refuses in the data folder is the operator's to mend: a volume that is read-only, full, or somebody else's. */
export function faultOfDataFolder(err: unknown, dataDir: string): StartFault | undefined {
  if (!(err instanceof Error) || !("syscall" in err) || !("path" in err)) return undefined;
  const folder = resolve(dataDir);
  const path = resolve(String(err.path));
  return path === folder || path.startsWith(folder + sep) ? faultOf(folder, err) : undefined;
}

function faultOf(folder: string, err: Error & { readonly code?: unknown }): StartFault {
  const reason = err.code === "EEXIST" ? "something else has its name" : err.message;
  return new StartFault(`the data folder ${folder}: ${reason}; mend it, or choose another with --data-dir`);
}

/** Level by level: made at one go, a folder below /proc is tried for ever. */
function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode });
    // Whatever the umask is.
    if (mode !== undefined) chmodSync(path, mode);
  } catch (err) {
    // Another process that starts at the same time may have made it.
    if (!isFolder(path)) throw err;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

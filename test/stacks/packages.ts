/** Packages of other makers that generated code works with, in a folder of their own: `npm ci --prefix test/stacks`. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("package.json", import.meta.url));

export const isInstalled: boolean = existsSync(new URL("node_modules/", import.meta.url));

if (!isInstalled && process.env["CI"] === "true") throw new Error("npm ci --prefix test/stacks was not run");
if (!isInstalled) console.log("Stacks are left out: npm ci --prefix test/stacks installs them.");

export const loadPackage: (name: string) => unknown = createRequire(folder);

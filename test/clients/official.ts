/** The packages of the official clients, installed separately: `npm ci --prefix test/clients`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("node_modules/", import.meta.url));

export const isInstalled: boolean = existsSync(folder);

if (!isInstalled)
  console.log("The official clients are left out: npm ci --prefix test/clients installs them.");

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A generated client: its methods take one object, or its fields as arguments. */
export type ClientClass = new (
  hostname: string,
  fetch: Fetch,
) => Readonly<Record<string, (request: object) => Promise<unknown>>>;

/** Loads a package's exports; `name` is its folder: package name and version. */
export async function loadClient(name: string): Promise<Readonly<Record<string, unknown>>> {
  const manifest = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as { main?: string };
  const module = (await import(join(folder, name, manifest.main ?? "dist/index.js"))) as {
    readonly default?: Readonly<Record<string, unknown>>;
  };
  return module.default ?? module;
}

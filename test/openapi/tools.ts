/** A validator and generators of other makers, in a folder of their own: `npm ci --prefix test/openapi`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("node_modules/", import.meta.url));

export const isInstalled: boolean = existsSync(packages);

if (!isInstalled && process.env["CI"] === "true") throw new Error("npm ci --prefix test/openapi was not run");
if (!isInstalled) console.log("OpenAPI tools are left out: npm ci --prefix test/openapi installs them.");

export function packagePath(path: string): string {
  return join(packages, path);
}

export interface Verdict {
  readonly valid: boolean;
  readonly errors?: unknown;
}

/** Judges a document, given as text, by the schema of its version of OpenAPI. */
export async function validate(document: string): Promise<Verdict> {
  const { Validator } = (await import(packagePath("@seriousme/openapi-schema-validator/index.js"))) as {
    readonly Validator: new () => { validate(document: string): Promise<Verdict> };
  };
  return new Validator().validate(document);
}

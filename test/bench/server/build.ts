/** Prepares the candidates: installs the competitors, generates the API, and bundles each as for deployment. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { esbuildTemplates } from "../../../generator/codegen/emit/precompile.mjs";

const here = fileURLToPath(new URL("./", import.meta.url));
const output = `${here}.build/`;

/** A built candidate. The suffix `+200` of a name adds 200 methods to the API. */
export interface Built {
  readonly name: string;
  readonly path: string;
}

export async function buildCandidates(names: readonly string[]): Promise<readonly Built[]> {
  if (!existsSync(`${here}node_modules/fastify`)) {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], {
      cwd: here,
      stdio: "inherit",
    });
  }
  rmSync(output, { recursive: true, force: true });
  const built: Built[] = [];
  for (const name of names) {
    const [candidate = name, methods = "0"] = name.split("+");
    await generate(Number(methods));
    const path = `${output}${name}.mjs`;
    await build({
      entryPoints: [`${here}candidates/${candidate}.mjs`],
      outfile: path,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      external: ["fastify", "koa"],
      logLevel: "warning",
    });
    built.push({ name, path });
  }
  return built;
}

/** The emitters import templates, which requires a bundle. */
async function generate(moreMethods: number): Promise<void> {
  const emitters = `${output}emit.mjs`;
  if (!existsSync(emitters)) {
    await build({
      entryPoints: [`${here}emit.ts`],
      outfile: emitters,
      bundle: true,
      platform: "node",
      format: "esm",
      plugins: [esbuildTemplates],
      external: ["ajv", "yaml"],
      banner: {
        js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
      },
      logLevel: "warning",
    });
  }
  const { emitAll } = (await import(emitters)) as typeof import("./emit.ts");
  const more = Array.from({ length: moreMethods }, (_, index) => `  - Method${index}(text: string) => ()\n`);
  const schema = readFileSync(`${here}schema.ridl`, "utf8");
  const wide = more.length === 0 ? schema : `${schema}\nservice Wide\n${more.join("")}`;
  for (const { path, text } of emitAll(wide)) {
    mkdirSync(dirname(output + path), { recursive: true });
    writeFileSync(output + path, text);
  }
  cpSync(
    fileURLToPath(new URL("../../../generator/codegen/runtime/v1", import.meta.url)),
    `${output}runtime/v1`,
    {
      recursive: true,
    },
  );
}

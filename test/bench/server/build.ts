/** Prepares the candidates: installs the competitors, generates the API, and bundles each as for deployment. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL("./", import.meta.url));
const cli = fileURLToPath(new URL("../../../dist/ridlkit.js", import.meta.url));
const output = `${here}.build/`;

/** Removes what was built. */
export function removeCandidates(): void {
  rmSync(output, { recursive: true, force: true });
}

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
  removeCandidates();
  const built: Built[] = [];
  for (const name of names) {
    const [candidate = name, methods = "0"] = name.split("+");
    generate(Number(methods));
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

/** As users do, with the built command line. */
function generate(moreMethods: number): void {
  const more = Array.from({ length: moreMethods }, (_, index) => `  - Method${index}(text: string) => ()\n`);
  const schema = readFileSync(`${here}schema.ridl`, "utf8");
  const wide = more.length === 0 ? schema : `${schema}\nservice Wide\n${more.join("")}`;
  mkdirSync(output, { recursive: true });
  writeFileSync(`${output}schema.ridl`, wide);
  execFileSync(process.execPath, [
    cli,
    "generate",
    `${output}schema.ridl`,
    "--out",
    `${output}generated`,
    "--adapter",
    "koa,node",
    "--quiet",
  ]);
}

// Compiles the package to generator/runtime/dist/, with declarations and maps to the sources.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeBuild } from "../../write-build.mjs";

const folder = import.meta.dirname;
const compiler = join(folder, "../../node_modules/typescript-7/bin/tsc");
// As deep as dist/, which the maps to the sources depend on.
const compiled = mkdtempSync(join(folder, "dist-"));
try {
  execFileSync(process.execPath, [compiler, "-p", folder, "--outDir", compiled], { stdio: "inherit" });
  const files = readdirSync(compiled).map((name) => ({
    path: join(folder, "dist", name),
    contents: readFileSync(join(compiled, name)),
  }));
  await writeBuild(join(folder, "dist"), files);
} finally {
  rmSync(compiled, { recursive: true });
}

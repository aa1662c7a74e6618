import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiler } from "../../compile/project.ts";
import type { Figure } from "./figure.ts";

/** Compiles the client in `plain/` with TypeScript 7, under the strictest flags. */
export function compileClient(folder: string): readonly Figure[] {
  const tsc = compiler(7);
  if (tsc === undefined) {
    console.log(
      "scale: TypeScript 7 is not installed (npm ci --prefix test/compile), so compilation is skipped",
    );
    return [];
  }
  writeProject(folder);
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, "-p", folder, "--singleThreaded", "--extendedDiagnostics"],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stdout.slice(0, 1_000));
  const figure = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+([0-9.]+)`, "m").exec(stdout)?.[1] ?? "NaN");
  return [
    { description: `tsc 7 of the client: ${figure("Total time")} s`, value: figure("Total time"), limit: 2 },
    {
      description: `its instantiations: ${figure("Instantiations")}`,
      value: figure("Instantiations"),
      limit: 50_000,
    },
  ];
}

export function writeProject(folder: string): void {
  copyFileSync(
    fileURLToPath(new URL("../../compile/tsconfig.json", import.meta.url)),
    join(folder, "strict.json"),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const config = {
    extends: "./strict.json",
    compilerOptions: { lib: ["es2023", "dom", "dom.iterable"], types: [] },
    files: ["plain/client.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
}

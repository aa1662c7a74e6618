import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { diagnosed, helperNames, helpersSchema, writeProgram } from "../../compile/helpers-project.ts";
import { compiler } from "../../compile/project.ts";
import { writeProject } from "./compile.ts";
import type { Figure } from "./figure.ts";

const methods = 1_000;
const root = fileURLToPath(new URL("../../../", import.meta.url));
const targets = "client,standard-schema";

/** Compiles a program that calls each of 1,000 methods: alone, with helpers that it does not use, and through every helper. */
export function compileHelpers(parent: string): readonly Figure[] {
  const folder = join(parent, "helpers");
  mkdirSync(folder);
  writeProject(folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "api.ridl"), helpersSchema(methods));
  const flags = ["--quiet", "--out", "api", "--target", targets];
  execFileSync(process.execPath, [join(root, "dist/ridlkit.js"), "generate", "api.ridl", ...flags], {
    cwd: folder,
    stdio: "ignore",
  });
  writeProgram(folder, "calls.ts");
  writeProgram(folder, "helped.ts", helperNames, true);
  const programs = {
    "calls alone": ["calls.ts"],
    "calls, with unused helpers": ["calls.ts", "ridlkit-runtime/tanstack-query", "api/standard-schema.ts"],
    "every helper": ["helped.ts"],
  };
  const limits: Readonly<Record<string, number>> = {
    "calls alone": 31_000,
    "calls, with unused helpers": 44_000,
    "every helper": 152_000,
  };
  return ([5, 6, 7] as const).flatMap((major) => {
    const tsc = compiler(major);
    if (tsc === undefined) return [];
    return Object.entries(programs).flatMap(([name, files]) => {
      const output = compile(tsc, folder, files, major === 7 ? ["--singleThreaded"] : []);
      const [time, mib] = [diagnosed(output, "Check time"), diagnosed(output, "Memory used") / 1024];
      const value = diagnosed(output, "Instantiations");
      const description = `tsc ${major}, ${methods} methods, ${name}: ${diagnosed(output, "Types")} types, ${mib.toFixed(0)} MiB, ${time} s to check, instantiations ${value}`;
      console.log(`scale, ${description}`);
      return major === 7 ? [{ description, value, limit: limits[name] ?? 0 }] : [];
    });
  });
}

function compile(tsc: string, folder: string, files: readonly string[], flags: readonly string[]): string {
  const compilerOptions = { lib: ["es2023", "dom", "dom.iterable"], types: [] };
  const config = { extends: "./strict.json", compilerOptions, files };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const args = [tsc, "-p", folder, "--extendedDiagnostics", ...flags];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stdout.slice(0, 1_000));
  return stdout;
}

/**
 * What the compiler does for a client and its helpers. Counts of type instantiations are the same on every machine. They grow
 * with the number of methods, so a conditional type in a helper slows large projects down.
 */
import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Folder, folder, ridlkit } from "../support/program.ts";
import { diagnosed, helperNames, helpersSchema, writeProgram } from "./helpers-project.ts";
import { tsc } from "./project.ts";

let made: Folder;

beforeAll(async () => {
  made = folder({
    "package.json": '{ "type": "module" }',
    "api.ridl": helpersSchema(100),
    "unused.ts": 'export * from "ridlkit-runtime/tanstack-query";\n',
  });
  const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
  symlinkSync(modules, join(made.path, "node_modules"), "junction");
  const flags = ["--quiet", "--out", "api", "--target", "client,standard-schema"];
  const { code, err } = await ridlkit(["generate", "api.ridl", ...flags], { cwd: made.path });
  if (code !== 0) throw new Error(err);
});

afterAll(() => made[Symbol.dispose]());

/** Files, helpers that are used for each method, and the limit: about 4 % above the count. */
const unused = ["unused.ts", "api/standard-schema.ts"];
test.each<readonly [name: string, helpers: readonly string[], files: readonly string[], limit: number]>([
  ["calls alone", [], [], 8_700],
  ["calls, with unused helpers in the project", [], unused, 11_500],
  ["withResponse", ["withResponse"], [], 11_800],
  ["result", ["result"], [], 9_700],
  ["queryKey", ["queryKey"], [], 9_300],
  ["pages", ["pages"], [], 8_900],
  ["items", ["items"], [], 8_900],
  ["queryOptions", ["queryOptions"], [], 11_600],
  ["mutationOptions", ["mutationOptions"], [], 10_300],
  ["infiniteQueryOptions", ["infiniteQueryOptions"], [], 11_300],
  ["streamOptions", ["streamOptions"], [], 10_600],
  ["every helper", helperNames, [], 19_700],
])("100 methods, %s", (_name, helpers, files, limit) => {
  writeProgram(made.path, "app.ts", helpers);
  expect(instantiations(["app.ts", ...files])).toBeLessThan(limit);
});

/** Compiles files that may not have errors. */
function instantiations(files: readonly string[]): number {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    module: "nodenext",
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(made.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const flags = ["--singleThreaded", "--extendedDiagnostics"];
  const output = execFileSync(process.execPath, [tsc, "-p", made.path, ...flags], { encoding: "utf8" });
  return diagnosed(output, "Instantiations");
}

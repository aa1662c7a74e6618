/** A client of an API as an npm package: compiled code for import and require, its types, and a README that lists the methods. */

import { isJsonObject, type JsonObject } from "../../../codegen/plan/json.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import { sdkReadme } from "./sdk-readme.ts";

export interface SdkPackage {
  /** Name of the npm package: `@acme/shop`. */
  readonly name: string;
  /** `1.2.0` */
  readonly version: string;
  readonly plan: Plan;
  /** Files of the target client with copies of the runtime, which import each other with ".js". */
  readonly sources: ReadonlyMap<string, string>;
  /** The existing package.json, whose other keys are kept. */
  readonly existing: JsonObject;
}

/** Returns the files of the package by path. */
export async function sdkFiles(sdk: SdkPackage): Promise<ReadonlyMap<string, string>> {
  const esm = await compile(sdk.sources, "esm");
  // Declarations are the same for both forms, and take most of the time.
  const types = esm.filter(([path]) => path.endsWith(".d.ts"));
  return new Map([
    ["package.json", packageJson(sdk)],
    ["README.md", sdkReadme(sdk)],
    ...esm,
    ...(await compile(sdk.sources, "cjs")),
    ...types.map(([path, text]) => [path.replace("dist/esm/", "dist/cjs/"), text] as const),
    // Without it, Node.js would read the files as ES modules, like the rest of the package.
    ["dist/cjs/package.json", '{ "type": "commonjs" }\n'],
  ]);
}

async function compile(
  sources: ReadonlyMap<string, string>,
  form: "esm" | "cjs",
): Promise<readonly (readonly [string, string])[]> {
  const { ModuleKind, ModuleResolutionKind, Project, ScriptTarget } = await import("ts-morph");
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: {
      target: ScriptTarget.ES2022,
      lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
      module: form === "esm" ? ModuleKind.ESNext : ModuleKind.CommonJS,
      moduleResolution: ModuleResolutionKind.Bundler,
      strict: true,
      // The suite compiles generated code under the strictest flags.
      noCheck: true,
      declaration: form === "esm",
      types: [],
      rootDir: "/src",
      outDir: `/dist/${form}`,
    },
  });
  for (const [path, text] of sources)
    if (path.endsWith(".ts")) project.createSourceFile(`/src/${path}`, text);
  return project
    .emitToMemory()
    .getFiles()
    .map(({ filePath, text }) => [filePath.slice(1), text] as const);
}

/** What programs import: a module for each generated file, because a service and a type may have one name. */
const modules = { ".": "client", "./types": "types", "./errors": "errors" };

/** Keeps what the user has added or changed, except what follows from the generated files. */
function packageJson({ name, version, plan, existing }: SdkPackage): string {
  const form = (folder: string, module: string): JsonObject => ({
    types: `./dist/${folder}/${module}.d.ts`,
    default: `./dist/${folder}/${module}.js`,
  });
  const exports = Object.fromEntries(
    Object.entries(modules).map(([path, module]) => [
      path,
      { import: form("esm", module), require: form("cjs", module) },
    ]),
  );
  const { exports: addedExports, files: addedFiles, typesVersions: addedTypes } = existing;
  // For TypeScript with `"moduleResolution": "node10"`, which ignores `exports`.
  const typesVersions = {
    ...(isJsonObject(addedTypes) ? addedTypes : {}),
    "*": {
      ...(isJsonObject(addedTypes) && isJsonObject(addedTypes["*"]) ? addedTypes["*"] : {}),
      types: ["./dist/cjs/types.d.ts"],
      errors: ["./dist/cjs/errors.d.ts"],
    },
  };
  const own = {
    name,
    version,
    type: "module",
    main: "./dist/cjs/client.js",
    types: "./dist/cjs/client.d.ts",
    typesVersions,
    exports: isJsonObject(addedExports) ? { ...addedExports, ...exports } : exports,
    files: [...new Set(["dist", ...(Array.isArray(addedFiles) ? addedFiles : [])])],
    sideEffects: false,
  };
  const defaults = {
    description: `Client of ${plan.schemaName}`,
    license: "UNLICENSED",
    engines: { node: ">=20" },
  };
  return `${JSON.stringify(Object.assign({ name, version }, defaults, existing, own), null, 2)}\n`;
}

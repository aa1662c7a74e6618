import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withUniqueFunctions } from "../../generator/codegen/emit/client/index.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import type { SchemaConfig } from "../../generator/tools/config/config.ts";
import { type Folder, folder, ridlkitProcess } from "../support/program.ts";
import { planOf } from "../support/sample-plan.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Schemas by name: those that test names and shapes, and those that this repository serves elsewhere. */
export const schemas: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    readdirSync(`${here}schemas`).map((file) => [file.replace(".ridl", ""), `${here}schemas/${file}`]),
  ),
  platform: `${root}schema/platform.ridl`,
  interop: `${root}test/fixtures/interop/schema.ridl`,
  shop: `${root}test/fixtures/shop/schema.ridl`,
  market: `${root}test/fixtures/market/schema.ridl`,
  validation: `${root}test/fixtures/validation/schema.ridl`,
  routes: `${root}test/fixtures/routes/schema.ridl`,
  reads: `${root}test/fixtures/reads/schema.ridl`,
  keys: `${root}test/fixtures/keys/schema.ridl`,
};

/**
 * Creates a project like a user's: generated folders in `src/`, the packages of this repository, and the strictest
 * flags.
 */
export async function project(
  names: readonly string[],
  compilerOptions: object,
  generation: Partial<SchemaConfig> = {},
): Promise<Folder> {
  const made = folder({
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify({ extends: "./strict.json", compilerOptions, include: ["src"] }),
    "src/.keep": "",
  });
  copyFileSync(`${here}tsconfig.json`, join(made.path, "strict.json"));
  copyFileSync(`${here}strict-alone.json`, join(made.path, "strict-alone.json"));
  symlinkSync(join(root, "node_modules"), join(made.path, "node_modules"), "junction");
  for (const name of names)
    await generateIn(made, {
      entry: schemas[name] ?? name,
      out: join(made.path, "src", name),
      ...generation,
    });
  return made;
}

/** Generates the code of a schema in a project. */
export async function generateIn({ path }: Folder, schema: SchemaConfig): Promise<void> {
  writeFileSync(join(path, "ridlkit.config.json"), JSON.stringify({ schemas: [schema] }));
  const { code, err } = await ridlkitProcess(["generate", "--quiet"], { cwd: path });
  if (code !== 0) throw new Error(err);
}

/** The fastest compiler, for tests in which the version does not matter. */
export const tsc: string = join(root, "node_modules/typescript-7/bin/tsc");

/**
 * The compiler of a major version. Undefined if it is not installed. Older ones come from `test/compile/package.json`.
 */
export function compiler(major: 5 | 6 | 7): string | undefined {
  const path = major === 7 ? tsc : `${here}node_modules/typescript-${major}/bin/tsc`;
  return existsSync(path) ? path : undefined;
}

/** The plan of a schema, with the names of its generated client. */
export function planOfSchema(name: string): Plan {
  const files = { "schema.ridl": readFileSync(schemas[name] ?? "", "utf8") };
  return withUniqueFunctions(planOf(files, "schema.ridl"));
}

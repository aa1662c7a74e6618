import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../../codegen/plan/json.ts";
import { filterIr } from "../../../language/ir/filter.ts";
import { type Command, defineCommand } from "../command.ts";
import type { Schema } from "../config/schemas.ts";
import { generateInMemory, type Output } from "../generate/generation.ts";
import type { SdkPackage } from "../generate/sdk-package.ts";
import { writeOutputs } from "../generate/write-generated.ts";
import { schemaOptions } from "../options.ts";

const options = {
  ...schemaOptions,
  name: { kind: "text", value: "NAME", description: "Name of the npm package, such as @acme/shop" },
  out: { kind: "text", value: "DIR", description: "Folder of the package; default: sdk" },
  packageVersion: {
    kind: "text",
    value: "V",
    description: "Version of the package; default: that of the schema",
  },
} as const;

const defaultOut = "sdk";

export const sdk: Command = defineCommand({
  name: "sdk",
  usage: "--name NAME [options] [FILE]",
  description: `Writes an npm package with the client of FILE, or of the configuration's schema: JavaScript for import
and require, types, and a README that lists the methods. The package has no dependencies. Publish it
with "npm publish DIR".

A later run writes the files that differ. It keeps what you add to package.json, such as "license" or
"repository".`,
  options,
  takesOneSchema: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit sdk shop.ridl --name @acme/shop", description: "Write the package to sdk/" },
    {
      command: "ridlkit sdk --name shop-client --out client --package-version 2.0.0",
      description: "Write the client of the configuration's schema to client/",
    },
  ],
  async run(call) {
    const { name, out = defaultOut, packageVersion } = call.options;
    const error = nameError(name) ?? versionError(packageVersion);
    if (name === undefined || error !== undefined) return call.refuse(error ?? "");
    const schemas = call.schemas.map((schema) => asClient(schema, out));
    const generation = { ...call, schemas, options: { out } };
    const { outputs, diagnostics } = await generateInMemory(generation, call.report);
    const packed: Output[] = [];
    for (const output of outputs) {
      const version = packageVersion ?? output.result?.model.version.replace(/^v/, "") ?? "";
      const wrong = output.result === undefined ? undefined : versionError(version);
      if (wrong !== undefined) return call.refuse(`${wrong} Set --package-version.`);
      const existing = readExisting(join(output.job.folder.root, "package.json"));
      if ("fault" in existing) return call.refuse(existing.fault);
      packed.push(await packageOf(output, { name, version, existing: existing.keys }));
    }
    return (await writeOutputs(packed, diagnostics, generation)).code;
  },
});

/** The client alone, without packages that it would depend on. */
function asClient(schema: Schema, out: string): Schema {
  const { history: _, ...generation } = {
    entry: schema.path,
    openapi: {},
    otherOuts: [],
    ...schema.generation,
  };
  return {
    ...schema,
    generation: {
      ...generation,
      out,
      targets: ["client"],
      adapters: [],
      runtime: "copy",
      importExtension: ".js",
    },
  };
}

async function packageOf(
  output: Output,
  sdkOptions: Pick<SdkPackage, "name" | "version" | "existing">,
): Promise<Output> {
  const { result, job, files: sources } = output;
  if (result === undefined || sources.size === 0) return output;
  const [{ createPlan }, { filterModel }, { sdkFiles }] = await Promise.all([
    import("../../../codegen/generate.ts"),
    import("../../../codegen/plan/filter.ts"),
    import("../generate/sdk-package.ts"),
  ]);
  const { filter } = job.schema;
  const plan = createPlan(filterModel(result.model, filter), filterIr(result.ir, filter), job.options);
  return { ...output, files: await sdkFiles({ ...sdkOptions, plan, sources }) };
}

function readExisting(path: string): { readonly keys: JsonObject } | { readonly fault: string } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return { keys: {} };
  }
  try {
    const keys: unknown = JSON.parse(text);
    if (isJsonObject(keys)) return { keys };
  } catch {
    // Reported below.
  }
  return { fault: `"${path}" is not a JSON object. Correct or delete it.` };
}

function nameError(name: string | undefined): string | undefined {
  if (name === undefined) return "The name of the package is missing. Set --name, such as --name @acme/shop.";
  if (name === "node_modules" || name === "favicon.ico") return `npm reserves the name "${name}".`;
  if (name.length <= 214 && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name))
    return undefined;
  return `"${name}" is not a valid name of an npm package: use lowercase letters, digits, "-", "." and "_", such as @acme/shop.`;
}

function versionError(version: string | undefined): string | undefined {
  if (version === undefined || /^[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]+)?$/.test(version))
    return undefined;
  return `"${version}" is not a version of an npm package, such as 1.2.0.`;
}

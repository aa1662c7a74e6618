import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { convert } from "../../../generator/language/convert/convert.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { seededRandom } from "../../support/random.ts";
import { composeSchema } from "./compose.ts";
import { domains } from "./domains.ts";
import type { Schema } from "./schema.ts";

const root: string = fileURLToPath(new URL("../../../", import.meta.url));

/** Variants per domain. */
const variants = 5;

/**
 * The corpus: the platform's contract, schemas of other tests and of the README, sixty that are composed from twelve domains, and all
 * single-file schemas in YAML too.
 */
export function corpus(): readonly Schema[] {
  const composed = domains.flatMap((domain, index) =>
    Array.from({ length: variants }, (_, variant) =>
      composeSchema(domain, variant, seededRandom(index * variants + variant + 1)),
    ),
  );
  const ridl = [platform(), ...fixtures(), readme(), ...composed];
  return [...ridl, platformInYaml(), ...ridl.flatMap(inYaml)];
}

/** Converts a single-file schema to YAML. Schemas that YAML cannot express stay as they are. */
function inYaml({ name, entry, files }: Schema): Schema[] {
  if (Object.keys(files).length > 1) return [];
  const { text } = convert(entry, memoryReader(files), { to: "yaml" });
  return text === undefined ? [] : [{ name: `${name}-yaml`, entry: "api.yaml", files: { "api.yaml": text } }];
}

function platformInYaml(): Schema {
  return { name: "platform-yaml", entry: "api.yaml", files: { "api.yaml": read("schema/platform.yaml") } };
}

function platform(): Schema {
  const paths = readdirSync(`${root}schema`, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => path.endsWith(".ridl")).map((path) => path.replaceAll("\\", "/"));
  return {
    name: "platform",
    entry: "platform.ridl",
    files: Object.fromEntries(files.toSorted().map((path) => [path, read(`schema/${path}`)])),
  };
}

function fixtures(): Schema[] {
  return ["interop", "market", "shop", "validation"].map((name) => ({
    name: `fixture-${name}`,
    entry: "schema.ridl",
    files: { "schema.ridl": read(`test/fixtures/${name}/schema.ridl`) },
  }));
}

function readme(): Schema {
  const block = /```ridl\n([\s\S]*?)```/.exec(read("README.md"))?.[1] ?? "";
  return { name: "readme", entry: "api.ridl", files: { "api.ridl": block } };
}

function read(path: string): string {
  return readFileSync(`${root}${path}`, "utf8");
}

import { posix } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Config, SchemaConfig } from "./config.ts";
import type { ConfigNode, RawConfig } from "./node.ts";
import { Faults, type Read, readBoolean, readListOf, readObject, readText, reading, refuse } from "./read.ts";

export interface CheckedConfig {
  /** Absent if there is a fault. */
  readonly config: Config | undefined;
  /** All faults at once, in order of place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A raw configuration to a typed one. Knows no file system: whether an entry exists shows when it is read. */
export function checkConfig(raw: RawConfig): CheckedConfig {
  const faults = new Faults(raw);
  const config = readConfig(raw.root, faults);
  if (config?.schemas !== undefined) checkNames(config.schemas, raw.root, faults);
  if (faults.list.length > 0) return { config: undefined, diagnostics: byPlace(faults.list) };
  return { config: config as Config, diagnostics: [] };
}

/** What `--project` calls a schema: `{ entry: "schema/api.ridl" }` → `"api"`. */
export function nameOf({ name, entry }: SchemaConfig): string {
  return name ?? posix.parse(entry).name;
}

function readConfig(node: ConfigNode, faults: Faults): Partial<Config> | undefined {
  if (node.kind !== "object") return refuse(node, "The configuration", faults, "an object");
  const shape = { strict: readBoolean, schemas: readListOf(readSchema, "a list of at least one schema") };
  return readObject<Config>(node, "", { shape, required: ["schemas"] }, faults);
}

const readSchema: Read<SchemaConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: Faults): SchemaConfig | undefined => {
    if (node.kind !== "object") return refuse(node, path, faults, readSchema.wanted);
    const schema = readObject<SchemaConfig>(node, path, { shape: schemaShape, required: ["entry"] }, faults);
    const ignore = node.entries.find(({ key }) => key === "ignore");
    if (ignore !== undefined && node.entries.some(({ key }) => key === "match")) {
      faults.add("config-exclusive", { path }, ignore.keySpan);
    }
    // Without an entry there is a fault, and with a fault nobody gets to see this.
    return schema as SchemaConfig;
  },
  { wanted: 'an object such as { "entry": "schema/api.ridl" }' },
);

const readAnnotation: Read<string> = reading('an annotation such as "@internal" or "@auth:jwt"', (node) =>
  node.kind === "string" && /^@[^,@:]+(:[^,]*)?$/.test(node.value) ? node.value : undefined,
);

const readAnnotations = readListOf(readAnnotation, 'a list of annotations such as ["@internal", "@auth:jwt"]');

const schemaShape = {
  name: readText,
  entry: readText,
  strict: readBoolean,
  hashParity: readBoolean,
  schemaVersion: readText,
  services: readListOf(readText, "a list of names of services"),
  match: readAnnotations,
  ignore: readAnnotations,
  methodTreeShake: readBoolean,
};

/** Two schemas of one name could not be told apart by `--project`. */
function checkNames(schemas: readonly SchemaConfig[], root: ConfigNode, faults: Faults): void {
  const list = root.kind === "object" ? root.entries.find(({ key }) => key === "schemas")?.value : undefined;
  const nodes = list?.kind === "array" ? list.items : [];
  const seen = new Set<string>();
  schemas.forEach((schema, index) => {
    if (schema.entry === undefined) return;
    const name = nameOf(schema);
    if (seen.has(name)) faults.add("config-same-name", { name }, spanOfName(nodes[index]));
    seen.add(name);
  });
}

function spanOfName(node: ConfigNode | undefined): ConfigNode["span"] {
  if (node?.kind !== "object") return undefined;
  const naming = (key: string) => node.entries.find((entry) => entry.key === key)?.value.span;
  return naming("name") ?? naming("entry") ?? node.span;
}

function byPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.at?.span.start ?? 0) - (b.at?.span.start ?? 0));
}

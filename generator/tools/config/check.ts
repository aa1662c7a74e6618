import { type Layout, layouts } from "../../codegen/plan/layout.ts";
import { adapterNames, isAdapterName, isTargetName, targetNames } from "../../codegen/plan/targets.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { BuiltinErrorConfig, Config, SchemaConfig } from "./config.ts";
import { readContext } from "./context.ts";
import { readLint } from "./lint.ts";
import { nameOf } from "./name.ts";
import type { ConfigNode, RawConfig } from "./node.ts";
import { readOpenapi } from "./openapi.ts";
import { Faults, type Read, readBoolean, reading, readListOf, readObject, readText, refuse } from "./read.ts";

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
  if (faults.list.length > 0) return { config: undefined, diagnostics: byPlace(faults.list) };
  return { config: config as Config, diagnostics: [] };
}

function readConfig(node: ConfigNode, faults: Faults): Partial<Config> | undefined {
  if (node.kind !== "object") return refuse(node, "The configuration", faults, "an object");
  const shape = {
    strict: readBoolean,
    confineImports: readBoolean,
    lint: readLint,
    schemas: readSchemas,
  };
  // Editors are told by this key what a JSON file may hold; it is no setting.
  const entries = node.entries.filter(({ key, value }) => key !== "$schema" || value.kind !== "string");
  return readObject<Config>({ ...node, entries }, "", { shape, required: ["schemas"] }, faults);
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

const readInt64: Read<"number" | "bigint"> = reading('"number" or "bigint"', (node) =>
  node.kind === "string" && (node.value === "number" || node.value === "bigint") ? node.value : undefined,
);

const readTimestamps: Read<"string" | "Date"> = reading('"string" or "Date"', (node) =>
  node.kind === "string" && (node.value === "string" || node.value === "Date") ? node.value : undefined,
);

const readImportExtension: Read<".ts" | ".js" | "none"> = reading('".ts", ".js" or "none"', (node) =>
  node.kind === "string" && (node.value === ".ts" || node.value === ".js" || node.value === "none")
    ? node.value
    : undefined,
);

const readAnnotation: Read<string> = reading('an annotation such as "@internal" or "@auth:jwt"', (node) =>
  node.kind === "string" && /^@[^,@:]+(:[^,]*)?$/.test(node.value) ? node.value : undefined,
);

const readAnnotations = readListOf(
  readAnnotation,
  'a list of annotations such as ["@internal", "@auth:jwt"]',
);

const readAdapter: Read<string> = reading(`one of ${adapterNames.join(", ")}`, (node) =>
  node.kind === "string" && isAdapterName(node.value) ? node.value : undefined,
);

const readLayout: Read<Layout> = reading('"single" or "services"', (node) =>
  layouts.find((layout) => node.kind === "string" && layout === node.value),
);

const readTarget: Read<string> = reading(`one of ${targetNames.join(", ")}`, (node) =>
  node.kind === "string" && isTargetName(node.value) ? node.value : undefined,
);

const readBuiltinError: Read<BuiltinErrorConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: Faults): BuiltinErrorConfig | undefined => {
    if (node.kind !== "object") return refuse(node, path, faults, readBuiltinError.wanted);
    return readObject<BuiltinErrorConfig>(
      node,
      path,
      { shape: { name: readText, message: readText }, required: [] },
      faults,
    );
  },
  { wanted: 'an object such as { "name": "WebrpcAborted" }' },
);

/** By the codes that the protocol has. */
const readBuiltinErrors: Read<Readonly<Record<string, BuiltinErrorConfig>>> = Object.assign(
  (
    node: ConfigNode,
    path: string,
    faults: Faults,
  ): Readonly<Record<string, BuiltinErrorConfig>> | undefined => {
    if (node.kind !== "object") return refuse(node, path, faults, readBuiltinErrors.wanted);
    const codes = Array.from(
      { length: 11 },
      (_, index) => [String(index === 0 ? 0 : -index), readBuiltinError] as const,
    );
    return readObject<Record<string, BuiltinErrorConfig>>(
      node,
      path,
      { shape: Object.fromEntries(codes), required: [] },
      faults,
    ) as Readonly<Record<string, BuiltinErrorConfig>>;
  },
  { wanted: "an object with codes from -10 to 0 as keys" },
);

const schemaShape = {
  name: readText,
  entry: readText,
  strict: readBoolean,
  lint: readLint,
  hashParity: readBoolean,
  schemaVersion: readText,
  services: readListOf(readText, "a list of names of services"),
  match: readAnnotations,
  ignore: readAnnotations,
  methodTreeShake: readBoolean,
  out: readText,
  handlers: readText,
  context: readContext,
  targets: readListOf(readTarget, "a list of targets"),
  adapters: readListOf(readAdapter, "a list of adapters"),
  layout: readLayout,
  builtinErrors: readBuiltinErrors,
  int64: readInt64,
  timestamps: readTimestamps,
  importExtension: readImportExtension,
  templates: readText,
  openapi: readOpenapi,
};

const readSchemaList = readListOf(readSchema, "a list of at least one schema");

const readSchemas: Read<readonly SchemaConfig[]> = Object.assign(
  (node: ConfigNode, path: string, faults: Faults): readonly SchemaConfig[] | undefined => {
    const schemas = readSchemaList(node, path, faults);
    checkNames(node, faults);
    return schemas;
  },
  { wanted: readSchemaList.wanted },
);

/** Two schemas of one name could not be told apart by `--project`. */
function checkNames(list: ConfigNode, faults: Faults): void {
  const seen = new Set<string>();
  for (const schema of list.kind === "array" ? list.items : []) {
    const entry = textOf(schema, "entry");
    if (entry === undefined) continue;
    const naming = textOf(schema, "name") ?? entry;
    const name = naming === entry ? nameOf({ entry: entry.value }) : naming.value;
    if (seen.has(name)) faults.add("config-same-name", { name }, naming.span);
    seen.add(name);
  }
}

function textOf(node: ConfigNode, key: string): (ConfigNode & { readonly kind: "string" }) | undefined {
  const value = node.kind === "object" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
  return value?.kind === "string" ? value : undefined;
}

function byPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.at?.span.start ?? 0) - (b.at?.span.start ?? 0));
}

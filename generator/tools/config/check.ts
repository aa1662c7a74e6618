import { adapterNames, type RuntimeForm, runtimeForms, targetNames } from "../../codegen/options.ts";
import { type EnumForm, enumForms } from "../../codegen/plan/type-text.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import type { BuiltinErrorConfig, Config, SchemaConfig } from "./config.ts";
import { readContext } from "./context.ts";
import { readLint } from "./lint.ts";
import { projectName } from "./name.ts";
import { readOpenapi } from "./openapi.ts";
import {
  type ConfigNode,
  ErrorCollector,
  listReader,
  nameReader,
  type RawConfig,
  readBoolean,
  readObject,
  readText,
  rejectValue,
  type SettingReader,
  scalarReader,
} from "./read.ts";

export interface CheckedConfig {
  /** Undefined if there are errors. */
  readonly config: Config | undefined;
  /** All errors, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Validates a parsed configuration. Does not access files: a missing entry file is reported when the schema is read. */
export function checkConfig(raw: RawConfig): CheckedConfig {
  const faults = new ErrorCollector(raw);
  const config = readConfig(raw.root, faults);
  if (faults.diagnostics.length > 0)
    return { config: undefined, diagnostics: sortedByPosition(faults.diagnostics) };
  return { config: config as Config, diagnostics: [] };
}

function readConfig(node: ConfigNode, faults: ErrorCollector): Partial<Config> | undefined {
  if (node.kind !== "object") return rejectValue(node, "The configuration", faults, "an object");
  const shape = {
    strict: readBoolean,
    confineImports: readBoolean,
    lint: readLint,
    schemas: readSchemas,
  };
  // "$schema" names the JSON Schema for editors; it is not a setting.
  const entries = node.entries.filter(({ key, value }) => key !== "$schema" || value.kind !== "string");
  return readObject<Config>({ ...node, entries }, "", { shape, required: ["schemas"] }, faults);
}

const readSchema: SettingReader<SchemaConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): SchemaConfig | undefined => {
    if (node.kind !== "object") return rejectValue(node, path, faults, readSchema.expected);
    const schema = readObject<SchemaConfig>(node, path, { shape: schemaShape, required: ["entry"] }, faults);
    const ignore = node.entries.find(({ key }) => key === "ignore");
    if (ignore !== undefined && node.entries.some(({ key }) => key === "match")) {
      faults.add("config-exclusive", { path }, ignore.keySpan);
    }
    // A missing entry is reported as an error, and then the incomplete value is never used.
    return schema as SchemaConfig;
  },
  { expected: 'an object such as { "entry": "schema/api.ridl" }' },
);

const readInt64: SettingReader<"number" | "bigint"> = scalarReader('"number" or "bigint"', (node) =>
  node.kind === "string" && (node.value === "number" || node.value === "bigint") ? node.value : undefined,
);

const readTimestamps: SettingReader<"string" | "Date"> = scalarReader('"string" or "Date"', (node) =>
  node.kind === "string" && (node.value === "string" || node.value === "Date") ? node.value : undefined,
);

const readEnums: SettingReader<EnumForm> = scalarReader('"open" or "closed"', (node) =>
  enumForms.find((form) => node.kind === "string" && form === node.value),
);

const readRuntime: SettingReader<RuntimeForm> = scalarReader('"package" or "copy"', (node) =>
  runtimeForms.find((form) => node.kind === "string" && form === node.value),
);

const readImportExtension: SettingReader<".ts" | ".js" | "none"> = scalarReader(
  '".ts", ".js" or "none"',
  (node) =>
    node.kind === "string" && (node.value === ".ts" || node.value === ".js" || node.value === "none")
      ? node.value
      : undefined,
);

const readAnnotation: SettingReader<string> = scalarReader(
  'an annotation such as "@internal" or "@auth:jwt"',
  (node) => (node.kind === "string" && /^@[^,@:]+(:[^,]*)?$/.test(node.value) ? node.value : undefined),
);

const readAnnotations = listReader(
  readAnnotation,
  'a list of annotations such as ["@internal", "@auth:jwt"]',
);

const readAdapter: SettingReader<string> = nameReader(adapterNames);

const readTarget: SettingReader<string> = nameReader(targetNames);

const readBuiltinError: SettingReader<BuiltinErrorConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): BuiltinErrorConfig | undefined => {
    if (node.kind !== "object") return rejectValue(node, path, faults, readBuiltinError.expected);
    return readObject<BuiltinErrorConfig>(
      node,
      path,
      { shape: { name: readText, message: readText }, required: [] },
      faults,
    );
  },
  { expected: 'an object such as { "name": "WebrpcAborted" }' },
);

/** Keys are the error codes of the protocol. */
const readBuiltinErrors: SettingReader<Readonly<Record<string, BuiltinErrorConfig>>> = Object.assign(
  (
    node: ConfigNode,
    path: string,
    faults: ErrorCollector,
  ): Readonly<Record<string, BuiltinErrorConfig>> | undefined => {
    if (node.kind !== "object") return rejectValue(node, path, faults, readBuiltinErrors.expected);
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
  { expected: "an object with codes from -10 to 0 as keys" },
);

const schemaShape = {
  name: readText,
  entry: readText,
  strict: readBoolean,
  lint: readLint,
  hashParity: readBoolean,
  schemaVersion: readText,
  services: listReader(readText, "a list of names of services"),
  match: readAnnotations,
  ignore: readAnnotations,
  methodTreeShake: readBoolean,
  out: readText,
  handlers: readText,
  context: readContext,
  targets: listReader(readTarget, "a list of targets"),
  adapters: listReader(readAdapter, "a list of adapters"),
  builtinErrors: readBuiltinErrors,
  int64: readInt64,
  timestamps: readTimestamps,
  enums: readEnums,
  importExtension: readImportExtension,
  runtime: readRuntime,
  history: readText,
  templates: readText,
  openapi: readOpenapi,
};

const readSchemaList = listReader(readSchema, "a list of at least one schema");

const readSchemas: SettingReader<readonly SchemaConfig[]> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): readonly SchemaConfig[] | undefined => {
    const schemas = readSchemaList(node, path, faults);
    checkUniqueNames(node, faults);
    return schemas;
  },
  { expected: readSchemaList.expected },
);

/** `--project` selects a schema by name, so names must be unique. */
function checkUniqueNames(list: ConfigNode, faults: ErrorCollector): void {
  const seen = new Set<string>();
  for (const schema of list.kind === "array" ? list.items : []) {
    const entry = textOf(schema, "entry");
    if (entry === undefined) continue;
    const source = textOf(schema, "name") ?? entry;
    const name = source === entry ? projectName({ entry: entry.value }) : source.value;
    if (seen.has(name)) faults.add("config-same-name", { name }, source.span);
    seen.add(name);
  }
}

function textOf(node: ConfigNode, key: string): (ConfigNode & { readonly kind: "string" }) | undefined {
  const value = node.kind === "object" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
  return value?.kind === "string" ? value : undefined;
}

function sortedByPosition(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.at?.span.start ?? 0) - (b.at?.span.start ?? 0));
}

import { adapterNames, type RuntimeForm, runtimeForms, targetNames } from "../../codegen/options.ts";
import { type EnumForm, enumForms } from "../../codegen/plan/type-text.ts";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { lintRules } from "../../language/lint/rules/index.ts";
import { presetNames, severities } from "../../language/lint/settings.ts";
import type {
  Config,
  ConfigJson,
  LintConfig,
  OpenapiConfig,
  OpenapiServerConfig,
  ProtocolErrorConfig,
  SchemaConfig,
} from "./config.ts";
import { readContext } from "./context.ts";
import { projectName } from "./name.ts";
import {
  type ConfigNode,
  ErrorCollector,
  listReader,
  nameReader,
  objectReader,
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

const readInt64: SettingReader<"number" | "bigint"> = oneOf(["number", "bigint"]);

const readTimestamps: SettingReader<"string" | "Date"> = oneOf(["string", "Date"]);

const readEnums: SettingReader<EnumForm> = oneOf(enumForms);

const readRuntime: SettingReader<RuntimeForm> = oneOf(runtimeForms);

const readImportExtension: SettingReader<".ts" | ".js" | "none"> = oneOf([".ts", ".js", "none"]);

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

const readProtocolError: SettingReader<ProtocolErrorConfig> = objectReader(
  'an object such as { "name": "WebrpcAborted" }',
  { name: readText, message: readText },
);

/** Keys are the error codes of the protocol. */
const readProtocolErrors: SettingReader<Readonly<Record<string, ProtocolErrorConfig>>> = objectReader(
  "an object with codes from -10 to 0 as keys",
  Object.fromEntries(Array.from({ length: 11 }, (_, index) => [String(0 - index), readProtocolError])),
);

const readPreset: SettingReader<string> = oneOf(presetNames);
const readSeverity: SettingReader<string> = oneOf(severities);

const readSeverities: SettingReader<Readonly<Record<string, string>>> = objectReader(
  `${readPreset.expected}, or an object such as { "missing-docs": "warning" }`,
  { preset: readPreset, ...Object.fromEntries(lintRules.map(({ name }) => [name, readSeverity])) },
);

/** Reads a preset, or an object with a preset and severities by rule. */
const readLint: SettingReader<LintConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): LintConfig | undefined =>
    (node.kind === "string" ? readPreset : readSeverities)(node, path, faults) as LintConfig | undefined,
  { expected: readSeverities.expected },
);

/** `["off", "warning", "error"]` → `"off", "warning" or "error"`. */
function oneOf<Word extends string>(words: readonly Word[]): SettingReader<Word> {
  const quoted = words.map((word) => `"${word}"`);
  return scalarReader(`${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`, (node) =>
    node.kind === "string" ? words.find((word) => word === node.value) : undefined,
  );
}

const readFormat: SettingReader<"yaml" | "json"> = oneOf(["yaml", "json"]);

/** YAML reads 3.2 without quotes as a number, and 3.0 as 3. */
const readVersion: SettingReader<NonNullable<OpenapiConfig["version"]>> = scalarReader(
  '"3.0", "3.1" or "3.2"',
  (node) => {
    const text = node.kind === "number" ? node.value.toFixed(1) : node.kind === "string" ? node.value : "";
    return (["3.0", "3.1", "3.2"] as const).find((version) => version === text);
  },
);

const readServer: SettingReader<OpenapiServerConfig> = objectReader(
  'an object such as { "url": "https://api.example.com" }',
  { url: readText, description: readText },
  ["url"],
);

/** Security schemes are defined by OpenAPI; they are copied to the document unchecked. */
const readSchemes: SettingReader<Readonly<Record<string, ConfigJson>>> = Object.assign(
  (
    node: ConfigNode,
    path: string,
    faults: ErrorCollector,
  ): Readonly<Record<string, ConfigJson>> | undefined => {
    if (node.kind !== "object") return rejectValue(node, path, faults, readSchemes.expected);
    const schemes = node.entries.flatMap(({ key, value }) => {
      const scheme = value.kind === "object" ? jsonOf(value) : undefined;
      if (scheme !== undefined) return [[key, scheme] as const];
      rejectValue(value, `${path}.${key}`, faults, schemeWanted);
      return [];
    });
    return Object.fromEntries(schemes);
  },
  { expected: "an object with security schemes by name" },
);

const schemeWanted = 'a security scheme such as { "type": "http", "scheme": "bearer" }';

const readOpenapi: SettingReader<OpenapiConfig> = objectReader('an object such as { "format": "json" }', {
  format: readFormat,
  version: readVersion,
  title: readText,
  servers: listReader(readServer, "a list of servers"),
  securityAnnotation: readText,
  securitySchemes: readSchemes,
});

function jsonOf(node: ConfigNode): ConfigJson | undefined {
  switch (node.kind) {
    case "object": {
      const entries = node.entries.map(({ key, value }) => [key, jsonOf(value)] as const);
      return entries.some(([, value]) => value === undefined)
        ? undefined
        : (Object.fromEntries(entries) as Readonly<Record<string, ConfigJson>>);
    }
    case "array": {
      const items = node.items.map(jsonOf);
      return items.some((item) => item === undefined) ? undefined : (items as readonly ConfigJson[]);
    }
    case "string":
    case "number":
    case "boolean":
      return node.value;
    case "null":
      return null;
    case "other":
      return undefined;
  }
}

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
  protocolErrors: readProtocolErrors,
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

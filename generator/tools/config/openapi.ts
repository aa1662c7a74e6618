import type { ConfigJson, OpenapiConfig, OpenapiServerConfig } from "./config.ts";
import {
  type ConfigNode,
  type ErrorCollector,
  listReader,
  readObject,
  readText,
  rejectValue,
  type SettingReader,
  scalarReader,
} from "./read.ts";

const readForm: SettingReader<"yaml" | "json"> = scalarReader('"yaml" or "json"', (node) =>
  node.kind === "string" && (node.value === "yaml" || node.value === "json") ? node.value : undefined,
);

/** YAML reads 3.2 without quotes as a number, and 3.0 as 3. */
const readVersion: SettingReader<NonNullable<OpenapiConfig["version"]>> = scalarReader(
  '"3.0", "3.1" or "3.2"',
  (node) => {
    const text = node.kind === "number" ? node.value.toFixed(1) : node.kind === "string" ? node.value : "";
    return (["3.0", "3.1", "3.2"] as const).find((version) => version === text);
  },
);

const readServer: SettingReader<OpenapiServerConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): OpenapiServerConfig | undefined => {
    if (node.kind !== "object") return rejectValue(node, path, faults, readServer.expected);
    const shape = { url: readText, description: readText };
    return readObject<OpenapiServerConfig>(
      node,
      path,
      { shape, required: ["url"] },
      faults,
    ) as OpenapiServerConfig;
  },
  { expected: 'an object such as { "url": "https://api.example.com" }' },
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

const shape = {
  form: readForm,
  version: readVersion,
  title: readText,
  servers: listReader(readServer, "a list of servers"),
  securityAnnotation: readText,
  securitySchemes: readSchemes,
};

export const readOpenapi: SettingReader<OpenapiConfig> = Object.assign(
  (node: ConfigNode, path: string, faults: ErrorCollector): OpenapiConfig | undefined => {
    if (node.kind !== "object") return rejectValue(node, path, faults, readOpenapi.expected);
    return readObject<OpenapiConfig>(node, path, { shape, required: [] }, faults);
  },
  { expected: 'an object such as { "form": "json" }' },
);

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

import type { OpenapiOptions } from "../../../codegen/emit/openapi/options.ts";
import type { Json } from "../../../codegen/plan/json.ts";
import type { Int64Form } from "../../../codegen/plan/value-forms.ts";
import { type FlagError, type Flags, isFlagError, type OptionReaders, readOptions } from "./flags.ts";

interface OpenapiFlags {
  readonly title: string;
  readonly apiVersion: string;
  readonly serverUrl: string;
  readonly serverDescription: string;
  readonly servers: string;
  readonly securityAnnotation: string;
  readonly securitySchemes: Readonly<Record<string, Json>>;
  readonly int64: Int64Form;
}

const text = (value: string): string => value;

const readers: OptionReaders<OpenapiFlags> = {
  title: text,
  apiVersion: text,
  serverUrl: text,
  serverDescription: text,
  servers: text,
  securityAnnotation: (value) => value.replace(/^@/, ""),
  securitySchemes: readSchemes,
  int64: (value) => (value === "number" || value === "bigint" ? value : undefined),
};

const defaults: OpenapiFlags = {
  title: "",
  apiVersion: "",
  serverUrl: "",
  serverDescription: "",
  servers: "",
  securityAnnotation: "",
  securitySchemes: {},
  // The documented server may be written in any language, where integers have 64 bits.
  int64: "bigint",
};

export interface OpenapiRequest {
  readonly options: OpenapiOptions;
  /** Replaces the schema's version unless empty. */
  readonly apiVersion: string;
  /** "number" limits 64-bit integers to 2^53 - 1, as in JavaScript. */
  readonly int64: Int64Form;
}

/** Reads gen-openapi's options. The extension of -out selects YAML or JSON. */
export function openapiOptions(flags: Flags): OpenapiRequest | FlagError {
  const read = readOptions("openapi", flags, readers, defaults);
  if (isFlagError(read)) return read;
  const listed = read.servers
    .split(",")
    .filter((server) => server !== "")
    .map((server) => server.split(";"))
    .map(([url = "", description]) => serverOf(url, description));
  const own = read.serverUrl === "" ? [] : [serverOf(read.serverUrl, read.serverDescription)];
  return {
    apiVersion: read.apiVersion,
    int64: read.int64,
    options: {
      form: flags.get("out")?.endsWith(".json") === true ? "json" : "yaml",
      servers: [...listed, ...own],
      securitySchemes: read.securitySchemes,
      ...(read.title === "" ? {} : { title: read.title }),
      ...(read.securityAnnotation === "" ? {} : { securityAnnotation: read.securityAnnotation }),
    },
  };
}

function serverOf(url: string, description = ""): { readonly url: string; readonly description?: string } {
  return description === "" ? { url } : { url, description };
}

/** Parses JSON. Also accepts single quotes and a trailing comma, as in gen-openapi's own examples. */
function readSchemes(value: string): Readonly<Record<string, Json>> | undefined {
  for (const form of [value, value.replaceAll("'", '"').replace(/,(\s*})/g, "$1")]) {
    try {
      const schemes: unknown = JSON.parse(form);
      if (typeof schemes === "object" && schemes !== null && !Array.isArray(schemes))
        return schemes as Readonly<Record<string, Json>>;
    } catch {
      // Try the next form.
    }
  }
  return undefined;
}

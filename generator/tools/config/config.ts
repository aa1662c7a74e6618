/** The content of `ridlkit.config.*` or of the key "ridlkit" in package.json. Flags and the environment override it. */
export interface Config {
  /** Report errors that webrpc accepts. Default false. */
  readonly strict?: boolean;
  /** Reject imports outside the configuration's folder, by path or by symbolic link. Default false. */
  readonly confineImports?: boolean;
  /** Rules that `ridlkit lint` checks: a preset, or a severity for each rule. Default "default". */
  readonly lint?: LintConfig;
  /** At least one schema. */
  readonly schemas: readonly SchemaConfig[];
}

/** One schema and its settings. */
export interface SchemaConfig {
  /** Unique name for `--project`. Default: the file name of `entry` without its extension. */
  readonly name?: string;
  /** Path of the root file, relative to the configuration file. */
  readonly entry: string;
  /** Overrides the top-level `strict`. */
  readonly strict?: boolean;
  /** Overrides the top-level `lint`. */
  readonly lint?: LintConfig;
  /** Write non-ASCII values as webrpc does, so that both compute the same schema hash. Default false. */
  readonly hashParity?: boolean;
  /** Replaces the version in the schema. */
  readonly schemaVersion?: string;
  /** Keep only these services. */
  readonly services?: readonly string[];
  /** Keep only methods with one of these annotations: `["@public", "@auth:jwt"]`. Excludes `ignore`. */
  readonly match?: readonly string[];
  /** Drop methods with one of these annotations. Excludes `match`. */
  readonly ignore?: readonly string[];
  /** With `services`: also drop types that no kept method needs. Default false. */
  readonly methodTreeShake?: boolean;
  /** Output folder of `generate`, relative to the configuration file. Required by `generate`. */
  readonly out?: string;
  /**
   * What `generate` writes: types, errors, client, server, validators, recorder, undici, json, openapi. Default: the first five.
   * `recorder` writes the calls of a server to a file, `undici` is a faster client transport for Node, and `json` is the IR.
   */
  readonly targets?: readonly string[];
  /** Frameworks to generate server adapters for: koa, node, fetch, express, fastify, hono. Default: koa. */
  readonly adapters?: readonly string[];
  /**
   * "single" writes one file for each target. "services" writes one file for each service, for schemas with many services that are
   * loaded and changed separately. Default "single".
   */
  readonly layout?: "single" | "services";
  /** Folder of the hand-written handlers, relative to the configuration file. Required by `scaffold`. */
  readonly handlers?: string;
  /** The type of `ctx.host` in the handlers that `scaffold` writes. Default: unknown. */
  readonly context?: ContextConfig;
  /** Names and messages that replace those of the built-in errors, by code: `{ "-8": { name: "WebrpcClientDisconnected" } }`. */
  readonly builtinErrors?: Readonly<Record<string, BuiltinErrorConfig>>;
  /**
   * The TypeScript type of int64 and uint64. Default "number", which holds up to 2^53 - 1; larger values are rejected. "bigint" holds
   * all 64 bits. JSON contains numbers in both cases.
   */
  readonly int64?: "number" | "bigint";
  /**
   * The TypeScript type of timestamps. Default "string", which keeps all digits of the fraction. "Date" holds milliseconds: reading cuts
   * further digits, and writing produces three. An invalid Date, or one outside the years 0000 to 9999, is rejected with its path.
   */
  readonly timestamps?: "string" | "Date";
  /**
   * The extension in imports between generated files. Default ".ts", which needs "allowImportingTsExtensions" or
   * "rewriteRelativeImportExtensions". Use ".js" if tsc emits JavaScript, and "none" for bundlers such as those of Next.js and Vite.
   */
  readonly importExtension?: ".ts" | ".js" | "none";
  /** Folder of custom templates, relative to the configuration file. See docs/templates.md. */
  readonly templates?: string;
  /** Settings of the target `openapi` that a schema cannot express. */
  readonly openapi?: OpenapiConfig;
}

/** `{ type: "Caller", from: "./server/caller.ts" }`: an exported type and its module. */
export interface ContextConfig {
  /** Name of the type, without type arguments. */
  readonly type: string;
  /** A path from the configuration file that starts with "./" or "../", or a package name. */
  readonly from: string;
}

export interface OpenapiConfig {
  /** Default "yaml". */
  readonly form?: "yaml" | "json";
  /** Default: the schema's name. */
  readonly title?: string;
  /** Server URLs without the basepath, which is part of each path in the document. */
  readonly servers?: readonly OpenapiServerConfig[];
  /** The annotation that lists all security schemes that a call needs: `@auth:"accessKey,secretKey"`. Default "auth". */
  readonly securityAnnotation?: string;
  /** OpenAPI security schemes by name: `{ accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" } }`. */
  readonly securitySchemes?: Readonly<Record<string, ConfigJson>>;
}

export interface OpenapiServerConfig {
  readonly url: string;
  readonly description?: string;
}

/** Any JSON value. */
export type ConfigJson =
  | null
  | boolean
  | number
  | string
  | readonly ConfigJson[]
  | { readonly [key: string]: ConfigJson };

/**
 * A preset: `"off"` has no rules, `"default"` only the rule against slow patterns, `"recommended"` the rules that suit nearly every
 * schema, and `"strict"` all rules. An object sets severities by rule name and overrides those of `preset`:
 * `{ preset: "recommended", "missing-docs": "error" }`.
 */
export type LintConfig = "off" | "default" | "recommended" | "strict" | LintRules;

export interface LintRules {
  /** Default "default". */
  readonly preset?: "off" | "default" | "recommended" | "strict";
  /** `off`, `warning` or `error`. */
  readonly [rule: string]: string | undefined;
}

export interface BuiltinErrorConfig {
  readonly name?: string;
  readonly message?: string;
}

/**
 * Types a configuration in the editor:
 * `export default defineConfig({ schemas: [{ entry: "schema/api.ridl" }] })`.
 */
export function defineConfig(config: Config): Config {
  return config;
}

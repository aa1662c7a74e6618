/** The content of `ridlkit.config.*`. Flags and environment variables override it. */
export interface Config {
  /** Treat warnings as errors. Default: false. */
  readonly strict?: boolean;
  /** Reject imports of files outside the folder of the configuration, by path or by symbolic link. Default: false. */
  readonly confineImports?: boolean;
  /** Style rules of `ridlkit lint`: a preset, or severities by rule. Default: "default". */
  readonly lint?: LintConfig;
  /** At least one schema. */
  readonly schemas: readonly SchemaConfig[];
}

/** A schema and the settings for it. */
export interface SchemaConfig {
  /** The unique name for `--project`. Default: the file name of `entry` without extension. */
  readonly name?: string;
  /** Path of the entry file, relative to the configuration file. */
  readonly entry: string;
  /** Overrides the top-level `strict`. */
  readonly strict?: boolean;
  /** Overrides the top-level `lint`. */
  readonly lint?: LintConfig;
  /** Encode non-ASCII values as webrpc does, so that schema hashes are equal. Default: false. */
  readonly hashParity?: boolean;
  /** Replaces the version of the schema. */
  readonly schemaVersion?: string;
  /** Include only these services. */
  readonly services?: readonly string[];
  /** Include only methods with one of these annotations: `["@public", "@auth:jwt"]`. Cannot be combined with `ignore`. */
  readonly match?: readonly string[];
  /** Exclude methods with one of these annotations. */
  readonly ignore?: readonly string[];
  /** With `services`: exclude types that the included methods do not use. Default: false. */
  readonly methodTreeShake?: boolean;
  /** Output folder of `generate`, relative to the configuration file. Required for `generate`. */
  readonly out?: string;
  /**
   * Targets of `generate`: types, errors, client, server, validators, recorder, standard-schema, mcp, json, openapi, explorer.
   * Default: the first five. "recorder" writes the calls of a server to a file. "standard-schema" has a Standard Schema for each type. "mcp" is
   * a server for agents. "json" is the IR. "explorer" is a page that calls the methods of a server, and with the target server also
   * `withExplorer`, which adds the page to it.
   */
  readonly targets?: readonly string[];
  /**
   * What generated code is connected to. Frameworks of the server: koa, node, fetch, express, fastify, hono. Libraries of the client: undici,
   * tanstack-query. With copies of the runtime, the modules of these are copied. Default: koa.
   */
  readonly adapters?: readonly string[];
  /** Folder of the hand-written handlers, relative to the configuration file. Required for `scaffold` and `dev`. */
  readonly handlers?: string;
  /** The type of `ctx.context` in the handlers that `scaffold` writes. Default: unknown. */
  readonly context?: ContextConfig;
  /** Overrides names and messages of protocol errors, by code: `{ "-8": { name: "WebrpcClientDisconnected" } }`. */
  readonly protocolErrors?: Readonly<Record<string, ProtocolErrorConfig>>;
  /**
   * The TypeScript type of int64 and uint64. "number" (default) holds up to 2^53 - 1; greater values are rejected. "bigint" holds all values.
   * On the wire they are numbers in both cases.
   */
  readonly int64?: "number" | "bigint";
  /**
   * The TypeScript type of timestamps. "string" (default) keeps all fractional digits. "Date" holds milliseconds: reading truncates to them, and
   * writing prints three digits. An invalid Date, or one outside the years 0000 to 9999, is rejected with its path.
   */
  readonly timestamps?: "string" | "Date";
  /**
   * The TypeScript type of enums in responses. "open" admits values that a newer server added. With "closed", a client rejects them.
   * Default: "open" for targets with a client, otherwise "closed".
   */
  readonly enums?: "open" | "closed";
  /**
   * The extension of imports between generated files. ".ts" (default) requires "allowImportingTsExtensions" or "rewriteRelativeImportExtensions".
   * ".js" is for projects in which tsc emits JavaScript, "none" for bundlers such as those of Next.js and Vite.
   */
  readonly importExtension?: ".ts" | ".js" | "none";
  /**
   * Where generated code finds its runtime. "package" (default): in the package ridlkit-runtime, on which the project depends. "copy": in copies
   * of the modules that it imports, in the folder "runtime" of `out`.
   */
  readonly runtime?: "package" | "copy";
  /**
   * Folder of the kept versions of this contract, relative to the configuration file: `ridlkit history add` writes a file for each. See
   * docs/changing-safely.md.
   */
  readonly history?: string;
  /** Folder of custom templates, relative to the configuration file. See docs/templates.md. */
  readonly templates?: string;
  /** Settings of the target openapi that a schema cannot express. */
  readonly openapi?: OpenapiConfig;
}

/** An exported type and its module: `{ type: "Caller", from: "./server/caller.ts" }`. */
export interface ContextConfig {
  /** Name of the type, without type arguments. */
  readonly type: string;
  /** The module: a path relative to the configuration file that starts with "./" or "../", or a package. */
  readonly from: string;
}

export interface OpenapiConfig {
  /** Format of the document. Default: "yaml". */
  readonly format?: "yaml" | "json";
  /**
   * Version of OpenAPI. 3.0 is for tools that do not know 3.1. 3.2 describes items of streams and the verb QUERY without
   * extensions. Default: "3.1".
   */
  readonly version?: "3.0" | "3.1" | "3.2";
  /** Title of the document. Default: the name of the schema. */
  readonly title?: string;
  /** URLs of servers, without the basepath. */
  readonly servers?: readonly OpenapiServerConfig[];
  /** The annotation that lists security schemes; a call needs all of them: `@auth:"accessKey,secretKey"`. Default: "auth". */
  readonly securityAnnotation?: string;
  /** OpenAPI security schemes by name: `{ accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" } }`. */
  readonly securitySchemes?: Readonly<Record<string, ConfigJson>>;
}

export interface OpenapiServerConfig {
  readonly url: string;
  readonly description?: string;
}

/** A JSON value. */
export type ConfigJson =
  | null
  | boolean
  | number
  | string
  | readonly ConfigJson[]
  | { readonly [key: string]: ConfigJson };

/**
 * A preset: `"off"` has no rules, `"default"` has three rules, whose findings are nearly always mistakes, `"recommended"` has rules that suit
 * nearly every schema, `"strict"` has all rules. Or an object that overrides the severity of individual rules of a preset:
 * `{ preset: "recommended", "missing-docs": "error" }`.
 */
export type LintConfig = "off" | "default" | "recommended" | "strict" | LintRules;

export interface LintRules {
  /** Default: "default". */
  readonly preset?: "off" | "default" | "recommended" | "strict";
  /** Severity of a rule: `off`, `warning` or `error`. */
  readonly [rule: string]: string | undefined;
}

export interface ProtocolErrorConfig {
  readonly name?: string;
  readonly message?: string;
}

/**
 * Gives editors the types of a configuration:
 * `export default defineConfig({ schemas: [{ entry: "schema/api.ridl" }] })`.
 */
export function defineConfig(config: Config): Config {
  return config;
}

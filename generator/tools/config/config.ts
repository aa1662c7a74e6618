/** What `ridlkit.config.*` or the key "ridlkit" of package.json says. Flags and the environment go before it. */
export interface Config {
  /** Refuse also what webrpc lets pass. Default false. */
  readonly strict?: boolean;
  /** Refuse imports that lead out of the folder of the configuration, by their path or by a symbolic link. Default false. */
  readonly confineImports?: boolean;
  /** Rules that `ridlkit lint` looks for: a preset, or severities by rule. Default "default". */
  readonly lint?: LintConfig;
  /** At least one. */
  readonly schemas: readonly SchemaConfig[];
}

/** One schema and how to read it. */
export interface SchemaConfig {
  /** For `--project`; unique. Default: the file name of `entry` without its extension. */
  readonly name?: string;
  /** Path of the root file, relative to the configuration file. */
  readonly entry: string;
  /** Goes before the `strict` of the whole configuration. */
  readonly strict?: boolean;
  /** Goes before the `lint` of the whole configuration. */
  readonly lint?: LintConfig;
  /** Write non-ASCII values as webrpc does, so that schema hashes are equal. Default false. */
  readonly hashParity?: boolean;
  /** Replaces the version that the schema states. */
  readonly schemaVersion?: string;
  /** Keep only these services. */
  readonly services?: readonly string[];
  /** Keep only methods with one of these annotations: `["@public", "@auth:jwt"]`. Not together with `ignore`. */
  readonly match?: readonly string[];
  /** Drop methods with one of these annotations. */
  readonly ignore?: readonly string[];
  /** With `services`: drop also the types that no kept method needs. Default false. */
  readonly methodTreeShake?: boolean;
  /** Folder that `generate` writes into, relative to the configuration file. Needed for `generate`. */
  readonly out?: string;
  /**
   * What `generate` makes of it: types, errors, client, server, validators, recorder, undici, json, openapi. Default: the first five. A recorder
   * writes the calls of a server to a file, undici is a faster transport of the client for Node, json is the IR.
   */
  readonly targets?: readonly string[];
  /** What the generated server is a part of: koa, node, fetch, express, fastify, hono. Default: koa. Others are not written. */
  readonly adapters?: readonly string[];
  /**
   * Default "single": a file a target. "services": a file a service, for a schema of many, whose users load and change one at a time.
   */
  readonly layout?: "single" | "services";
  /** Folder of the hand-written handlers, relative to the configuration file. Needed for `scaffold`. */
  readonly handlers?: string;
  /** The type of `ctx.host` in the handlers that `scaffold` writes. Default: unknown. */
  readonly context?: ContextConfig;
  /** Other names and messages for the errors of the protocol, by code: `{ "-8": { name: "WebrpcClientDisconnected" } }`. */
  readonly builtinErrors?: Readonly<Record<string, BuiltinErrorConfig>>;
  /**
   * What int64 and uint64 are in TypeScript. Default "number", which holds up to 2^53 - 1: more is refused. "bigint" holds all of them;
   * on the wire they are numbers either way.
   */
  readonly int64?: "number" | "bigint";
  /**
   * What timestamps are in TypeScript. Default "string", which keeps all digits of a fraction. A "Date" holds milliseconds: what is read is cut
   * to them, and what is written has three digits. An invalid Date, or one outside the years 0000 to 9999, is refused with its path.
   */
  readonly timestamps?: "string" | "Date";
  /**
   * How generated files import each other. Default ".ts", which needs "allowImportingTsExtensions" or "rewriteRelativeImportExtensions". ".js" is for
   * tsc that writes JavaScript, "none" for bundlers, such as those of Next.js and Vite.
   */
  readonly importExtension?: ".ts" | ".js" | "none";
  /** Folder with templates of yours, relative to the configuration file: docs/templates.md. */
  readonly templates?: string;
  /** What the target openapi says that no schema can. */
  readonly openapi?: OpenapiConfig;
}

/** `{ type: "Caller", from: "./server/caller.ts" }`: an exported type and its module. */
export interface ContextConfig {
  /** Its name, without type arguments. */
  readonly type: string;
  /** A path from the configuration file that starts with "./" or "../", or the name of a package. */
  readonly from: string;
}

export interface OpenapiConfig {
  /** Default "yaml". */
  readonly form?: "yaml" | "json";
  /** Default: the name of the schema. */
  readonly title?: string;
  /** Addresses without the basepath, which is part of the paths. */
  readonly servers?: readonly OpenapiServerConfig[];
  /** The annotation whose value names the schemes that a call needs, all of them: `@auth:"accessKey,secretKey"`. Default "auth". */
  readonly securityAnnotation?: string;
  /** By name, as OpenAPI describes them: `{ accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" } }`. */
  readonly securitySchemes?: Readonly<Record<string, ConfigJson>>;
}

export interface OpenapiServerConfig {
  readonly url: string;
  readonly description?: string;
}

/** A value as JSON has it. */
export type ConfigJson =
  | null
  | boolean
  | number
  | string
  | readonly ConfigJson[]
  | { readonly [key: string]: ConfigJson };

/**
 * `"off"` has no rules, `"default"` the one for patterns that take too long, `"recommended"` those that hold for nearly every schema,
 * `"strict"` all of them. As an object: severities by the name of a rule, on top of those of `preset`:
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
 * Types a configuration while it is written:
 * `export default defineConfig({ schemas: [{ entry: "schema/api.ridl" }] })`.
 */
export function defineConfig(config: Config): Config {
  return config;
}

/** The options of code generation, with their defaults. */
import type { PlanOptions } from "./plan/build.ts";
import type { Json } from "./plan/json.ts";
import type { Plan } from "./plan/plan.ts";

/** All targets, in the order in which their files are generated. */
export const targetNames = [
  "types",
  "errors",
  "client",
  "server",
  "validators",
  "recorder",
  "standard-schema",
  "mcp",
  "json",
  "openapi",
  "explorer",
] as const;

/** The default targets. */
export const standardTargets: readonly TargetName[] = ["types", "errors", "client", "server", "validators"];

export type TargetName = (typeof targetNames)[number];

export function isTargetName(name: string): name is TargetName {
  return (targetNames as readonly string[]).includes(name);
}

/** What generated code can be connected to: frameworks of servers, then libraries of clients. */
export const adapterNames = [
  "koa",
  "node",
  "fetch",
  "express",
  "fastify",
  "hono",
  "undici",
  "tanstack-query",
] as const;

export type AdapterName = (typeof adapterNames)[number];

export function isAdapterName(name: string): name is AdapterName {
  return (adapterNames as readonly string[]).includes(name);
}

/** Where generated code finds its runtime: in the package `ridlkit-runtime`, or in copies of its modules in the output folder. */
export const runtimeForms = ["package", "copy"] as const;

export type RuntimeForm = (typeof runtimeForms)[number];

/** Details of an OpenAPI document that a schema does not contain. */
export interface OpenapiOptions {
  /** Default "yaml". */
  readonly format?: "yaml" | "json";
  /** Version of OpenAPI. Default "3.1". */
  readonly version?: OpenapiVersion;
  /** Default: the name of the schema. */
  readonly title?: string;
  /** URLs without the basepath, which is part of the paths. Default: where the document is served. */
  readonly servers?: readonly OpenapiServer[];
  /**
   * The annotation that lists the security schemes of a method, separated by commas; a call needs all of them. Default
   * "auth".
   */
  readonly securityAnnotation?: string;
  /** By name, as in OpenAPI: `{ accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" } }`. */
  readonly securitySchemes?: Readonly<Record<string, Json>>;
}

/**
 * 3.2 describes the items of streams and the verb QUERY, for which older versions need extensions. 3.0 is for tools that do
 * not read JSON Schema 2020-12; it lacks the names of map keys.
 */
export const openapiVersions = ["3.0", "3.1", "3.2"] as const;

export type OpenapiVersion = (typeof openapiVersions)[number];

interface OpenapiServer {
  readonly url: string;
  readonly description?: string;
}

/** A file to be written. Its path is relative to the output folder and uses "/". */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

/** Custom templates, ready to print. */
export interface CustomTemplates {
  /** Custom templates that replace built-in ones, by name. */
  readonly overrides: Overrides;
  readonly targets: readonly CustomTarget[];
}

export interface CustomTarget {
  /** Name of the folder, in the templates and in the output. */
  readonly name: string;
  emit(plan: Plan): readonly EmittedFile[];
}

/** Custom templates by the name of the built-in template that they replace: `types/types`. */
export type Overrides = ReadonlyMap<string, CustomTemplate>;

export type CustomTemplate = (view: object) => string;

/** How generated files import each other: `"./types.ts"`, `"./types.js"` or `"./types"`. The files themselves end with `.ts`. */
export type ImportExtension = ".ts" | ".js" | "none";

export interface Options extends PlanOptions {
  /** With those that they depend on. */
  readonly targets: ReadonlySet<TargetName>;
  /** The frameworks that the server can be mounted in, and libraries of clients. */
  readonly adapters: readonly AdapterName[];
  readonly runtime: RuntimeForm;
  readonly importExtension: ImportExtension;
  readonly openapi: OpenapiOptions;
  readonly templates: CustomTemplates;
  /** The files of the target explorer. Its page is built apart from the generator. */
  readonly explorer: readonly EmittedFile[];
}

/** Options without a value have their defaults. */
export type GivenOptions = {
  readonly [Name in Exclude<keyof Options, "targets">]?: Options[Name] | undefined;
} & { readonly targets?: Iterable<TargetName> | undefined };

export function resolveOptions(given: GivenOptions): Options {
  const targets = withNeededTargets([...(given.targets ?? [])]);
  return {
    schemaFile: given.schemaFile ?? "",
    protocolErrors: given.protocolErrors ?? {},
    int64: given.int64 ?? "number",
    timestamps: given.timestamps ?? "string",
    // Only clients receive unknown enum values: a server checks its requests and its own responses.
    enums: given.enums ?? (targets.has("client") ? "open" : "closed"),
    history: given.history ?? [],
    targets,
    adapters: given.adapters ?? ["koa"],
    runtime: given.runtime ?? "package",
    importExtension: given.importExtension ?? ".ts",
    openapi: given.openapi ?? {},
    templates: given.templates ?? { overrides: new Map(), targets: [] },
    explorer: given.explorer ?? [],
  };
}

/** Targets whose files a target imports. */
const neededTargets: Readonly<Partial<Record<TargetName, readonly TargetName[]>>> = {
  client: ["types", "errors"],
  server: ["types", "validators"],
  recorder: ["server"],
  "standard-schema": ["types"],
};

function withNeededTargets(wanted: readonly TargetName[]): ReadonlySet<TargetName> {
  const chosen = new Set(wanted.length === 0 ? standardTargets : wanted);
  // Iterating a Set includes elements added during the loop.
  for (const name of chosen) for (const needed of neededTargets[name] ?? []) chosen.add(needed);
  return chosen;
}

/** The modules of the runtime that connect a server. Express and Fastify use Node's HTTP server, Hono uses `fetch`. */
export const serverModules: Readonly<Partial<Record<AdapterName, string>>> = {
  koa: "koa",
  node: "node",
  express: "node",
  fastify: "node",
  fetch: "fetch",
  hono: "fetch",
};

export function modulesOfServer({ adapters }: Pick<Options, "adapters">): readonly string[] {
  return adapters.flatMap((adapter) => serverModules[adapter] ?? []);
}

/**
 * Where handlers find uploads: platforms with `fetch` may have no disk, Node has one. With adapters for both, the "exports" of the
 * package decide. Copies have none, and a bundle for a platform without Node must not reach the module for disks: servers on Node
 * pass that one as an option.
 *
 * `module` has the function `uploadReceiver`, and `typeModule` the type of the files, which clients import too.
 */
export function uploadModules(options: Pick<Options, "adapters" | "runtime">): {
  readonly module: string;
  readonly typeModule: string;
  /** Imported by users only. */
  readonly alternative?: string;
} {
  const modules = modulesOfServer(options);
  if (!modules.includes("fetch")) return { module: "uploads-on-disk", typeModule: "uploaded-file-on-disk" };
  if (modules.every((module) => module === "fetch"))
    return { module: "uploads-in-memory", typeModule: "uploaded-file-in-memory" };
  return options.runtime === "copy"
    ? { module: "uploads-in-memory", typeModule: "uploaded-file", alternative: "uploads-on-disk" }
    : { module: "uploads-by-runtime", typeModule: "uploaded-file" };
}

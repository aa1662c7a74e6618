import type { RuntimeFeature } from "./runtime-text.ts";

/** Path of the runtime. Its version is that of the interface between runtime and generated code. */
export const runtimeFolder = "runtime/v1";

/**
 * The runtime files that are written, and the sources that each contains. Only sources that are needed are included.
 * Sources that are not listed belong to `server.ts`. Files import only from files above them in the table, and from
 * `server.ts`.
 */
const modules: Readonly<Record<string, readonly string[]>> = {
  common: [
    "date",
    "errors",
    "int64-json",
    "issue",
    "json-codec",
    "json-string",
    "own-property",
    "standard-json-schema",
    "standard-schema",
    "storable-text",
    "uploaded-file",
    "validation",
    "validation-alias",
    "validation-any",
    "validation-decode",
    "validation-depth",
    "validation-description",
    "validation-faults",
    "validation-items",
    "validation-object",
    "validation-property",
    "validation-secret",
    "validation-text",
    "validation-timestamp",
    "validation-write",
    "validators",
  ],
  client: [
    "bigint",
    "bounded-text",
    "canonical-json",
    "chain",
    "client",
    "client-date",
    "client-request",
    "client-response",
    "client-send",
    "etag",
    "file-method",
    "file-stream-method",
    "json-values",
    "keyed-method",
    "known-enum",
    "method",
    "one-of",
    "paged",
    "pages",
    "read-forms",
    "read-method",
    "reauthenticate",
    "received-file",
    "repeated-page",
    "request-form",
    "result",
    "resumable-method",
    "retries",
    "routed-method",
    "routed-transport",
    "shape",
    "sleep",
    "stream",
    "stream-callbacks",
    "stream-items",
    "stream-method",
    "transport",
    "transport-fetch-bounded",
    "transport-memory",
    "with-response",
  ],
  "transport-undici": ["transport-undici", "transport-undici-stream", "undici-dispatcher"],
  "tanstack-query": ["tanstack-query"],
  mcp: [
    "mcp-api",
    "mcp-call",
    "mcp-cut",
    "mcp-describe",
    "mcp-options",
    "mcp-request",
    "mcp-response",
    "mcp-result",
    "mcp-search",
    "mcp-tools",
    "mcp-types",
    "mcp-values",
    "mcp-words",
  ],
  "node-http": ["body", "node-http", "node-transport"],
  koa: ["koa"],
  fetch: ["fetch"],
  uploads: [
    "upload-folder",
    "upload-form",
    "uploaded-file-in-memory",
    "uploads-in-memory",
    "uploads-on-disk",
    "watched-form",
  ],
  recorder: ["recorded-api", "recorder", "recording-file"],
  explorer: ["explorer", "explorer-files"],
};

/** In a client with routes, transports send more than POST, so one source replaces another. */
export const routedSources: Readonly<Record<string, string>> = { "transport.ts": "routed-transport.ts" };

/** By feature: sources that generated code imports if it uses the feature, in a client or in a server. */
export const featureSources: Readonly<Record<RuntimeFeature, readonly string[]>> = {
  explorer: ["explorer.ts"],
  keys: ["keyed-method.ts", "keys-in-memory.ts"],
  reads: ["etag.ts", "read-handler.ts", "file-read-handler.ts"],
};

const nodeModule = `${runtimeFolder}/node-http.ts`;

const moduleBySource = new Map(
  Object.entries(modules).flatMap(([module, sources]) =>
    [module, ...sources].map((source) => [source, `${runtimeFolder}/${module}.ts`] as const),
  ),
);

/** Returns the path of the file that contains a runtime source. Other paths are unchanged. */
export function runtimePath(path: string, isKoaAlone = false): string {
  const name = /^runtime\/v1\/(.+)\.ts$/.exec(path)?.[1];
  if (name === undefined) return path;
  const module = moduleBySource.get(name) ?? `${runtimeFolder}/server.ts`;
  // The parts of the Node adapter that Koa uses belong to `koa.ts` if there is no Node adapter.
  return isKoaAlone && module === nodeModule ? `${runtimeFolder}/koa.ts` : module;
}

/** Where generated code finds its runtime. The version in the path is that of the seam between both. */
export const runtimeFolder = "runtime/v1";

/**
 * The modules of the runtime as they are written, and the sources that each is made of. Only sources that something needs are in it.
 * Sources that are not named here are those of `server.ts`. Modules import from those above them in the table, and from `server.ts`.
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
    "storable-text",
    "uploaded-file",
    "validation",
    "validation-any",
    "validation-decode",
    "validation-faults",
    "validation-object",
    "validation-text",
    "validation-timestamp",
    "validation-write",
    "validators",
  ],
  client: [
    "bigint",
    "bounded-text",
    "chain",
    "client",
    "client-date",
    "client-request",
    "client-response",
    "client-send",
    "file-method",
    "file-stream-method",
    "method",
    "read-shape",
    "received-file",
    "request-form",
    "result",
    "retries",
    "shape",
    "sleep",
    "stream",
    "stream-callbacks",
    "stream-items",
    "stream-method",
    "transport",
    "transport-fetch-bounded",
    "transport-memory",
    "write-shape",
  ],
  "transport-undici": ["transport-undici", "transport-undici-stream", "undici-dispatcher"],
  "node-http": ["body", "node-http", "node-transport"],
  koa: ["koa"],
  fetch: ["fetch"],
  uploads: [
    "upload-folder",
    "upload-form",
    "uploaded-file-in-memory",
    "uploads-in-memory",
    "uploads-on-disk",
  ],
  recorder: ["recorded-api", "recorder", "recording-file"],
};

const nodeModule = `${runtimeFolder}/node-http.ts`;

const moduleBySource = new Map(
  Object.entries(modules).flatMap(([module, sources]) =>
    [module, ...sources].map((source) => [source, `${runtimeFolder}/${module}.ts`] as const),
  ),
);

/** The module that a source of the runtime is a part of; other paths stay. */
export function runtimePath(path: string, isKoaAlone = false): string {
  const name = /^runtime\/v1\/(.+)\.ts$/.exec(path)?.[1];
  if (name === undefined) return path;
  const module = moduleBySource.get(name) ?? `${runtimeFolder}/server.ts`;
  // What only Koa uses of the adapter of Node is a part of Koa's.
  return isKoaAlone && module === nodeModule ? `${runtimeFolder}/koa.ts` : module;
}

import { runtimeTexts } from "ridlkit:runtime";
import type { Part } from "./joined-file.ts";
import { partsOf } from "./statements.ts";

/** Where generated code finds its runtime. The version in the path is that of the seam between both. */
const runtimeFolder = "runtime/v1";

/**
 * The modules of the runtime as they are written, and the sources that each is made of. Only sources that something needs are in it.
 * Sources that are not named here are those of `server.ts`. Modules import from those above them in the table, and from `server.ts`.
 */
const modules: Readonly<Record<string, readonly string[]>> = {
  common: [
    "date",
    "errors",
    "has-own",
    "issue",
    "json-form",
    "json-string",
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
    "wide-json",
  ],
  client: [
    "bigint",
    "bounded-text",
    "chain",
    "client",
    "client-answer",
    "client-date",
    "client-request",
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
  uploads: ["receive-upload", "upload-folder"],
  recorder: ["recorded-api", "recorder", "recording-file"],
};

const moduleBySource = new Map(
  Object.entries(modules).flatMap(([module, sources]) =>
    sources.map((source) => [source, `${runtimeFolder}/${module}.ts`] as const),
  ),
);

/** The module that a source of the runtime is a part of; other paths stay. `sources`: all that are written. */
export function runtimePath(path: string, sources: ReadonlySet<string>): string {
  const name = /^runtime\/v1\/(.+)\.ts$/.exec(path)?.[1];
  if (name === undefined) return path;
  const module = moduleBySource.get(name) ?? `${runtimeFolder}/server.ts`;
  // What only Koa uses of the adapter of Node is a part of Koa's.
  const isKoaAlone = module.endsWith("/node-http.ts") && !sources.has("node-http.ts");
  return isKoaAlone ? `${runtimeFolder}/koa.ts` : module;
}

/**
 * The sources that emitted files stand on, and those that `roots` name besides, with all that these import: what a source needs
 * comes before it.
 */
export function runtimeSources(files: readonly Part[], roots: readonly string[]): ReadonlyMap<string, Part> {
  const found = new Map<string, Part>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const text = runtimeTexts[name];
    if (text === undefined) throw new Error(`the runtime has no file "${name}"`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const { from } of partsOf(text).statements) if (from.startsWith("./")) visit(from.slice(2));
    found.set(name, { path: `${runtimeFolder}/${name}`, text });
  };
  const needed = files.flatMap(({ text }) => partsOf(text).statements.map(({ from }) => from));
  for (const from of needed) {
    const [, name] = /^(?:\.\.?\/)+runtime\/v1\/(.+)$/.exec(from) ?? [];
    if (name !== undefined) visit(name);
  }
  for (const name of roots) visit(name);
  return found;
}

/** `tsx --import ./test/support/build-time-files.mjs …`: texts and templates are modules, as in the bundles and in tests. */
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { buildTimeFiles } from "../../generator/codegen/emit/precompile.mjs";

if (isMainThread) {
  register(import.meta.url);
  globalThis.RIDLKIT_VERSION = "0.0.0-test";
}

const virtual = "ridlkit:";

export async function resolve(id, context, nextResolve) {
  return id.startsWith(virtual) ? { url: id, shortCircuit: true } : nextResolve(id, context);
}

export async function load(url, context, nextLoad) {
  const source = await sourceOf(url);
  return source === undefined ? nextLoad(url, context) : { format: "module", shortCircuit: true, source };
}

async function sourceOf(url) {
  if (url.startsWith(virtual)) return buildTimeFiles.load(buildTimeFiles.resolveId(url));
  if (!url.startsWith("file:")) return undefined;
  const path = fileURLToPath(url);
  if (path.endsWith(".sql")) return `export default ${JSON.stringify(await readFile(path, "utf8"))}`;
  return buildTimeFiles.load(path);
}

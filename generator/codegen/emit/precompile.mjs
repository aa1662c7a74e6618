// A plugin of Rolldown and Vitest: compiles templates to code, and embeds the runtime as text.
import { readdir, readFile } from "node:fs/promises";
import { templateCode } from "./template-code.mjs";

const runtimeId = "ridlkit:runtime";

/** `types/types.hbs` → `export default { name: "types/types", print: … }`. */
async function precompile(path) {
  const name = path.replaceAll("\\", "/").replace(/^.*\/generator\/codegen\/emit\/|\.hbs$/g, "");
  const code = templateCode(await readFile(path, "utf8"));
  return `export default { name: ${JSON.stringify(name)}, print: ${code} };`;
}

/** `export const runtimeTexts = { "client.ts": "…" }`. */
async function runtimeModule() {
  const folder = new URL("../../runtime/src/", import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts")).sort();
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")]),
  );
  return `export const runtimeTexts = ${JSON.stringify(Object.fromEntries(texts))};`;
}

export const buildTimeFiles = {
  name: "build-time-files",
  enforce: "pre",
  resolveId(id) {
    return id === runtimeId ? `\0${runtimeId}` : undefined;
  },
  async load(id) {
    if (id === `\0${runtimeId}`) return runtimeModule();
    return id.endsWith(".hbs") ? precompile(id) : undefined;
  },
};

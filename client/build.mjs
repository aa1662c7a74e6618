// Bundles the platform's client into one file for any runtime, client/dist/index.js, and writes its type declarations next to it.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { writeBuild } from "../write-build.mjs";

process.chdir(`${import.meta.dirname}/..`);
const { metafile, outputFiles } = await build({
  entryPoints: { index: "client/index.ts" },
  outdir: "client/dist",
  bundle: true,
  platform: "neutral",
  target: "es2022",
  format: "esm",
  external: ["standardwebhooks"],
  metafile: true,
  write: false,
  logLevel: "warning",
});
await writeBuild("client/dist", [
  ...outputFiles,
  ...(await declarationsOf("client/index.ts", Object.keys(metafile.inputs))),
]);

/**
 * Returns declarations for the given files and for those they import types from, and an index.d.ts that re-exports the entry file.
 */
async function declarationsOf(entry, files) {
  const declarations = [];
  const known = new Set(files);
  for (const file of known) {
    const { outputText: text } = ts.transpileDeclaration(await readFile(file, "utf8"), {});
    for (const [, path] of text.matchAll(/from "([.][^"]+)"/g)) known.add(join(dirname(file), path));
    declarations.push({
      path: join("client/dist/types", file.replace(/[.]ts$/, ".d.ts")),
      contents: text.replaceAll(/(from|import\() ?"([.][^"]+)[.]ts"/g, '$1 "$2.js"'),
    });
  }
  const contents = `export * from "./types/${entry.replace(/[.]ts$/, ".js")}";\n`;
  return [...declarations, { path: "client/dist/index.d.ts", contents }];
}

// Bundles the platform's client into one file for any runtime, client/dist/index.js, and writes its type declarations next to it.
import { mkdirSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";

process.chdir(`${import.meta.dirname}/..`);
rmSync("client/dist", { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { index: "client/index.ts" },
  outdir: "client/dist",
  bundle: true,
  platform: "neutral",
  target: "es2022",
  format: "esm",
  external: ["standardwebhooks"],
  metafile: true,
  logLevel: "warning",
});
await declare("client/index.ts", Object.keys(metafile.inputs));

/**
 * Writes declarations for the given files and for those they import types from, and an index.d.ts that re-exports the entry file.
 */
async function declare(entry, files) {
  const known = new Set(files);
  for (const file of known) {
    const { outputText: text } = ts.transpileDeclaration(await readFile(file, "utf8"), {});
    for (const [, path] of text.matchAll(/from "([.][^"]+)"/g)) known.add(join(dirname(file), path));
    const target = join("client/dist/types", file.replace(/[.]ts$/, ".d.ts"));
    mkdirSync(dirname(target), { recursive: true });
    await writeFile(target, text.replaceAll(/(from|import\() ?"([.][^"]+)[.]ts"/g, '$1 "$2.js"'));
  }
  await writeFile("client/dist/index.d.ts", `export * from "./types/${entry.replace(/[.]ts$/, ".js")}";\n`);
}

// Builds the page into files whose names contain a hash of their content.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import { writeBuild } from "../../../write-build.mjs";

const here = "generator/explorer/page";

/**
 * `entry` calls `show`; the bundle is called `main`. `licensesOf` returns the licenses of the packages that the given files belong to.
 * `documents` are the texts of further files, by name.
 */
export async function buildExplorer({ entry, out, licensesOf, documents = {} }) {
  const { metafile, outputFiles } = await build({
    entryPoints: { main: entry },
    outdir: out,
    entryNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "browser",
    // The first versions with nested style rules and light-dark().
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
  });
  const built = Object.entries(metafile.outputs);
  const nameOf = (extension) =>
    basename(
      built.find(([path, { entryPoint }]) => entryPoint === entry && path.endsWith(extension))?.[0] ?? "",
    );
  const script = nameOf(".js");
  const style = basename(metafile.outputs[`${out}/${script}`].cssBundle);
  const html = await readFile(`${here}/index.html`, "utf8");
  const imported = metafile.outputs[`${out}/${script}`].imports.filter(
    ({ kind }) => kind === "import-statement",
  );
  const preloads = imported
    .map(({ path }) => `<link rel="modulepreload" href="${basename(path)}">\n    `)
    .join("");
  const texts = {
    "index.html": html
      .replace("main.css", style)
      .replace("main.js", script)
      .replace("<script", `${preloads}<script`),
    "icon.svg": await readFile(`${here}/icon.svg`),
    ...documents,
    "LICENSES.txt": licensesOf(Object.keys(metafile.inputs)),
  };
  const others = Object.entries(texts).map(([name, contents]) => ({ path: `${out}/${name}`, contents }));
  await writeBuild(out, [...outputFiles, ...others]);
}

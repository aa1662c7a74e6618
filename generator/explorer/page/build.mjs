// Makes dist/explorer/: the page under names that say what is in them, the contract, and its OpenAPI document.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import { parse } from "yaml";

const here = "generator/explorer/page";

/** `licencesOf` answers the licences of the packages that files are of. */
export async function buildExplorer(licencesOf) {
  const out = "dist/explorer";
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: { main: `${here}/main.tsx` },
    outdir: out,
    entryNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "browser",
    // The browsers that have nested style rules and light-dark().
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  const built = Object.entries(metafile.outputs);
  const nameOf = (extension) =>
    basename(built.find(([path, { entryPoint }]) => entryPoint && path.endsWith(extension))?.[0] ?? "");
  const script = nameOf(".js");
  const style = basename(metafile.outputs[`${out}/${script}`].cssBundle);
  const html = await readFile(`${here}/index.html`, "utf8");
  await writeFile(`${out}/index.html`, html.replace("main.css", style).replace("main.js", script));
  await copyFile(`${here}/icon.svg`, `${out}/icon.svg`);
  await copyFile("generated/schema.webrpc.json", `${out}/schema.json`);
  const openapi = parse(await readFile("generated/openapi/openapi.yaml", "utf8"));
  await writeFile(`${out}/openapi.json`, JSON.stringify(openapi));
  await writeFile(`${out}/LICENSES.txt`, licencesOf(Object.keys(metafile.inputs)));
}

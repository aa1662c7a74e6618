// Bundles the platform's host and its explorer into server/dist/. They need the code in generated/, which `npm run gen` makes.
import { readFileSync } from "node:fs";
import { chmod, utimes } from "node:fs/promises";
import { build } from "esbuild";
import { parse } from "yaml";
import { licensesOf } from "../generator/explorer/licenses.mjs";
import { buildExplorer } from "../generator/explorer/page/build.mjs";
import { writeBuild } from "../write-build.mjs";

process.chdir(`${import.meta.dirname}/..`);
const { dependencies, optionalDependencies, version } = JSON.parse(
  readFileSync("server/package.json", "utf8"),
);
// Every start loads them, and Node takes longer to find 150 files than to read them. The others are loaded on first use, if at all.
const bundled = ["pg", "koa", "prom-client", "rate-limiter-flexible", "ipaddr.js", "get-east-asian-width"];
const packages = Object.keys({ ...dependencies, ...optionalDependencies });

const { metafile, outputFiles } = await build({
  entryPoints: { platform: "server/host/main.ts" },
  outdir: "server/dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  external: [...packages.filter((name) => !bundled.includes(name)), "pg-native", "pg-cloudflare"],
  loader: { ".sql": "text" },
  define: { RIDLKIT_VERSION: JSON.stringify(version) },
  // For the bundled packages that are CommonJS.
  banner: {
    js: 'import { createRequire as createRequireHere } from "node:module";\nconst require = createRequireHere(import.meta.url);',
  },
  splitting: true,
  chunkNames: "platform/[name]-[hash]",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  write: false,
});
const licenses = { path: "server/dist/LICENSES.txt", contents: licensesOf(Object.keys(metafile.inputs)) };
await writeBuild("server/dist", [...outputFiles, licenses], (name) => !name.startsWith("explorer"));
await chmod("server/dist/platform.js", 0o755);
await buildExplorer({
  entry: "server/host/sandbox-page/page/main.tsx",
  out: "server/dist/explorer",
  licensesOf,
  documents: {
    // Without indentation: the page loads it first.
    "schema.json": JSON.stringify(JSON.parse(readFileSync("generated/schema.webrpc.json", "utf8"))),
    "examples.json": await exampleCalls(),
    "openapi.json": JSON.stringify(parse(readFileSync("generated/openapi/openapi.yaml", "utf8"))),
  },
});
// `npm start` builds again if a source is newer than this file.
await utimes("server/dist/platform.js", new Date(), new Date());

/** Example calls of the platform's methods, by the code that makes them for every contract. */
async function exampleCalls() {
  const contents = `
    import { resolveOptions } from "./generator/codegen/options.ts";
    import { buildPlan } from "./generator/codegen/plan/build.ts";
    import { compile } from "./generator/language/compile.ts";
    import { fileReader } from "./generator/tools/cli/files/reader.ts";
    import { exampleCalls } from "./generator/tools/mock/examples.ts";
    const { result } = compile("schema/platform.ridl", fileReader(process.cwd()));
    export const text = JSON.stringify(exampleCalls(buildPlan(result.model, resolveOptions({}))));`;
  const bundled = await build({
    stdin: { contents, resolveDir: ".", loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)).text;
}

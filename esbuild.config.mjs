// Bundles the command line and the library entry into dist/.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { build } from "esbuild";
import ts from "typescript";
import { esbuildTemplates } from "./generator/codegen/emit/precompile.mjs";
import { licencesOf } from "./generator/explorer/licences.mjs";
import { buildExplorer } from "./generator/explorer/page/build.mjs";
import { writeBuild } from "./write-build.mjs";

const { dependencies, peerDependencies, version } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
);

/** Leaves the import of the checker of patterns to be resolved at run time, to the file that is built for it below. */
const recheckBeside = {
  name: "recheck-beside",
  setup({ onResolve }) {
    onResolve({ filter: /^recheck\/lib\/browser\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./recheck.js", external: true } : undefined,
    );
  },
};

// First, because the target explorer writes these files.
await buildExplorer({ entry: "generator/explorer/page/main.tsx", out: "dist/explorer", licencesOf });

/**
 * Says which build this is: the version, and a hash of the code between a schema's text and the texts of files, without what only
 * talks about faults. Manifests of generated folders carry it, so it is the same as long as the same is printed; comments are no part of it.
 */
async function printingBuild() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./generator/codegen/generate.ts"; export * from "./generator/language/compile.ts";
export * from "./generator/codegen/plan/filter.ts"; export * from "./generator/language/ir/filter.ts"; export * from "./generator/tools/cli/templates/compile.ts";`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    packages: "external",
    plugins: [esbuildTemplates, silentDiagnostics],
    logLevel: "warning",
  });
  const hash = createHash("sha256")
    .update(outputFiles[0].contents)
    // Names the page's other files, whose names contain hashes of their content.
    .update(readFileSync("dist/explorer/index.html"))
    .digest("hex")
    .slice(0, 16);
  return `${version} ${hash}`;
}

const silentDiagnostics = {
  name: "silent-diagnostics",
  setup({ onResolve }) {
    onResolve({ filter: /\/(diagnostics|lint)\/[^/]+[.]ts$/ }, ({ path }) => ({ path, external: true }));
  },
};

const programs = {
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  // Dependencies stay imports: each is loaded on first use by a dynamic import, which a bundle would defeat.
  external: Object.keys({ ...dependencies, ...peerDependencies }),
  plugins: [esbuildTemplates, recheckBeside],
  define: {
    RIDLKIT_VERSION: JSON.stringify(version),
    RIDLKIT_BUILD: JSON.stringify(await printingBuild()),
    RIDLKIT_YAML: JSON.stringify("./yaml.cjs"),
  },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
};

const bundles = await build({
  ...programs,
  write: false,
  metafile: true,
  entryPoints: { ridlkit: "generator/tools/cli/main.ts", index: "generator/index.ts" },
  splitting: true,
  chunkNames: "ridlkit-[name]-[hash]",
});

// The checker of patterns has native programs of 50 MB as optional dependencies; its plain build alone goes to users.
const recheck = await build({
  write: false,
  entryPoints: { recheck: "recheck/lib/browser.js" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  minify: true,
  banner: { js: `/* recheck\n${readFileSync("node_modules/recheck/LICENSE", "utf8")}*/` },
  logLevel: "warning",
});

// Schemas in YAML are read without waiting, so the parts of the package that they need are a file that can be required.
const yaml = await build({
  write: false,
  stdin: {
    contents: 'export { Composer, isMap, isScalar, isSeq, Lexer, Parser } from "yaml";',
    resolveDir: import.meta.dirname,
  },
  outfile: "dist/yaml.cjs",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  // Its build for browsers: the other one asks the environment for a debug switch at every token.
  conditions: ["default"],
  alias: { yaml: "./node_modules/yaml/browser/dist/index.js" },
  minify: true,
  banner: { js: `/*! ${readFileSync("node_modules/yaml/LICENSE", "utf8")}*/` },
  logLevel: "warning",
});

// The library's entry says what a configuration may hold, so its types are those of that one file.
const { outputText } = ts.transpileDeclaration(
  await readFile("generator/tools/config/config.ts", "utf8"),
  {},
);

const files = [bundles, recheck, yaml].flatMap(({ outputFiles }) => outputFiles);
const texts = [
  { path: "dist/index.d.ts", contents: outputText },
  { path: "dist/LICENSES.txt", contents: licencesOf(Object.keys(bundles.metafile.inputs)) },
];
await writeBuild("dist", [...files, ...texts], (name) => name.startsWith("ridlkit-"));
await chmod("dist/ridlkit.js", 0o755);

// Bundles into dist/: the command line, the library entry, and the platform's host. Run by `npm run prepare`, so also by `npm ci`.
// `node esbuild.config.mjs generator` leaves the host out, which needs the generated code that the command line makes.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import ts from "typescript";
import { esbuildTemplates } from "./generator/emit/precompile.mjs";

const { dependencies, optionalDependencies, peerDependencies, version } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
);

/** Says which build this is: a hash of all that goes into it. Manifests of generated folders carry it. */
function buildOf(folder) {
  const hash = createHash("sha256").update(version);
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (statSync(`${folder}/${name}`).isFile()) hash.update(name).update(readFileSync(`${folder}/${name}`));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Leaves the import of the checker of patterns to be resolved at run time, to the file that is built for it below. */
const recheckBeside = {
  name: "recheck-beside",
  setup({ onResolve }) {
    onResolve({ filter: /^recheck\/lib\/browser\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./recheck.js", external: true } : undefined,
    );
  },
};

/** The compiler of templates serves users' templates alone, and stays an import that is made then. */
const templateCompiler = {
  name: "template-compiler",
  setup({ onResolve }) {
    onResolve({ filter: /^handlebars$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "handlebars", external: true } : undefined,
    );
  },
};

const programs = {
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  // Dependencies stay imports: each is loaded on first use by a dynamic import, which a bundle would defeat.
  // Of Handlebars only the runtime is used, and templates cannot wait for an import.
  external: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) => name !== "handlebars",
  ),
  plugins: [esbuildTemplates, recheckBeside, templateCompiler],
  loader: { ".sql": "text" },
  define: {
    RIDLKIT_VERSION: JSON.stringify(version),
    RIDLKIT_BUILD: JSON.stringify(buildOf("generator")),
    RIDLKIT_YAML: JSON.stringify("./yaml.cjs"),
  },
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
};

await build({ ...programs, entryPoints: { ridlkit: "generator/cli/main.ts", index: "generator/index.ts" } });
// In parts, so that what the host imports on first use is not loaded before.
if (!process.argv.includes("generator")) {
  rmSync("dist/platform", { recursive: true, force: true });
  await build({
    ...programs,
    entryPoints: { platform: "server/main.ts" },
    splitting: true,
    chunkNames: "platform/[name]-[hash]",
  });
}
await chmod("dist/ridlkit.js", 0o755);
if (!process.argv.includes("generator")) await chmod("dist/platform.js", 0o755);

// The checker of patterns has native programs of 50 MB as optional dependencies; its plain build alone goes to users.
await build({
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
await build({
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
const { outputText } = ts.transpileDeclaration(await readFile("generator/config/config.ts", "utf8"), {});
await writeFile("dist/index.d.ts", outputText);

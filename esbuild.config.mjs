// Bundles into dist/: the command line, the library entry, the platform's host and its page. Run by `npm run prepare`, so also by `npm ci`.
// `node esbuild.config.mjs generator` leaves the host out, which needs the generated code that the command line makes.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { esbuildTemplates } from "./generator/codegen/emit/precompile.mjs";
import { buildExplorer } from "./generator/explorer/page/build.mjs";

const { dependencies, optionalDependencies, peerDependencies, version } = JSON.parse(
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
  const hash = createHash("sha256").update(outputFiles[0].contents).digest("hex").slice(0, 16);
  return `${version} ${hash}`;
}

const silentDiagnostics = {
  name: "silent-diagnostics",
  setup({ onResolve }) {
    onResolve({ filter: /\/(diagnostics|lint)\/[^/]+[.]ts$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The licences of the packages that these files are of. */
function licencesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      return `${name} ${version}\n${file === undefined ? license : readFileSync(`${folder}/${file}`, "utf8")}`;
    })
    .join("\n\n");
}

const programs = {
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  // Dependencies stay imports: each is loaded on first use by a dynamic import, which a bundle would defeat.
  external: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
  plugins: [esbuildTemplates, recheckBeside],
  loader: { ".sql": "text" },
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

mkdirSync("dist", { recursive: true });
for (const name of readdirSync("dist")) if (name.startsWith("ridlkit-")) rmSync(`dist/${name}`);
await build({
  ...programs,
  entryPoints: { ridlkit: "generator/tools/cli/main.ts", index: "generator/index.ts" },
  splitting: true,
  chunkNames: "ridlkit-[name]-[hash]",
});
// In parts, so that what the host imports on first use is not loaded before. What every start loads is inside, since Node takes longer
// to find 150 files than to read them.
const loadedByEveryStart = ["pg", "koa", "prom-client", "rate-limiter-flexible", "ipaddr.js"];
if (!process.argv.includes("generator")) {
  rmSync("dist/platform", { recursive: true, force: true });
  const { metafile } = await build({
    ...programs,
    entryPoints: { platform: "server/host/main.ts" },
    external: [...programs.external.filter((name) => !loadedByEveryStart.includes(name)), "pg-native"],
    // For the packages of these that are CommonJS.
    banner: {
      js: 'import { createRequire as createRequireHere } from "node:module";\nconst require = createRequireHere(import.meta.url);',
    },
    splitting: true,
    chunkNames: "platform/[name]-[hash]",
    metafile: true,
  });
  await writeFile("dist/platform/LICENSES.txt", licencesOf(Object.keys(metafile.inputs)));
  await buildExplorer({
    entry: "server/host/live/page/main.tsx",
    contract: "generated/schema.webrpc.json",
    openapi: "generated/openapi/openapi.yaml",
    out: "dist/explorer",
    licencesOf,
  });
}
// The client of the platform, for any runtime, in one file; beside it the types of all that it names.
if (!process.argv.includes("generator")) {
  rmSync("dist/client", { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { index: "client/index.ts" },
    outdir: "dist/client",
    bundle: true,
    platform: "neutral",
    target: "es2022",
    format: "esm",
    external: ["standardwebhooks"],
    metafile: true,
    logLevel: "warning",
  });
  await declare("client/index.ts", Object.keys(metafile.inputs));
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
const { outputText } = ts.transpileDeclaration(
  await readFile("generator/tools/config/config.ts", "utf8"),
  {},
);
await writeFile("dist/index.d.ts", outputText);

/** Writes the types of TypeScript files that import each other, and those that only types come from, with a door to the first of them. */
async function declare(entry, files) {
  const known = new Set(files);
  for (const file of known) {
    const { outputText: text } = ts.transpileDeclaration(await readFile(file, "utf8"), {});
    for (const [, path] of text.matchAll(/from "([.][^"]+)"/g)) known.add(join(dirname(file), path));
    const target = join("dist/client/types", file.replace(/[.]ts$/, ".d.ts"));
    mkdirSync(dirname(target), { recursive: true });
    await writeFile(target, text.replaceAll(/(from|import\() ?"([.][^"]+)[.]ts"/g, '$1 "$2.js"'));
  }
  await writeFile("dist/client/index.d.ts", `export * from "./types/${entry.replace(/[.]ts$/, ".js")}";\n`);
}
